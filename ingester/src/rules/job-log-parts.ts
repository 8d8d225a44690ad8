import { createMetadataReader, type MetadataReader } from '@joblens/core/metadata/metadata-reader';
import { type JobDescription, type JsonValue, UNKNOWN_REMAINING_S } from '@joblens/core/schema/job-point';
import { createLogLineFormatter, type LogLineFormatter } from '@joblens/core/schema/log-point';
import type { JobSource, Stream } from '@joblens/core/schema/measurements';
import type { Clock } from '../clock/clock.js';
import { createSteadyTime } from '../clock/steady-time.js';
import { DescriptionLog, type DescriptionLogState } from './told/description-log.js';
import { HeartbeatLog, type HeartbeatLogState } from './told/heartbeat-log.js';
import { JobLife, type JobLifeState } from './told/job-life.js';
import { JobSignals, type JobSignalsState } from './signals/job-signals.js';
import type { LogConfig } from './options/log-config.js';
import { DESCRIPTION_RULES, type LogMode } from './options/log-modes.js';
import { LogPointWriter } from './lines/log-point-writer.js';
import { MetadataKinds } from './tables/metadata-kinds.js';
import { DEFAULT_MAX_TABLES, MetadataTables, type TableState } from './tables/metadata-tables.js';
import type { PointWriter } from './writing/point-writer.js';
import { ProgressWatch, type ProgressWatchState } from './told/progress-watch.js';
import type { Rewrites } from './writing/rewrites.js';
import { RunLog } from './told/run-log.js';
import { ShareLog, type ShareLogState } from './told/share-log.js';
import { SpanLog, type SpanLogState } from './told/span-log.js';
import { StandstillLog, type StandstillLogState } from './told/standstill-log.js';
import { TransitionLog, type TransitionLogState } from './told/transition-log.js';

/** The states with which the parts continue after a restart. */
export interface JobLogPartsState {
  readonly description: DescriptionLogState;
  /** Missing in a state of an older version. */
  readonly heartbeat?: HeartbeatLogState;
  /** Missing in a state of an older version. */
  readonly standstill?: StandstillLogState;
  /** Missing in a state of an older version. */
  readonly transitions?: TransitionLogState;
  /** Missing until the output has told something. */
  readonly progress?: ProgressWatchState;
  readonly tables: readonly TableState[];
  /** What lines have left for those that come (MetadataKinds). */
  readonly kinds?: JsonValue;
  /** Missing in a state of an older version. */
  readonly signals?: JobSignalsState;
  /** Missing in a state of an older version. */
  readonly life?: JobLifeState;
  /** Missing until the job has told a span. */
  readonly spans?: SpanLogState;
  /** Missing until the job is shared. */
  readonly shares?: ShareLogState;
}

export interface JobLogPartsOptions {
  readonly source: JobSource;
  readonly clock: Clock;
  readonly points: PointWriter;
  readonly rewrites: Rewrites;
  /** How many tables the job may have. */
  readonly maxTables?: number | undefined;
  /** HeartbeatLogOptions has it. */
  readonly livesWithLog: boolean;
  /** The configuration that the job has now. */
  readonly config: LogConfig;
  readonly getMode: () => LogMode;
  readonly state: Partial<JobLogPartsState>;
}

/** Which points are due. */
export interface Due {
  /** All that waits is written, as what comes next belongs to another configuration or process. */
  readonly isEnd: boolean;
  /** What is written at the end changes no more. */
  readonly isFinal: boolean;
  /** Nothing more comes of the job. */
  readonly isOver: boolean;
  readonly mode: LogMode;
}

/** A part that writes some points later than it hears of them. */
export interface LateWriter {
  /** Whether `writeDue` has something to write, now or later. */
  readonly isDirty: () => boolean;
  readonly writeDue: (due: Due) => void;
}

/** What a job's log is made of. */
export interface JobLogParts {
  readonly formatters: Readonly<Record<Stream, LogLineFormatter>>;
  readonly writer: LogPointWriter;
  readonly kinds: MetadataKinds;
  /** Reads the rows that are not in the output. */
  readonly addedRows: MetadataReader;
  readonly life: JobLife;
  readonly heartbeats: HeartbeatLog;
  readonly transitions: TransitionLog;
  readonly standstill: StandstillLog;
  readonly descriptions: DescriptionLog;
  readonly run: RunLog;
  readonly progress: ProgressWatch;
  readonly spans: SpanLog;
  readonly shares: ShareLog;
  readonly signals: JobSignals;
  readonly tables: MetadataTables;
  /** Writes a notice to the log. */
  readonly addNotice: (stream: Stream, text: string, timeNs?: bigint) => void;
}

