import { css } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { useStyles2 } from '@grafana/ui';
import React from 'react';
import { readTheme } from './panel-theme.js';

/** Says in place of a view that something is missing, why, and what to do. */
export interface Emptiness {
  readonly title: string;
  readonly hint: string;
}

export function EmptyState({ title, hint }: Emptiness): React.ReactElement {
  const styles = useStyles2(getStyles);
  return (
    <div className={styles.box} role="status" data-testid="joblens-empty">
      <div className={styles.title}>{title}</div>
      <div className={styles.hint}>{hint}</div>
    </div>
  );
}

function getStyles(grafanaTheme: GrafanaTheme2): Record<'box' | 'title' | 'hint', string> {
  const theme = readTheme(grafanaTheme);
  return {
    box: css({
      display: 'flex',
      flexDirection: 'column',
      alignItems: 'center',
      justifyContent: 'safe center',
      height: '100%',
      padding: theme.spacing(1),
      overflow: 'auto',
      textAlign: 'center',
      gap: theme.spacing(0.5),
    }),
    title: css({ color: theme.colors.text.primary, fontWeight: theme.typography.fontWeightMedium }),
    hint: css({
      color: theme.colors.text.secondary,
      fontSize: theme.typography.bodySmall.fontSize,
      maxWidth: 460,
    }),
  };
}
