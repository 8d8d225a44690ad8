import { createMetadataReader, type MetadataLine, type MetadataReader } from '@joblens/core/metadata/metadata-reader';
import type { ProgressEstimate } from '@joblens/core/progress/pace';
import { type JobDescription, type JsonValue, STATE_TOPIC, UNKNOWN_REMAINING_S } from '@joblens/core/schema/job-point';
import type { JobWriter } from '@joblens/core/schema/job-writer';
import { createLogLineFormatter, type LogLineFormatter } from '@joblens/core/schema/log-point';
import type { JobSource, Stream } from '@joblens/core/schema/measurements';
import type { Clock } from '../clock/clock.js';
import { createSteadyTime } from '../clock/steady-time.js';
import type { RenderedRow } from '../render/rendered-row.js';
import { DescriptionLog, type DescriptionLogState } from './description-log.js';
import { HeartbeatLog, type HeartbeatLogState } from './heartbeat-log.js';
import { type EndFacts, JobSignals, type JobSignalsState } from './job-signals.js';
import { LineJudge } from './line-judge.js';
import { LineWriter } from './line-writer.js';
import type { CommandFacts } from './command-facts.js';
import type { CommandOrder } from './log-command.js';
import { contain, type FaultKeeper } from './fault-keeper.js';
import { JobLife, type JobLifeState } from './job-life.js';
import { DEFAULT_LOG_CONFIG, type LogConfig } from './log-config.js';
import { DESCRIPTION_RULES, LINE_RULES, type LogMode } from './log-modes.js';
import { LogPointWriter } from './log-point-writer.js';
import { MetadataKinds } from './metadata-kinds.js';
import { DEFAULT_MAX_TABLES, MetadataTables, type TableState } from './metadata-tables.js';
import type { PointWriter } from './point-writer.js';
import { keepsMore, type ReproduceLevel, type TakenRun } from './reproduce.js';
import { RunLog } from './run-log.js';
import type { Progress } from './progress-log.js';
import { ALWAYS, type Rewrites } from './rewrites.js';
import { ProgressWatch, type ProgressWatchState } from './progress-watch.js';
import { SpanLog, type SpanLogState } from './span-log.js';
import { StandstillLog, type StandstillLogState } from './standstill-log.js';
import type { LineMeaning, StoredLine } from './stream-context.js';
import { StreamLog } from './stream-log.js';
import type { StreamLogState } from './stream-log-state.js';
import { type StateChange, TransitionLog, type TransitionLogState } from './transition-log.js';

export interface JobLogOptions {
  readonly source: JobSource;
  /** The configuration that the job starts with. */
  readonly config: LogConfig;
  readonly clock: Clock;
  readonly points: PointWriter;
  readonly faults: FaultKeeper;
  /** By default the store rewrites points. */
  readonly rewrites?: Rewrites | undefined;
  /** How many tables the job may have. */
  readonly maxTables?: number | undefined;
  /** Asks all streams for changed rows that they have not given yet. */
  readonly updateStreams: () => void;
  /** Called with the options that a command in this job's output has set. */
  readonly onObeyed: (options: Partial<LogConfig>) => void;
  /** Tells all streams that the mode has changed. */
  readonly changeMode: (mode: LogMode) => void;
  /** HeartbeatLogOptions has it. */
  readonly livesWithLog: boolean;
  readonly state?: JobLogState;
}

/** The state with which a JobLog continues after a restart, except for its streams. */
export interface JobLogState {
  readonly config: LogConfig;
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
}

/** The beginning of a stream. */
interface OpenedStream {
  readonly stream: Stream;
  readonly mode: LogMode;
  readonly state?: StreamLogState | undefined;
}

/**
 * The logging rules of one job (docs/logging-rules.md): turns its rendered rows into points. The job has one
 * configuration, and a command on either stream changes it for both.
 */
export class JobLog {
  readonly #options: JobLogOptions;
  readonly #descriptions: DescriptionLog;
  readonly #heartbeats: HeartbeatLog;
  readonly #transitions: TransitionLog;
  readonly #standstill: StandstillLog;
  readonly #progress: ProgressWatch;
  readonly #tables: MetadataTables;
  readonly #kinds: MetadataKinds;
  /** Reads the rows that are not in the output. */
  readonly #addedRows: MetadataReader;
  readonly #signals: JobSignals;
  readonly #life: JobLife;
  readonly #spans: SpanLog;
  readonly #run: RunLog;
  readonly #formatters: Readonly<Record<Stream, LogLineFormatter>>;
  readonly #judge: LineJudge;
  readonly #writer: LogPointWriter;
  readonly #streams = new Set<StreamLog>();
  readonly #rewrites: Rewrites;
  #isEnded = false;
  #config: LogConfig;

