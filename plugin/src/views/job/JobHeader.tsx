import { css } from '@emotion/css';
import { dateTimeFormat, type GrafanaTheme2 } from '@grafana/data';
import { Button, Drawer, useStyles2 } from '@grafana/ui';
import React, { useState } from 'react';
import { formatDuration, formatEstimate } from '@joblens/core/words/duration';
import { JobDrawer } from '../parts/components/JobDrawer.js';
import { createJobHref, createTagHref } from '../parts/job-link.js';
import type { JobRow } from '../parts/job-rows.js';
import { readStateKind } from '../../frames/state-kind.js';
import { readReason } from '../parts/job-state.js';
import { readTheme } from '../parts/panel-theme.js';
import { ProgressBar } from '../parts/components/ProgressBar.js';
import { StateBadge } from '../parts/components/StateBadge.js';
import type { ViewProps } from '../view.js';
import { useLastError } from './use-last-error.js';
import { useReasonTime } from './use-reason-time.js';
import { type JobWhy, useWhy } from './use-why.js';
import { WhyCard } from './WhyCard.js';

interface JobHeaderProps extends Pick<ViewProps, 'ask' | 'hub'> {
  readonly row: JobRow;
  readonly width: number;
  /** The height of the panel that the header has for itself. */
  readonly height?: number;
  readonly timeZone: string;
  /** Another user's job has this id and is shown beside it, so each leads to its own page. */
  readonly isOneOfSeveral: boolean;
}

/** Below it, only the facts that a person looks for first. */
const NARROW_PX = 560;
/** From it on, what differs from jobs that went well has room beside the facts. */
const BESIDE_PX = 900;
/** Between the last numbers of a job. */
const SEPARATOR = ', ';
const LINE_HEIGHT = 1.5;
/** Row height in a narrow header, including the gap below. */
const FIRST_LINE_PX = 30;
const TEXT_LINE_PX = 24;
const WIDE_LETTER_PX = 8;
const MOST_REASON_LINES = 4;
const clamped = css({ display: '-webkit-box', WebkitBoxOrient: 'vertical', overflow: 'hidden' });

/** State, name, progress and the facts of a job, with what differs where it failed; all else is behind a click. */
export function JobHeader(props: JobHeaderProps): React.ReactElement {
  const { row, width, ask } = props;
  const styles = useStyles2(getStyles);
  const why = useWhy(row, ask);
  const isBeside = why !== undefined && width >= BESIDE_PX;
  return (
    <div className={isBeside ? styles.beside : undefined}>
      <Header {...props} why={isBeside ? undefined : why} />
      {isBeside && <WhyCard why={why} isWhole={false} />}
    </div>
  );
}

/** `why`: what is behind a button. */
function Header(props: JobHeaderProps & { readonly why: JobWhy | undefined }): React.ReactElement {
  const { row: stored, width, height, timeZone, isOneOfSeveral, ask, hub, why } = props;
  const styles = useStyles2(getStyles);
  const [isOpen, setOpen] = useState(false);
  const reason = useLastError(stored, ask);
  const row = reason === undefined ? stored : { ...stored, reason };
  const isRunning = readStateKind(row) === 'running';
  const facts = listFacts(row, timeZone);
  const isNarrow = width < NARROW_PX;
  // The lines of a narrow header wrap, and the panel cuts the last ones: they must not be the reason.
  const room = shareRoom(readReason(row), width, height);
  const remark = <Remark {...{ row, ask, hub }} lines={room?.reasonLines} />;
  return (
    <section className={styles.header} aria-label={`Job ${row.job}`} data-testid="joblens-job-header">
      <div className={styles.line}>
        <StateBadge row={row} />
        <h2 className={styles.id}>
          <JobId {...{ row, isOneOfSeveral }} />
        </h2>
        {row.name !== undefined && row.name !== row.job && <span className={styles.name}>{row.name}</span>}
        {isRunning && row.progress !== undefined && (
          <span className={styles.progress}>
            <ProgressBar progress={row.progress} label={`Progress of ${row.job}`} />
          </span>
        )}
        <WhyButton why={why} />
        <Button
          {...{ className: styles.more, size: 'sm', variant: 'secondary', icon: 'list-ul' }}
          aria-label="Details"
          onClick={() => setOpen(true)}
        >
          {!isNarrow && 'Details'}
        </Button>
      </div>
      {room !== undefined && remark}
      {room?.hasFacts !== false && <Facts facts={isNarrow ? facts.slice(0, 2) : facts} />}
      {room === undefined && remark}
      {isOpen && <JobDrawer row={row} timeZone={timeZone} onClose={() => setOpen(false)} />}
    </section>
  );
}