/** Makes the parts, each after those that it tells something. */
export function createJobLogParts(options: JobLogPartsOptions): JobLogParts {
  const { source, clock, points, config, state } = options;
  const formatters = {
    stdout: createLogLineFormatter(source, 'stdout'),
    stderr: createLogLineFormatter(source, 'stderr'),
  };
  const writer = new LogPointWriter({ source, clock, points, formatters });
  const addNotice = (stream: Stream, text: string, timeNs = clock.nextNs()): void =>
    void writer.write({ stream, line: `(joblens: ${text})`, kind: 'notice', timeNs, firstPart: 0 });
  return {
    formatters,
    writer,
    kinds: new MetadataKinds(source, config, state.kinds, (message) => addNotice('stdout', message)),
    addedRows: createMetadataReader(source),
    life: new JobLife(() => clock.nowMs(), state.life),
    shares: new ShareLog({ source, points, nextNs: () => clock.nextNs(), state: state.shares }),
    ...createToldParts(options, (message) => addNotice('stdout', message)),
    addNotice,
  };
}

type ToldParts = Omit<JobLogParts, 'formatters' | 'writer' | 'kinds' | 'addedRows' | 'life' | 'shares' | 'addNotice'>;

/** Makes the parts that hear of the job or its output, and tell one another. */
function createToldParts(options: JobLogPartsOptions, onFault: (message: string) => void): ToldParts {
  const { source, clock, points, rewrites, livesWithLog, config, state } = options;
  const nowMs = (): number => clock.nowMs();
  const monotonicMs = (): number => clock.monotonicMs();
  const nextNs = (): bigint => clock.nextNs();
  const shared = { source, points, rewrites, monotonicMs, nextNs };

  const heartbeats = new HeartbeatLog({ source, points, nowMs, rewrites, livesWithLog, state: state.heartbeat });
  const transitions = new TransitionLog({ source, points, state: state.transitions });
  const standstill = new StandstillLog({ ...shared, nowMs, livesWithLog, state: state.standstill });
  const descriptions = new DescriptionLog({
    ...{ ...shared, mode: config.mode, state: state.description },
    onTold: (told, description) => {
      heartbeats.tell(told, description);
      transitions.tell(told);
    },
  });
  const describe = (description: JobDescription, timeNs = nextNs()): void => descriptions.describe(description, timeNs);
  const progress = new ProgressWatch({
    ...{ steadyMs: createSteadyTime(clock), state: state.progress },
    onEstimate: ({ progress: share, remainingS = UNKNOWN_REMAINING_S }) => {
      standstill.noteProgress(share);
      descriptions.tellProgress({ progress: share, remainingS }, options.getMode());
    },
  });
  const signals = new JobSignals({
    ...{ source, monotonicMs, rewrites, state: state.signals, describe, onFault },
    addEvent: (event, timeNs) => void descriptions.addEvent(event, timeNs),
  });
  const tables = new MetadataTables({
    ...{ source, monotonicMs, points, rewrites, maxTables: options.maxTables ?? DEFAULT_MAX_TABLES },
    ...{ onFull: onFault, tables: state.tables ?? [] },
    onNonfinite: (metric, timeNs) => signals.addNonfinite(metric, timeNs),
  });
  const run = new RunLog({ source, points, clock, describe });
  const spans = new SpanLog({ ...shared, onFull: onFault, state: state.spans });
  return { heartbeats, transitions, standstill, descriptions, progress, signals, tables, run, spans };
}

/** The parts that write late, in the order in which they do. */
export function listLateWriters(parts: JobLogParts): readonly LateWriter[] {
  const { progress, descriptions, heartbeats, standstill, tables, spans, signals } = parts;
  return [
    { isDirty: () => progress.isDirty, writeDue: ({ isEnd }) => progress.writeDue(isEnd) },
    { isDirty: () => descriptions.isDirty, writeDue: ({ isEnd }) => descriptions.writeDue(isEnd) },
    { isDirty: () => heartbeats.isDirty, writeDue: () => heartbeats.writeDue() },
    {
      isDirty: () => standstill.isDirty,
      writeDue: ({ mode }) => standstill.writeDue(DESCRIPTION_RULES[mode].isTold('progress')),
    },
    { isDirty: () => tables.isDirty, writeDue: ({ isEnd }) => tables.writeDue(isEnd) },
    { isDirty: () => spans.isDirty, writeDue: ({ isEnd, isOver }) => spans.writeDue(isEnd && isOver) },
    { isDirty: () => signals.isDirty, writeDue: ({ isFinal }) => signals.writeDue(isFinal) },
  ];
}

/**
 * `change`: of tables, signals and spans, only what changed since the last call. `isLogged`: whether lines may be kept.
 */
export function takePartsState(parts: JobLogParts, kind: 'whole' | 'change', isLogged: boolean): JobLogPartsState {
  const { descriptions, heartbeats, standstill, transitions, tables, signals, life } = parts;
  const progress = parts.progress.state;
  const kinds = parts.kinds.takeState(isLogged ? 'all' : 'counts');
  const spans = parts.spans.takeState(kind);
  const shares = parts.shares.state;
  return {
    description: descriptions.state,
    heartbeat: heartbeats.state,
    standstill: standstill.state,
    transitions: transitions.state,
    tables: tables.takeState(kind),
    signals: signals.takeState(kind),
    life: life.state,
    ...(spans && { spans }),
    ...(shares && { shares }),
    ...(kinds && { kinds }),
    ...(progress && { progress }),
  };
}
