import type { JobSource, Stream } from '@joblens/core/schema/measurements';
import { mergeSignalFoldState } from '@joblens/core/signals/signal-fold';
import type { JobLogState } from '../rules/job-log.js';
import { mergeTableStates } from '../rules/tables/metadata-tables.js';
import type { LogMode } from '../rules/options/log-modes.js';
import { mergeSpanLogState } from '../rules/told/span-log.js';
import { mergeStreamLogState, type StreamLogState } from '../rules/lines/stream-log-state.js';
import { mergeRendererState, type RendererState } from '../render/renderer-state.js';

/** One stream of a job. A stream that has ended has only the first three fields. */
export interface JobStreamState {
  readonly id: number;
  readonly name: Stream;
  /** The stream carries both stdout and stderr. */
  readonly isMixed?: true;
  /** The source's description of its place, in its own format. */
  readonly checkpoint: string;
  readonly renderer?: RendererState;
  readonly log?: StreamLogState;
  /** Present while a change of the mode waits for the end of a line. */
  readonly turn?: PageTurn;
}

/** A change of the mode that waits for the end of a line. */
export interface PageTurn {
  /** The mode of the text on the screen. */
  readonly pageMode: LogMode;
  /** The strictest mode that the line has had. */
  readonly lineMode: LogMode;
}

/** The state with which a JobPipeline continues after a restart, as JSON. A change holds only the changes. */
export interface JobState {
  readonly source: JobSource;
  readonly log: JobLogState;
  /** The newest time that was given. */
  readonly lastNs: string;
  /** All known streams, also in a change. */
  readonly streams: readonly JobStreamState[];
  /** The job met too many faults, and is not logged any more. */
  readonly isGivenUp?: true;
}

const KEY_PREFIX = 'job:';

/** The key under which a job's state is kept. */
export function formatJobKey({ job, user, task }: JobSource): string {
  return KEY_PREFIX + JSON.stringify([user, job, ...(task === undefined ? [] : [task])]);
}

export function isJobKey(key: string): boolean {
  return key.startsWith(KEY_PREFIX);
}

/**
 * `values` are a whole state and its changes, in the order in which they were queued. They are trusted: this program
 * wrote them, and their checksums were checked.
 */
export function parseJobState(values: readonly string[]): JobState | undefined {
  let state: JobState | undefined;
  for (const value of values) {
    const next = JSON.parse(value) as JobState;
    state = state === undefined ? next : mergeJobState(state, next);
  }
  return state;
}

function mergeJobState(older: JobState, change: JobState): JobState {
  const streams = change.streams.map((stream) => mergeStream(findStream(older, stream.id), stream));
  const tables = mergeTableStates(older.log.tables, change.log.tables);
  return {
    ...change,
    log: { ...change.log, tables, ...mergeSignals(older, change), ...mergeSpans(older, change) },
    streams,
  };
}

function mergeSignals({ log: older }: JobState, { log: change }: JobState): Pick<JobState['log'], 'signals'> {
  if (older.signals === undefined || change.signals === undefined) return {};
  const folded = mergeSignalFoldState(older.signals.folded, change.signals.folded);
  return { signals: { ...change.signals, folded } };
}

function mergeSpans({ log: older }: JobState, { log: change }: JobState): Pick<JobState['log'], 'spans'> {
  if (older.spans === undefined || change.spans === undefined) return {};
  return { spans: mergeSpanLogState(older.spans, change.spans) };
}

function findStream({ streams }: JobState, id: number): JobStreamState | undefined {
  return streams.find((stream) => stream.id === id);
}

function mergeStream(older: JobStreamState | undefined, change: JobStreamState): JobStreamState {
  const { renderer, log } = change;
  if (older?.renderer === undefined || older.log === undefined || renderer === undefined || log === undefined) {
    return change;
  }
  return {
    ...change,
    renderer: mergeRendererState(older.renderer, renderer),
    log: mergeStreamLogState(older.log, log),
  };
}