/** Where the card has no room. */
function WhyButton({ why }: { readonly why: JobWhy | undefined }): React.ReactElement | null {
  const [isOpen, setOpen] = useState(false);
  if (why === undefined) return null;
  return (
    <>
      <Button size="sm" variant="secondary" icon="question-circle" onClick={() => setOpen(true)}>
        What differs
      </Button>
      {isOpen && (
        <Drawer title={`Why ${why.job} failed`} size="md" scrollableContent onClose={() => setOpen(false)}>
          <WhyCard why={why} isWhole />
        </Drawer>
      )}
    </>
  );
}

function JobId({ row, isOneOfSeveral }: Pick<JobHeaderProps, 'row' | 'isOneOfSeveral'>): React.ReactElement {
  return isOneOfSeveral ? <a href={createJobHref(row)}>{`${row.job} of ${row.user}`}</a> : <>{row.job}</>;
}

/** What fits below the first line of a narrow header that has a reason; all of it is behind the button "Details". */
function shareRoom(
  reason: string | undefined,
  width: number,
  height = Infinity
): { readonly reasonLines: number; readonly hasFacts: boolean } | undefined {
  if (reason === undefined || width >= NARROW_PX) return undefined;
  const lines = Math.max(1, Math.floor((height - FIRST_LINE_PX) / TEXT_LINE_PX));
  const needed = Math.min(Math.ceil((reason.length * WIDE_LETTER_PX) / width), MOST_REASON_LINES);
  return lines > needed ? { reasonLines: lines - 1, hasFacts: true } : { reasonLines: lines, hasFacts: false };
}

function Facts({ facts }: { readonly facts: ReturnType<typeof listFacts> }): React.ReactElement {
  const styles = useStyles2(getStyles);
  return (
    <dl className={styles.facts}>
      {facts.map(([name, value, href]) => (
        <div key={name} className={styles.fact}>
          <dt>{name}</dt>
          <dd>{href === undefined ? value : <a href={href}>{value}</a>}</dd>
        </div>
      ))}
    </dl>
  );
}

interface RemarkProps extends Pick<JobHeaderProps, 'row' | 'ask' | 'hub'> {
  /** At most so many of the reason are shown. */
  readonly lines: number | undefined;
}

/** Why the job failed, or else the last numbers that it printed. */
function Remark({ row, ask, hub, lines }: RemarkProps): React.ReactElement | null {
  const styles = useStyles2(getStyles);
  const timeNs = useReasonTime(row, ask);
  const reason = readReason(row);
  if (reason === undefined) return row.values === undefined ? null : <Numbers values={row.values} />;
  const text = (
    <span className={clamped} style={lines === undefined ? {} : { WebkitLineClamp: lines }}>
      {reason}
    </span>
  );
  return (
    <p className={readStateKind(row) === 'failed' ? styles.failure : styles.values} data-testid="joblens-reason">
      {timeNs === undefined ? (
        text
      ) : (
        <button
          type="button"
          className={styles.toLine}
          title={`Show the line of: ${reason}`}
          onClick={() => hub.select({}, timeNs)}
        >
          {text}
        </button>
      )}
    </p>
  );
}

/** As many of the last numbers as one line holds, each whole. */
function Numbers({ values }: { readonly values: string }): React.ReactElement {
  const styles = useStyles2(getStyles);
  return (
    <p className={styles.numbers} title={values}>
      {values.split(SEPARATOR).map((value, i) => (
        <span key={i}>{i > 0 ? SEPARATOR + value : value}</span>
      ))}
    </p>
  );
}

type Fact<Value = string | undefined> = readonly [name: string, value: Value, href?: string];

function nameDuration({ endedMs, durationMs, to }: JobRow): Fact {
  const isOver = endedMs !== undefined || to !== 'now';
  return [isOver ? 'Ran' : 'Running for', durationMs === undefined ? undefined : formatDuration(durationMs)];
}

