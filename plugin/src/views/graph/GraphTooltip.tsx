import { css } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { Portal, useStyles2 } from '@grafana/ui';
import React from 'react';
import { createPortalPosition } from './tooltip-position.js';
import { readTheme } from '../parts/panel-theme.js';
import type { TooltipContent } from './tooltip-content.js';

interface GraphTooltipProps {
  readonly content: TooltipContent;
  /** The mouse, in the page's pixels. */
  readonly pageX: number;
  readonly pageY: number;
}

const WIDTH_PX = 300;

/** The values of all lines at the cursor's X. It takes no mouse events, so it cannot hide the plot from the mouse. */
export function GraphTooltip({ content, pageX, pageY }: GraphTooltipProps): React.ReactElement {
  const styles = useStyles2(getStyles);
  const height = 34 + content.rows.length * 20 + (content.moreRows > 0 ? 20 : 0);
  const { left, top } = createPortalPosition(
    { x: pageX, y: pageY },
    { width: WIDTH_PX, height },
    { width: window.innerWidth, height: window.innerHeight }
  );
  return (
    <Portal>
      <div className={styles.box} style={{ left, top }} role="tooltip" data-testid="joblens-tooltip">
        <div className={styles.title}>{content.title}</div>
        {content.rows.map((row) => (
          <div key={row.name} className={row.isNearest ? styles.nearest : styles.row}>
            <span className={styles.swatch} style={{ backgroundColor: row.colour }} />
            <span className={styles.name}>{row.name}</span>
            <span className={styles.value}>{row.value}</span>
          </div>
        ))}
        {content.moreRows > 0 && <div className={styles.more}>and {content.moreRows} more</div>}
      </div>
    </Portal>
  );
}

type StyleName = 'box' | 'title' | 'row' | 'nearest' | 'swatch' | 'name' | 'value' | 'more';

function getStyles(grafanaTheme: GrafanaTheme2): Record<StyleName, string> {
  const theme = readTheme(grafanaTheme);
  const row = {
    display: 'flex',
    alignItems: 'center',
    gap: theme.spacing(1),
    height: 20,
    whiteSpace: 'nowrap',
  } as const;
  return {
    box: css({
      position: 'fixed',
      zIndex: theme.zIndex.tooltip,
      width: WIDTH_PX,
      maxWidth: '90vw',
      padding: theme.spacing(0.75, 1),
      background: theme.colors.background.primary,
      border: `1px solid ${theme.colors.border.medium}`,
      borderRadius: 4,
      boxShadow: theme.shadows.z3,
      fontSize: theme.typography.bodySmall.fontSize,
      pointerEvents: 'none',
    }),
    title: css({
      fontWeight: theme.typography.fontWeightMedium,
      overflow: 'hidden',
      textOverflow: 'ellipsis',
      whiteSpace: 'nowrap',
    }),
    row: css({ ...row, color: theme.colors.text.secondary }),
    nearest: css({ ...row, color: theme.colors.text.primary, fontWeight: theme.typography.fontWeightMedium }),
    swatch: css({ width: 14, height: 4, borderRadius: 2, flexShrink: 0 }),
    name: css({ overflow: 'hidden', textOverflow: 'ellipsis', flexGrow: 1 }),
    value: css({ fontVariantNumeric: 'tabular-nums', color: theme.colors.text.primary }),
    more: css({ color: theme.colors.text.secondary }),
  };
}
