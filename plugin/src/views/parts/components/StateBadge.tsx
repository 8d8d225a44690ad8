import { css, cx } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { useStyles2 } from '@grafana/ui';
import React from 'react';
import type { JobRow } from '../job-rows.js';
import type { StateKind } from '@joblens/core/words/states';
import { formatState, readStateKind } from '../../../frames/state-kind.js';
import { readTheme } from '../panel-theme.js';

/** The state of a job in words, on its colour. */
export function StateBadge({ row }: { readonly row: Pick<JobRow, 'state' | 'to'> }): React.ReactElement {
  const styles = useStyles2(getStyles);
  const kind = readStateKind(row);
  return (
    <span className={cx(styles.badge, styles[kind])} data-testid="joblens-state" data-kind={kind}>
      <span className={cx(styles.dot, kind === 'running' && styles.alive)} aria-hidden="true" />
      {formatState(row)}
    </span>
  );
}

/** On its own tint, the light theme's text has not quite the contrast that small letters need. */
function darken(colour: string): string {
  return `color-mix(in srgb, ${colour} 80%, black)`;
}

function getStyles(grafanaTheme: GrafanaTheme2): Record<'badge' | 'dot' | 'alive' | StateKind, string> {
  const theme = readTheme(grafanaTheme);
  const { colors, typography, isDark } = theme;
  const colour = ({ text, transparent, border }: Record<'text' | 'transparent' | 'border', string>): string =>
    css({ color: isDark ? text : darken(text), background: transparent, borderColor: border });
  const plain = colour({
    text: colors.text.secondary,
    transparent: colors.background.secondary,
    border: colors.border.medium,
  });
  return {
    badge: css({
      display: 'inline-flex',
      alignItems: 'center',
      gap: theme.spacing(0.75),
      padding: theme.spacing(0.25, 1),
      border: '1px solid',
      borderRadius: 999,
      fontSize: typography.bodySmall.fontSize,
      fontWeight: typography.fontWeightMedium,
      lineHeight: '18px',
      whiteSpace: 'nowrap',
    }),
    dot: css({ width: 6, height: 6, borderRadius: 3, background: 'currentColor' }),
    alive: css({
      '@media (prefers-reduced-motion: no-preference)': {
        animation: 'joblens-pulse 1.6s ease-in-out infinite',
        '@keyframes joblens-pulse': { '50%': { opacity: 0.25 } },
      },
    }),
    running: colour(colors.info),
    waiting: colour(colors.warning),
    failed: colour(colors.error),
    completed: colour(colors.success),
    stopped: plain,
    unknown: plain,
  };
}
