import { css } from '@emotion/css';
import { dateTimeFormat, type GrafanaTheme2 } from '@grafana/data';
import { IconButton, useStyles2 } from '@grafana/ui';
import React from 'react';
import { readStateKind } from '../../../frames/state-kind.js';
import { formatDuration, formatEstimate } from '@joblens/core/words/duration';
import { createJobHref } from '../../parts/job-link.js';
import type { JobRow } from '../../parts/job-rows.js';
import { readTheme } from '../../parts/panel-theme.js';
import { ProgressBar } from '../../parts/components/ProgressBar.js';
import { StateBadge } from '../../parts/components/StateBadge.js';
import { isFacetId } from '../../../frames/job-order.js';
import { type Facets, nameFacet } from '../model/facets.js';
import type { JobsColumn, JobsLayout } from '../model/job-columns.js';
import { LastCell } from './LastCell.js';
import type { Trend } from '../model/trend.js';

interface JobLineProps {
  readonly row: JobRow;
  readonly index: number;
  readonly timeZone: string;
  readonly layout: JobsLayout;
  /** Measures a block: the lines of a table are all as high. */
  readonly lineRef: ((element: HTMLTableRowElement | null) => void) | undefined;
  /** The course of the job's main number, once it is known. */
  readonly trend: Trend | undefined;
  /** What it has in the columns by choice. */
  readonly facets: Facets;
  readonly onDetails: () => void;
  /** Whether it is one of those to be compared. */
  readonly isCompared: boolean;
  readonly onCompared: () => void;
}

/** One job of the list. The link is its id. */
export function JobLine(props: JobLineProps): React.ReactElement {
  const { index, layout, lineRef } = props;
  const styles = useStyles2(getStyles);
  return (
    <tr
      ref={lineRef}
      role="row"
      className={styles.line}
      data-index={index}
      data-testid="joblens-job"
      aria-rowindex={index + 2}
    >
      {layout.columns.map((column) => (
        <JobCell key={column.id} {...props} column={column} title={readTitle(column, props)} />
      ))}
    </tr>
  );
}

interface JobCellProps extends JobLineProps {
  readonly column: JobsColumn;
  readonly title: string | undefined;
}

function JobCell({ column, title, ...props }: JobCellProps): React.ReactElement {
  const styles = useStyles2(getStyles);
  const isWhole = !props.layout.isTable && (column.id === 'job' || column.id === 'last');
  return (
    <td role="cell" className={isWhole ? styles.whole : undefined} title={title}>
      {drawCell(column, props, styles.target)}
    </td>
  );
}

function drawCell({ id, widthPx }: JobsColumn, props: JobLineProps, targetClass: string): React.ReactNode {
  const { row, layout, timeZone, trend, facets } = props;
  if (isFacetId(id))
    return layout.isTable || !facets.has(id) ? facets.get(id) : `${nameFacet(id)} ${facets.get(id) ?? ''}`;
  switch (id) {
    case 'state':
      return <StateCell row={row} layout={layout} />;
    case 'job':
      return <JobName row={row} />;
    case 'last':
      return (
        <LastCell {...{ row, trend }} roomPx={layout.isTable ? widthPx : layout.linePx} isBlock={!layout.isTable} />
      );
    case 'duration':
      return (
        <>
          {row.durationMs !== undefined && formatDuration(row.durationMs)}
          {layout.isTable && layout.isRoomy && <Remaining row={row} />}
        </>
      );
    case 'details':
      return <Actions {...props} targetClass={targetClass} />;
    default:
      return readText(id, row, timeZone, layout.isTable);
  }
}

type ActionsProps = Pick<JobLineProps, 'row' | 'onDetails' | 'isCompared' | 'onCompared'>;

function Actions(props: ActionsProps & { readonly targetClass: string }): React.ReactElement {
  const { row, onDetails, isCompared, onCompared, targetClass } = props;
  const styles = useStyles2(getStyles);
  return (
    <span className={styles.actions}>
      <IconButton
        name="info-circle"
        className={targetClass}
        tooltip={`Details of ${row.job}`}
        aria-label={`Details of ${row.job}`}
        onClick={onDetails}
      />
      <label className={styles.choose} title={`Choose ${row.job} to compare it`}>
        <input
          type="checkbox"
          checked={isCompared}
          onChange={onCompared}
          aria-label={`Choose ${row.job} to compare it`}
        />
      </label>
    </span>
  );
}

