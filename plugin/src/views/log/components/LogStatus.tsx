import { css } from '@emotion/css';
import { dateTimeFormat, type GrafanaTheme2 } from '@grafana/data';
import { useStyles2 } from '@grafana/ui';
import React from 'react';
import { NS_PER_MS } from '@joblens/core/numbers/time-units';
import { readTheme } from '../../parts/panel-theme.js';
import type { LogDocumentState } from '../model/log-document.js';
import type { LogRow } from '../model/traces.js';

interface LogStatusProps {
  readonly state: LogDocumentState;
  readonly rows: readonly LogRow[];
  readonly onOlder: () => void;
  readonly onNewer: () => void;
  readonly onStop: () => void;
  readonly onResume: () => void;
  readonly timeZone: string;
}

/** Says over the lines that more are being loaded, or why they cannot be. */
export function LogStatus(props: LogStatusProps): React.ReactElement | null {
  const styles = useStyles2(getStyles);
  const { state, rows, onOlder, onNewer, onStop, onResume, timeZone } = props;
  const { loading, error, window, reachedNs, isStopped } = state;
  const reached = reachedNs === undefined ? '' : ` at ${dateTimeFormat(Number(reachedNs / NS_PER_MS), { timeZone })}`;
  if (error !== undefined) {
    const retry = window.hasOlder ? onOlder : onNewer;
    return (
      <div className={styles.status} role="alert">
        {`More lines cannot be loaded: ${error}`}
        <button type="button" className={styles.retry} onClick={retry}>
          Try again
        </button>
      </div>
    );
  }
  if (loading !== undefined) {
    return (
      <div className={styles.status} role="status" data-testid="joblens-log-loading">
        {reached !== '' ? `Searching${reached} …` : loading === 'place' ? 'Loading …' : `Loading ${loading} lines …`}
        {reached !== '' && (
          <button type="button" className={styles.retry} onClick={onStop}>
            Stop
          </button>
        )}
      </div>
    );
  }
  if (isStopped === true) {
    return (
      <div className={styles.status} role="status" data-testid="joblens-log-stopped">
        {`The search was stopped${reached}`}
        <button type="button" className={styles.retry} onClick={onResume}>
          Go on
        </button>
      </div>
    );
  }
  if (rows.length > 0 || window.hasOlder || window.hasNewer) return null;
  return (
    <div className={styles.status} role="status">
      No line matches
    </div>
  );
}

function getStyles(grafanaTheme: GrafanaTheme2): Record<'status' | 'retry', string> {
  const theme = readTheme(grafanaTheme);
  return {
    status: css({
      position: 'absolute',
      top: 6,
      left: '50%',
      transform: 'translateX(-50%)',
      maxWidth: '90%',
      padding: theme.spacing(0.25, 1),
      borderRadius: 12,
      background: theme.colors.background.secondary,
      border: `1px solid ${theme.colors.border.weak}`,
      boxShadow: theme.shadows.z3,
      color: theme.colors.text.secondary,
      fontSize: theme.typography.bodySmall.fontSize,
      zIndex: 1,
    }),
    retry: css({
      minWidth: 24,
      minHeight: 24,
      padding: '0 0 0 8px',
      border: 'none',
      background: 'none',
      color: theme.colors.text.link,
    }),
  };
}
