import { css } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { useStyles2 } from '@grafana/ui';
import React from 'react';
import { readTheme } from '../panel-theme.js';

/** Enough to see what will come. */
const LINES = 4;
const LINE_PX = 40;
/** Percent of the width. */
const PARTS = [8, 22, 40, 14];

/** In the place of lines that are awaited. */
export function Skeleton(): React.ReactElement {
  const styles = useStyles2(getStyles);
  return (
    <div className={styles.lines} aria-hidden="true" data-testid="joblens-skeleton">
      {Array.from({ length: LINES }, (_, line) => (
        <div key={line} className={styles.line}>
          {PARTS.map((share) => (
            <span key={share} className={styles.part} style={{ width: `${share}%` }} />
          ))}
        </div>
      ))}
    </div>
  );
}

function getStyles(grafanaTheme: GrafanaTheme2): Record<'lines' | 'line' | 'part', string> {
  const theme = readTheme(grafanaTheme);
  const { colors } = theme;
  return {
    lines: css({ flexGrow: 1, minHeight: 0, overflow: 'hidden' }),
    line: css({
      display: 'flex',
      alignItems: 'center',
      gap: theme.spacing(2),
      height: LINE_PX,
      padding: theme.spacing(0, 1),
      borderBottom: `1px solid ${colors.border.weak}`,
    }),
    part: css({
      height: 12,
      borderRadius: 6,
      background: colors.action.selected,
      '@media (prefers-reduced-motion: no-preference)': {
        animation: 'joblens-wait 1.6s ease-in-out infinite',
        '@keyframes joblens-wait': { '50%': { opacity: 0.4 } },
      },
    }),
  };
}
