import { css } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { Button, useStyles2 } from '@grafana/ui';
import React, { useState } from 'react';
import { readTheme } from '../../parts/panel-theme.js';
import type { JobEnd } from '../hooks/use-job-end.js';

interface JobEndNoticeProps {
  readonly end: JobEnd | undefined;
  readonly onError: () => void;
}

const WORDS: Readonly<Record<JobEnd['kind'], string>> = {
  failed: 'The job has failed',
  stopped: 'The job was stopped',
  completed: 'The job is done',
};

/** Says that the job ended while its log was open, and leads to the error if it failed. */
export function JobEndNotice({ end, onError }: JobEndNoticeProps): React.ReactElement | null {
  const styles = useStyles2(getStyles);
  const [closed, setClosed] = useState<JobEnd | undefined>(undefined);
  if (end?.isNews !== true || closed === end) return null;
  const isFailed = end.kind === 'failed';
  return (
    <div className={isFailed ? styles.failed : styles.notice} role="status" data-testid="joblens-log-end-notice">
      <span>{`${WORDS[end.kind]}, so the log is no longer followed.`}</span>
      {isFailed && (
        <Button size="sm" variant="secondary" icon="exclamation-triangle" onClick={onError}>
          Go to the error
        </Button>
      )}
      <Button
        className={styles.close}
        size="sm"
        variant="secondary"
        fill="text"
        icon="times"
        aria-label="Close the notice"
        title="Close the notice"
        onClick={() => setClosed(end)}
      />
    </div>
  );
}

function getStyles(grafanaTheme: GrafanaTheme2): Record<'notice' | 'failed' | 'close', string> {
  const theme = readTheme(grafanaTheme);
  const notice = {
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'center',
    flexShrink: 0,
    gap: theme.spacing(0.5, 1),
    margin: theme.spacing(0, 0, 0.5),
    padding: theme.spacing(0.25, 1),
    borderLeft: `3px solid ${theme.colors.success.border}`,
    background: theme.colors.background.secondary,
    fontSize: theme.typography.bodySmall.fontSize,
  } as const;
  return {
    notice: css(notice),
    failed: css({ ...notice, borderLeftColor: theme.colors.error.border }),
    close: css({ marginLeft: 'auto' }),
  };
}