/** Nobody says when a job without a state began and ended: its points do, and a single one has no length. */
function listOutputFacts({ startedMs, durationMs = 0 }: JobRow, time: (ms: number) => string): readonly Fact[] {
  return [
    ['Output over', durationMs === 0 ? undefined : formatDuration(durationMs)],
    ['Last output', startedMs === undefined ? undefined : time(startedMs + durationMs)],
  ];
}

/** The jobs that it belongs to, with a link that sets them side by side: those of its group among its experiment's. */
function listTogether({ tags }: JobRow): readonly Fact[] {
  const [experiment, group] = ['experiment=', 'group='].map((start) => tags.find((tag) => tag.startsWith(start)));
  const nameOf = (tag: string): string => tag.slice(tag.indexOf('=') + 1);
  const byGroup = experiment === undefined ? '' : '&var-by=group';
  return [
    ...(experiment === undefined ? [] : [['Experiment', nameOf(experiment), createTagHref(experiment)] as const]),
    ...(group === undefined ? [] : [['Group', nameOf(group), createTagHref(experiment ?? group) + byGroup] as const]),
  ];
}

/** The first two are for narrow panels too. */
function listFacts(row: JobRow, timeZone: string): ReadonlyArray<Fact<string>> {
  const { startedMs, submittedMs, remainingS } = row;
  const time = (ms: number): string => dateTimeFormat(ms, { timeZone });
  const facts: readonly Fact[] = [
    ...(row.state === undefined ? listOutputFacts(row, time) : [nameDuration(row)]),
    ['Left', remainingS === undefined ? undefined : `about ${formatEstimate(1000 * remainingS)}`],
    ['User', row.user],
    ...listTogether(row),
    ['Started', startedMs === undefined ? undefined : time(startedMs)],
    ['Waiting since', startedMs === undefined && submittedMs !== undefined ? time(submittedMs) : undefined],
    ['Nodes', row.nodes?.toString()],
    ['Host', row.host],
    ['Queue', row.queue],
  ];
  return facts.filter((fact): fact is Fact<string> => fact[1] !== undefined);
}

function getStyles(
  grafanaTheme: GrafanaTheme2
): Record<
  | 'header'
  | 'beside'
  | 'line'
  | 'id'
  | 'name'
  | 'progress'
  | 'more'
  | 'facts'
  | 'fact'
  | 'failure'
  | 'values'
  | 'numbers'
  | 'toLine',
  string
> {
  const theme = readTheme(grafanaTheme);
  const { colors, typography } = theme;
  return {
    header: css({ display: 'flex', flexDirection: 'column', gap: theme.spacing(0.75) }),
    beside: css({ display: 'grid', gridTemplateColumns: 'minmax(0, 3fr) minmax(0, 2fr)', gap: theme.spacing(2) }),
    line: css({ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: theme.spacing(0.5, 1.5) }),
    id: css({ margin: 0, fontSize: typography.h5.fontSize, overflowWrap: 'anywhere', minWidth: 0 }),
    name: css({ color: colors.text.secondary, overflowWrap: 'anywhere', minWidth: 0 }),
    progress: css({ flexBasis: 200, flexShrink: 1 }),
    more: css({ marginLeft: 'auto' }),
    facts: css({ display: 'flex', flexWrap: 'wrap', gap: theme.spacing(0.25, 3), margin: 0 }),
    fact: css({
      display: 'flex',
      gap: theme.spacing(0.75),
      dt: { color: colors.text.secondary, fontWeight: 'normal' },
      dd: { margin: 0, overflowWrap: 'anywhere' },
    }),
    failure: css({ margin: 0, color: colors.error.text, overflowWrap: 'anywhere' }),
    toLine: css({
      padding: 0,
      border: 0,
      background: 'none',
      color: 'inherit',
      textAlign: 'left',
      cursor: 'pointer',
      '&:hover, &:focus-visible': { textDecoration: 'underline' },
    }),
    values: css({ margin: 0, color: colors.text.secondary, overflowWrap: 'anywhere' }),
    // On a phone, a second line would be cut by the panel: what does not fit wraps to a line that is not shown.
    numbers: css({
      margin: 0,
      color: colors.text.secondary,
      display: 'flex',
      flexWrap: 'wrap',
      overflowWrap: 'anywhere',
      lineHeight: LINE_HEIGHT,
      height: `${LINE_HEIGHT}em`,
      overflow: 'hidden',
      flexShrink: 0,
      '& > span': { maxWidth: '100%', whiteSpace: 'pre-wrap' },
    }),
  };
}
