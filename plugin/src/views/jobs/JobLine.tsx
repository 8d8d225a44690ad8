import { css, cx } from '@emotion/css';
import { dateTimeFormat, type GrafanaTheme2 } from '@grafana/data';
import { IconButton, useStyles2 } from '@grafana/ui';
import React from 'react';
import { formatDuration, formatEstimate } from '../parts/duration.js';
import { createJobHref } from '../parts/job-link.js';
import type { JobRow } from '../parts/job-rows.js';
import { readStateKind } from '../../frames/state-kind.js';
import { readReason } from '../parts/job-state.js';
import { readTheme } from '../parts/panel-theme.js';
import { ProgressBar } from '../parts/ProgressBar.js';
import { Sparkline } from '../parts/Sparkline.js';
import { StateBadge } from '../parts/StateBadge.js';
import type { Trend } from './trend.js';

interface JobLineProps {
  readonly row: JobRow;
  readonly index: number;
  readonly timeZone: string;
  /** Else a block of a few lines. */
  readonly isTable: boolean;
  readonly lineRef: (element: HTMLTableRowElement | null) => void;
  /** The course of the job's main number, once it is known. */
  readonly trend: Trend | undefined;
  readonly onDetails: () => void;
}

/** One job of the list. The link is its id. */
export function JobLine(props: JobLineProps): React.ReactElement {
  const { row, index, timeZone, isTable, lineRef, trend, onDetails } = props;
  const styles = useStyles2(getStyles);
  const kind = readStateKind(row);
  const timeMs = row.startedMs ?? row.submittedMs;
  return (
    <tr
      ref={lineRef}
      role="row"
      className={styles.line}
      data-index={index}
      data-testid="joblens-job"
      aria-rowindex={index + 2}
    >
      <td role="cell">
        <StateBadge row={row} />
        {kind === 'running' && row.progress !== undefined && (
          <div className={styles.progress}>
            <ProgressBar progress={row.progress} label={`Progress of ${row.job}`} />
            {row.remainingS !== undefined && (
              <span className={styles.faint}>about {formatEstimate(1000 * row.remainingS)} left</span>
            )}
          </div>
        )}
      </td>
      <td role="cell" className={cx(styles.wrap, !isTable && styles.whole)}>
        <JobName row={row} />
      </td>
      <td role="cell" className={cx(styles.wrap, styles.faint, !isTable && styles.whole)}>
        {row.values !== undefined && (
          <div className={styles.values}>
            {trend !== undefined && <Sparkline values={trend.values} title={`${trend.key} of ${row.job}`} />}
            {row.values}
          </div>
        )}
      </td>
      <td role="cell" title={timeMs === undefined ? undefined : dateTimeFormat(timeMs, { timeZone })}>
        {timeMs !== undefined && dateTimeFormat(timeMs, { timeZone, format: 'MMM D, HH:mm' })}
      </td>
      <td role="cell">{row.durationMs !== undefined && formatDuration(row.durationMs)}</td>
      <td role="cell" className={styles.wrap}>
        {row.user}
      </td>
      <td role="cell">{row.nodes !== undefined && (isTable ? row.nodes : formatNodes(row.nodes))}</td>
      <td role="cell">
        <IconButton
          name="info-circle"
          tooltip={`Details of ${row.job}`}
          aria-label={`Details of ${row.job}`}
          onClick={onDetails}
        />
      </td>
    </tr>
  );
}

function formatNodes(nodes: number): string {
  return nodes === 1 ? '1 node' : `${nodes} nodes`;
}

/** The link to the job's page, and why it failed. */
function JobName({ row }: Pick<JobLineProps, 'row'>): React.ReactElement {
  const styles = useStyles2(getStyles);
  const reason = readReason(row);
  return (
    <>
      <a className={styles.link} href={createJobHref(row)}>
        {row.job}
      </a>
      {row.name !== undefined && row.name !== row.job && <span className={styles.name}>{row.name}</span>}
      {reason !== undefined && (
        <div className={readStateKind(row) === 'failed' ? styles.failure : styles.faint}>{reason}</div>
      )}
    </>
  );
}

function getStyles(
  grafanaTheme: GrafanaTheme2
): Record<'line' | 'values' | 'progress' | 'wrap' | 'whole' | 'link' | 'name' | 'failure' | 'faint', string> {
  const theme = readTheme(grafanaTheme);
  const { colors, typography } = theme;
  const small = { fontSize: typography.bodySmall.fontSize };
  return {
    line: css({
      '& > td': { borderBottom: `1px solid ${colors.border.weak}`, fontVariantNumeric: 'tabular-nums' },
      '&:hover': { background: colors.action.hover },
    }),
    values: css({ display: 'flex', alignItems: 'center', gap: theme.spacing(1.5) }),
    progress: css({ marginTop: theme.spacing(0.5) }),
    wrap: css({ overflowWrap: 'anywhere' }),
    whole: css({ flexBasis: '100%' }),
    link: css({
      color: colors.text.link,
      fontWeight: typography.fontWeightMedium,
      whiteSpace: 'pre-wrap',
      '&:hover': { textDecoration: 'underline' },
    }),
    name: css({ marginLeft: theme.spacing(1), color: colors.text.secondary }),
    failure: css({ ...small, color: colors.error.text }),
    faint: css({ ...small, color: colors.text.secondary }),
  };
}
