import { css, cx } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { SeriesIcon, useStyles2 } from '@grafana/ui';
import React from 'react';
import { readTheme } from '../parts/panel-theme.js';
import type { LegendClick } from './legend.js';
import type { PlotLine } from './plot-lines.js';

/** What a legend knows of a line. */
export type LegendLine = Pick<PlotLine, 'model' | 'colour' | 'isVisible'>;

export interface LegendEvents {
  readonly onClick: (name: string, click: LegendClick) => void;
  /** The name under the mouse or with the keyboard's focus; undefined when it left. */
  readonly onFocus: (name: string | undefined) => void;
}

interface LegendItemProps extends LegendEvents {
  readonly line: LegendLine;
}

/** Grafana's gesture: a click isolates, with Ctrl, Cmd or Shift it toggles. */
function readClick({ ctrlKey, metaKey, shiftKey }: React.MouseEvent): LegendClick {
  return ctrlKey || metaKey || shiftKey ? 'append' : 'select';
}

/** A line's colour and name, in the look and with the test ids of Grafana's own legend. */
export function LegendItem({ line, onClick, onFocus }: LegendItemProps): React.ReactElement {
  const styles = useStyles2(getStyles);
  const { name } = line.model;
  return (
    <span className={styles.item} data-testid={`data-testid VizLegend series ${name}`}>
      <SeriesIcon color={line.colour} />
      <button
        type="button"
        className={cx(styles.label, !line.isVisible && styles.hidden)}
        aria-pressed={line.isVisible}
        title={`${name}\nClick: only this line, again: all lines. Ctrl, Cmd or Shift with a click: this line on or off.`}
        onClick={(event) => onClick(name, readClick(event))}
        onMouseEnter={() => onFocus(name)}
        onMouseLeave={() => onFocus(undefined)}
        onFocus={() => onFocus(name)}
        onBlur={() => onFocus(undefined)}
      >
        {name}
      </button>
    </span>
  );
}

function getStyles(grafanaTheme: GrafanaTheme2): Record<'item' | 'label' | 'hidden', string> {
  const theme = readTheme(grafanaTheme);
  return {
    item: css({
      display: 'inline-flex',
      alignItems: 'center',
      gap: theme.spacing(0.75),
      flexShrink: 0,
      maxWidth: '100%',
      fontSize: theme.typography.bodySmall.fontSize,
    }),
    label: css({
      padding: 0,
      border: 'none',
      background: 'none',
      color: theme.colors.text.primary,
      overflow: 'hidden',
      textOverflow: 'ellipsis',
      whiteSpace: 'nowrap',
      '&:hover': { textDecoration: 'underline' },
      '&:focus-visible': { outline: `2px solid ${theme.colors.text.link}`, outlineOffset: 1, borderRadius: 2 },
    }),
    hidden: css({ color: theme.colors.text.disabled }),
  };
}
