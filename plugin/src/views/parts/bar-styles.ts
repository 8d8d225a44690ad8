import { css } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { readTheme } from './panel-theme.js';

/** The height of the bar above a table. */
export const BAR_HEIGHT_PX = 32;

/** A view that is a table below a bar of one line. */
export function getBarStyles(grafanaTheme: GrafanaTheme2): Record<'view' | 'bar' | 'note', string> {
  const theme = readTheme(grafanaTheme);
  return {
    view: css({ display: 'flex', flexDirection: 'column', minWidth: 0 }),
    bar: css({ display: 'flex', alignItems: 'center', gap: theme.spacing(1), height: BAR_HEIGHT_PX, flexShrink: 0 }),
    note: css({ color: theme.colors.text.secondary, fontSize: theme.typography.bodySmall.fontSize }),
  };
}