function readText(id: 'started' | 'user' | 'nodes', row: JobRow, timeZone: string, isTable: boolean): React.ReactNode {
  const timeMs = row.startedMs ?? row.submittedMs;
  if (id === 'started') return timeMs !== undefined && dateTimeFormat(timeMs, { timeZone, format: 'MMM D, HH:mm' });
  if (id === 'user') return row.user;
  return row.nodes !== undefined && (isTable ? row.nodes : formatNodes(row.nodes));
}

/** What a cell may have no room for. */
function readTitle({ id }: JobsColumn, { row, timeZone, facets }: JobLineProps): string | undefined {
  if (isFacetId(id)) return facets.has(id) ? `${nameFacet(id)} ${facets.get(id) ?? ''}` : undefined;
  const timeMs = row.startedMs ?? row.submittedMs;
  switch (id) {
    case 'state':
    case 'duration':
      return row.remainingS === undefined ? undefined : `about ${formatEstimate(1000 * row.remainingS)} left`;
    case 'job':
      return row.name === undefined || row.name === row.job ? row.job : `${row.job} ${row.name}`;
    case 'started':
      return timeMs === undefined ? undefined : dateTimeFormat(timeMs, { timeZone });
    case 'user':
      return row.user;
    default:
      return undefined;
  }
}

function formatNodes(nodes: number): string {
  return nodes === 1 ? '1 node' : `${nodes} nodes`;
}

interface StateCellProps {
  readonly row: JobRow;
  readonly layout: JobsLayout;
}

function StateCell({ row, layout: { isTable, isRoomy } }: StateCellProps): React.ReactElement {
  const styles = useStyles2(getStyles);
  const { progress } = row;
  return (
    <span className={styles.parts}>
      <StateBadge row={row} />
      {progress !== undefined && readStateKind(row) === 'running' && (
        <span className={isTable && !isRoomy ? styles.barless : undefined}>
          <ProgressBar progress={progress} label={`Progress of ${row.job}`} />
        </span>
      )}
      {!isTable && <Remaining row={row} />}
    </span>
  );
}

function Remaining({ row }: Pick<JobLineProps, 'row'>): React.ReactElement | null {
  const styles = useStyles2(getStyles);
  if (row.remainingS === undefined || readStateKind(row) !== 'running') return null;
  return <span className={styles.remaining}>{formatEstimate(1000 * row.remainingS)} left</span>;
}

/** The link to the job's page, and the job's name. */
function JobName({ row }: Pick<JobLineProps, 'row'>): React.ReactElement {
  const styles = useStyles2(getStyles);
  return (
    <>
      <a className={styles.link} href={createJobHref(row)}>
        {row.job}
      </a>
      {row.name !== undefined && row.name !== row.job && <span className={styles.name}>{row.name}</span>}
    </>
  );
}

/** What can be clicked is at least as large. */
export const TARGET_PX = 24;

function getStyles(
  grafanaTheme: GrafanaTheme2
): Record<
  'line' | 'whole' | 'parts' | 'actions' | 'choose' | 'barless' | 'remaining' | 'link' | 'name' | 'target',
  string
> {
  const theme = readTheme(grafanaTheme);
  const { colors, typography } = theme;
  return {
    line: css({
      '& > td': { borderBottom: `1px solid ${colors.border.weak}`, fontVariantNumeric: 'tabular-nums' },
      '&:hover': { background: colors.action.hover },
    }),
    whole: css({ flexBasis: '100%', overflowWrap: 'anywhere' }),
    parts: css({ display: 'flex', alignItems: 'center', gap: theme.spacing(1) }),
    actions: css({ display: 'flex', alignItems: 'center' }),
    choose: css({
      ...{ display: 'flex', alignItems: 'center', justifyContent: 'center', margin: 0 },
      ...{ width: TARGET_PX, height: TARGET_PX, cursor: 'pointer' },
      input: { width: 16, height: 16, margin: 0 },
    }),
    barless: css({ '[role="progressbar"]': { display: 'none' } }),
    remaining: css({
      marginLeft: theme.spacing(1),
      color: colors.text.secondary,
      fontSize: typography.bodySmall.fontSize,
    }),
    link: css({
      display: 'inline-block',
      minWidth: TARGET_PX,
      maxWidth: '100%',
      lineHeight: `${TARGET_PX}px`,
      overflow: 'hidden',
      textOverflow: 'ellipsis',
      verticalAlign: 'top',
      color: colors.text.link,
      fontWeight: typography.fontWeightMedium,
      whiteSpace: 'pre',
      '&:hover': { textDecoration: 'underline' },
    }),
    name: css({ marginLeft: theme.spacing(1), lineHeight: `${TARGET_PX}px`, color: colors.text.secondary }),
    target: css({ minWidth: TARGET_PX, minHeight: TARGET_PX, margin: 0 }),
  };
}