  constructor(options: JobLogOptions) {
    const state: Partial<JobLogState> = options.state ?? {};
    this.#options = options;
    this.#config = { ...DEFAULT_LOG_CONFIG, ...(state.config ?? options.config) };
    this.#kinds = new MetadataKinds(options.source, this.#config, state.kinds);
    const { source, points, livesWithLog, rewrites = ALWAYS } = options;
    this.#rewrites = rewrites;
    this.#addedRows = createMetadataReader(source);
    const nowMs = (): number => options.clock.nowMs();
    const monotonicMs = (): number => options.clock.monotonicMs();
    const nextNs = (): bigint => options.clock.nextNs();
    this.#heartbeats = new HeartbeatLog({ source, points, nowMs, rewrites, livesWithLog, state: state.heartbeat });
    this.#transitions = new TransitionLog({ source, points, state: state.transitions });
    this.#standstill = new StandstillLog({
      ...{ source, points, nowMs, monotonicMs, nextNs, livesWithLog, state: state.standstill },
    });
    this.#descriptions = new DescriptionLog({
      ...{ source, points, mode: this.#config.mode, state: state.description, monotonicMs, nextNs, rewrites },
      onTold: (told, description) => {
        this.#heartbeats.tell(told, description);
        this.#transitions.tell(told);
      },
    });
    this.#run = new RunLog({
      ...{ source, points, clock: options.clock },
      describe: (description) => this.#descriptions.describe(description, nextNs()),
    });
    const onEstimate = (estimate: ProgressEstimate): void => this.#tellProgress(estimate);
    this.#progress = new ProgressWatch({
      ...{ steadyMs: createSteadyTime(options.clock), onEstimate, state: state.progress },
    });
    this.#formatters = {
      stdout: createLogLineFormatter(options.source, 'stdout'),
      stderr: createLogLineFormatter(options.source, 'stderr'),
    };
    this.#writer = new LogPointWriter({ source, clock: options.clock, points, formatters: this.#formatters });
    this.#judge = new LineJudge({
      ...{ kinds: this.#kinds, nextNs, getMode: () => this.mode },
      findRefusal: (order) => this.#findRefusal(order),
    });
    this.#life = new JobLife(nowMs, state.life);
    this.#spans = new SpanLog({
      ...{ source, points, rewrites, monotonicMs, nextNs, state: state.spans },
      onFull: (message) => this.addNotice('stdout', message),
    });
    this.#tables = new MetadataTables({
      ...{ source, monotonicMs, points, rewrites, maxTables: options.maxTables ?? DEFAULT_MAX_TABLES },
      onFull: (message) => this.addNotice('stdout', message),
      onNonfinite: (metric, timeNs) => this.#signals.addNonfinite(metric, timeNs),
      tables: state.tables ?? [],
    });
    this.#signals = new JobSignals({
      ...{ source, monotonicMs, rewrites, state: state.signals },
      addEvent: (event, timeNs) => void this.#descriptions.addEvent(event, timeNs),
      describe: (description, timeNs = options.clock.nextNs()) => this.#descriptions.describe(description, timeNs),
      onFault: (message) => this.addNotice('stdout', message),
    });
    this.#signals.setOwn(this.#config, options.state === undefined);
  }

  get mode(): LogMode {
    return this.#config.mode;
  }

  get #reproduce(): ReproduceLevel {
    return this.#config.reproduce ?? 'off';
  }

  /** Whether `writeDue` may have something to write. */
  get isDirty(): boolean {
    const parts = [
      this.#tables,
      this.#heartbeats,
      this.#standstill,
      this.#descriptions,
      this.#signals,
      this.#spans,
      this.#progress,
      ...this.#streams,
    ];
    return parts.some(({ isDirty }) => isDirty);
  }

  /** `change`: only the tables that changed since the last call. */
  takeState(kind: 'whole' | 'change'): JobLogState {
    const [description, heartbeat] = [this.#descriptions.state, this.#heartbeats.state];
    const progress = this.#progress.state;
    const isLogged = LINE_RULES[this.mode].output.isLogged;
    const kinds = this.#kinds.takeState(isLogged ? 'all' : 'counts');
    const tables = this.#tables.takeState(kind);
    const signals = this.#signals.takeState(kind);
    const spans = this.#spans.takeState(kind);
    return {
      config: this.#config,
      description,
      heartbeat,
      standstill: this.#standstill.state,
      transitions: this.#transitions.state,
      tables,
      signals,
      life: this.#life.state,
      ...(spans && { spans }),
      ...(kinds && { kinds }),
      ...(progress && { progress }),
    };
  }

  openStream(stream: Stream, state?: StreamLogState, mode = this.mode): StreamLog {
    return this.#openStream({ stream, mode, state }, (row, rowMode) => this.#judge.judge(stream, row, rowMode));
  }

  /** Opens one stream that carries both of the job's streams, kept as stdout. */
  openMixedStream(state?: StreamLogState, mode = this.mode): StreamLog {
    return this.#openStream({ stream: 'stdout', mode, state }, (row, rowMode) => this.#judge.judgeMixed(row, rowMode));
  }

  #openStream(
    { stream, mode, state }: OpenedStream,
    judge: (row: RenderedRow, mode: LogMode) => LineMeaning
  ): StreamLog {
    const { clock, points } = this.#options;
    const lines = new LineWriter({
      ...{ stream, clock, points },
      formatter: this.#formatters[stream],
      tables: this.#tables,
      kinds: this.#kinds,
    });
    const context = {
      lines,
      faults: this.#options.faults,
      rewrites: this.#rewrites,
      progress: this.#progress,
      monotonicMs: () => clock.monotonicMs(),
      nextNs: () => clock.nextNs(),
      judge: (row: RenderedRow) => judge(row, log.mode),
      explainPieces: () => this.#judge.explainPieces(stream, log.mode),
      addMetadata: (line: MetadataLine, timeNs: bigint) => this.#tables.addRow(line, timeNs),
      write: (line: StoredLine) => this.#writer.write(line),
    };
    const log: StreamLog = new StreamLog({ stream, mode, context, signals: this.#signals, state });
    this.#streams.add(log);
    return log;
  }

  closeStream(log: StreamLog): void {
    log.end();
    this.#streams.delete(log);
  }

  /** Notices are logged in every mode. */
  addNotice(stream: Stream, text: string, timeNs = this.#options.clock.nextNs()): void {
    this.#writer.write({ stream, line: `(joblens: ${text})`, kind: 'notice', timeNs, firstPart: 0 });
  }

  /** Parts that the mode withholds are written once a later mode allows them. */
  describe(description: Omit<JobDescription, keyof Progress>, timeNs = this.#options.clock.nextNs()): void {
    this.#standstill.noteState(description);
    this.#descriptions.describe(description, timeNs);
    this.#signals.noteState(description, timeNs);
    if (description.startedMs !== undefined) {
      this.#progress.noteStart(description.startedMs);
      this.#life.noteStart(description.startedMs);
    }
    if (description.config !== undefined) this.#progress.noteConfig(description.config);
  }

  /** Describes the end of the job, and why it ended, as far as its output and `facts` tell. */
  describeEnd(description: JobDescription, facts: EndFacts, timeNs = this.#options.clock.nextNs()): void {
    this.#standstill.noteState(description);
    this.#signals.noteState(description, timeNs);
    const { state, exitCode } = description;
    const reason = this.#signals.explain({ ...facts, state, exitCode }, timeNs);
    this.#descriptions.describe({ ...description, ...(reason !== undefined && { reason }) }, timeNs);
  }

  #tellProgress({ progress, remainingS = UNKNOWN_REMAINING_S }: ProgressEstimate): void {
    this.#standstill.noteProgress(progress);
    this.#descriptions.tellProgress({ progress, remainingS }, this.mode);
  }

  /** Tells a change of the job's state, once it is described. The same change at the same time is one point. */
  changeState(change: StateChange, timeNs = this.#options.clock.nextNs()): void {
    const { origin, fromState, toState, data } = change;
    const event = { topic: STATE_TOPIC, origin, ...(fromState !== undefined && { fromState }), toState, data };
    const told = this.#descriptions.addEvent(event, timeNs);
    this.#transitions.write(change, told, timeNs);
  }

  /** Tells what the run was, as far as level and mode allow. */
  tellRun(run: TakenRun): void {
    this.#run.tell(run, this.mode, this.#reproduce);
  }

  /** Adds a row of a table as if the job had printed it, where the mode allows metadata; not to the log. */
  addRow(row: JsonValue, timeNs = this.#options.clock.nextNs()): void {
    if (!LINE_RULES[this.mode].metadata.isMined) return;
    const line = this.#addedRows.read(JSON.stringify(row), this.#config);
    if (line !== undefined) this.#tables.addRow(line, timeNs);
  }

  /** Obeys the commands since the last call: from here on their options hold for all streams. */
  obey(): void {
    const orders = this.#judge.takeOrders();
    if (orders === undefined) return;
    const { options, told } = orders;
    if (Object.keys(options).length > 0 || told.length === 0) {
      this.set(options);
      this.#options.onObeyed(options);
    }
    // Other processes of the job do not write them again.
    for (const { facts, timeNs } of told) contain(this.#options.faults, () => this.#writeFacts(facts, timeNs));
  }

  #findRefusal({ options: { reproduce = 'off' }, facts }: CommandOrder): string | undefined {
    if (keepsMore(reproduce, this.#reproduce)) return `reproduce is ${this.#reproduce}, and can only be lowered`;
    return (
      this.#descriptions.findRefusal(facts) ?? this.#life.findRefusal(facts) ?? this.#spans.findRefusal(facts.span)
    );
  }

  #writeFacts({ event, span, ...description }: CommandFacts, timeNs: bigint): void {
    if (event !== undefined) this.#descriptions.addLoggedEvent(event, this.#life.findEventNs(event, timeNs));
    if (span !== undefined) this.#spans.add(span);
    if (Object.keys(description).length > 0) this.describe(description, timeNs);
  }

  /** Sets options for all streams from here on. */
  set(options: Partial<LogConfig>): void {
    // Output printed before the command is stored by the options in force then.
    // Whatever fails here, a command that forbids output is obeyed.
    const { faults } = this.#options;
    contain(faults, () => this.#options.updateStreams());
    contain(faults, () => this.writeDue(true));
    const before = this.mode;
    const { reproduce = this.#reproduce } = options;
    const level = keepsMore(reproduce, this.#reproduce) ? this.#reproduce : reproduce;
    this.#config = { ...this.#config, ...options, ...(options.reproduce && { reproduce: level }) };
    contain(faults, () => this.#kinds.set(this.#config));
    // Headings of a mode that does not log them would be kept under one that does.
    if (!LINE_RULES[before].output.isLogged && this.mode !== before) contain(faults, () => this.#kinds.forgetPrinted());
    // They may cost what the kinds of metadata leave.
    if (options.signals ?? options.metadata) contain(faults, () => this.#signals.setOwn(this.#config, true));
    if (this.mode === before) return;
    contain(faults, () => this.#descriptions.allow(this.mode));
    contain(faults, () => this.#run.allow(this.mode, this.#reproduce));
    this.#options.changeMode(this.mode);
  }

  /** How long until the job's next heartbeat is due. */
  get heartbeatDelayMs(): number {
    return this.#heartbeats.delayMs;
  }

  /** Call it when the job has printed something, or its log was opened. */
  noteSign(): void {
    this.#heartbeats.noteSign();
    this.#standstill.noteOutput();
  }

  /** Call it when somebody begins to log the job's output (HeartbeatLog). */
  noteWriter(writer: JobWriter): void {
    this.#heartbeats.noteWriter(writer);
  }

  /** Call it when a file of the job is left to another (HeartbeatLog). */
  leaveFile(file: string): void {
    this.#heartbeats.leaveFile(file);
  }

  /** Call it when nothing more comes of the job. */
  noteEnd(): void {
    this.#isEnded = true;
    this.#standstill.noteEnd();
  }

  /** Writes the changes that are due, or all of them if `isEnd`. */
  writeDue(isEnd = false): void {
    const { faults } = this.#options;
    // What goes on after a restart, or after a command, is not final.
    const isFinal = isEnd && (this.#isEnded || this.#rewrites() === true);
    for (const stream of this.#streams) contain(faults, () => stream.writeDue(isFinal));
    contain(faults, () => this.#progress.writeDue(isEnd));
    contain(faults, () => this.#descriptions.writeDue(isEnd));
    contain(faults, () => this.#heartbeats.writeDue());
    contain(faults, () => this.#standstill.writeDue(DESCRIPTION_RULES[this.mode].isTold('progress')));
    contain(faults, () => this.#tables.writeDue(isEnd));
    contain(faults, () => this.#spans.writeDue(isEnd && this.#isEnded));
    contain(faults, () => this.#signals.writeDue(isFinal));
  }
}
