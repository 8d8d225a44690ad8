import { css } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { useStyles2 } from '@grafana/ui';
import React from 'react';
import { readTheme } from '../panel-theme.js';

interface ProgressBarProps {
  /** 0 to 1. */
  readonly progress: number;
  readonly label: string;
}

/** How much of a job is done, as a bar and in per cent. */
export function ProgressBar({ progress, label }: ProgressBarProps): React.ReactElement {
  const styles = useStyles2(getStyles);
  const percent = Math.floor(100 * progress);
  return (
    <span className={styles.line}>
      <span
        className={styles.track}
        role="progressbar"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={percent}
      >
        <span className={styles.done} style={{ width: `${100 * progress}%` }} />
      </span>
      {percent} %
    </span>
  );
}

function getStyles(grafanaTheme: GrafanaTheme2): Record<'line' | 'track' | 'done', string> {
  const theme = readTheme(grafanaTheme);
  const { colors, typography } = theme;
  return {
    line: css({
      display: 'flex',
      alignItems: 'center',
      gap: theme.spacing(1),
      color: colors.text.secondary,
      fontSize: typography.bodySmall.fontSize,
      fontVariantNumeric: 'tabular-nums',
      whiteSpace: 'nowrap',
    }),
    track: css({
      flexGrow: 1,
      minWidth: 48,
      height: 6,
      borderRadius: 3,
      overflow: 'hidden',
      background: colors.border.medium,
    }),
    done: css({ display: 'block', height: '100%', borderRadius: 3, background: colors.info.main }),
  };
}
