import { css, cx } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { SeriesIcon, useStyles2 } from '@grafana/ui';
import React from 'react';
import { readTheme } from '../../parts/panel-theme.js';
import type { LegendEntry } from '../model/plot/legend-entries.js';
import type { LegendClick } from '../model/plot/legend.js';

export interface LegendEvents {
  readonly onClick: (lines: readonly string[], click: LegendClick) => void;
  /** The lines of the name under the mouse or with the keyboard's focus; undefined when it left. */
  readonly onFocus: (lines: readonly string[] | undefined) => void;
}

interface LegendItemProps extends LegendEvents {
  readonly entry: LegendEntry;
}

/** Grafana's gesture: a click isolates, with Ctrl, Cmd or Shift it toggles. */
function readClick({ ctrlKey, metaKey, shiftKey }: React.MouseEvent): LegendClick {
  return ctrlKey || metaKey || shiftKey ? 'append' : 'select';
}

/** Colour and name of a line or of a writer of lines, in the look and with the test ids of Grafana's own legend. */
export function LegendItem({ entry, onClick, onFocus }: LegendItemProps): React.ReactElement {
  const styles = useStyles2(getStyles);
  const { name, lines, colour, isVisible } = entry;
  const what = lines.length === 1 ? 'this line' : 'these lines';
  return (
    <span className={styles.item} data-testid={`data-testid VizLegend series ${name}`}>
      <SeriesIcon color={colour} />
      <button
        type="button"
        className={cx(styles.label, !isVisible && styles.hidden)}
        aria-pressed={isVisible}
        title={`${name}\nClick: only ${what}, again: all lines. Ctrl, Cmd or Shift with a click: ${what} on or off.`}
        onClick={(event) => onClick(lines, readClick(event))}
        onMouseEnter={() => onFocus(lines)}
        onMouseLeave={() => onFocus(undefined)}
        onFocus={() => onFocus(lines)}
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
