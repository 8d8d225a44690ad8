import type { MetadataLine } from '@joblens/core/metadata/metadata-reader';
import { type JobDescription, type JsonValue, STATE_TOPIC } from '@joblens/core/schema/job-point';
import type { FileClaim } from '@joblens/core/schema/file-claim';
import type { JobWriter } from '@joblens/core/schema/job-writer';
import type { JobSource, Stream } from '@joblens/core/schema/measurements';
import type { Clock } from '../clock/clock.js';
import type { RenderedRow } from '../render/rendered-row.js';
import type { CommandFacts } from './commands/command-facts.js';
import { contain, type FaultKeeper } from './writing/fault-keeper.js';
import {
  createJobLogParts,
  type JobLogParts,
  type JobLogPartsState,
  type LateWriter,
  listLateWriters,
  takePartsState,
} from './job-log-parts.js';
import type { EndFacts } from './signals/job-signals.js';
import { LineJudge } from './lines/line-judge.js';
import { LineWriter } from './lines/line-writer.js';
import type { CommandOrder } from './commands/log-command.js';
import { DEFAULT_LOG_CONFIG, type LogConfig } from './options/log-config.js';
import { LINE_RULES, type LogMode } from './options/log-modes.js';
import type { PointWriter } from './writing/point-writer.js';
import type { Progress } from './told/progress-log.js';
import { keepsMore, type ReproduceLevel, type TakenRun } from './options/reproduce.js';
import { ALWAYS, type Rewrites } from './writing/rewrites.js';
import type { LineMeaning, StoredLine } from './lines/stream-context.js';
import type { StreamLogState } from './lines/stream-log-state.js';
import { StreamLog } from './lines/stream-log.js';
import type { StateChange } from './told/transition-log.js';

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
export interface JobLogState extends JobLogPartsState {
  readonly config: LogConfig;
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
  readonly #parts: JobLogParts;
  readonly #lateWriters: readonly LateWriter[];
  readonly #judge: LineJudge;
  readonly #streams = new Set<StreamLog>();
  readonly #rewrites: Rewrites;
  #isEnded = false;
  #config: LogConfig;

  constructor(options: JobLogOptions) {
    const { state = {}, clock, rewrites = ALWAYS } = options;
    this.#options = options;
    this.#rewrites = rewrites;
    this.#config = { ...DEFAULT_LOG_CONFIG, ...(options.state?.config ?? options.config) };
    const getMode = (): LogMode => this.mode;
    this.#parts = createJobLogParts({ ...options, rewrites, config: this.#config, getMode, state });
    this.#lateWriters = listLateWriters(this.#parts);
    this.#judge = new LineJudge({
      ...{ kinds: this.#parts.kinds, nextNs: () => clock.nextNs(), getMode },
      findRefusal: (order) => this.#findRefusal(order),
    });
    this.#parts.signals.setOwn(this.#config, options.state === undefined);
    this.#parts.shares.share(this.#config.share ?? [], this.mode);
  }

  get mode(): LogMode {
    return this.#config.mode;
  }

  get #reproduce(): ReproduceLevel {
    return this.#config.reproduce ?? 'off';
  }

  /** Whether `writeDue` may have something to write. */
  get isDirty(): boolean {
    return this.#lateWriters.some(({ isDirty }) => isDirty()) || [...this.#streams].some(({ isDirty }) => isDirty);
  }

  /** `change`: only what changed since the last call (takePartsState). */
  takeState(kind: 'whole' | 'change'): JobLogState {
    const isLogged = LINE_RULES[this.mode].output.isLogged;
    return { config: this.#config, ...takePartsState(this.#parts, kind, isLogged) };
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
      formatter: this.#parts.formatters[stream],
      tables: this.#parts.tables,
      kinds: this.#parts.kinds,
    });
    const context = {
      lines,
      faults: this.#options.faults,
      rewrites: this.#rewrites,
      progress: this.#parts.progress,
      monotonicMs: () => clock.monotonicMs(),
      nextNs: () => clock.nextNs(),
      judge: (row: RenderedRow) => {
        const meaning = judge(row, log.mode);
        if (meaning.kind === 'command') log.noteAsked(this.#judge.askedMode ?? log.mode);
        return meaning;
      },
      explainPieces: () => this.#judge.explainPieces(stream, log.mode),
      addMetadata: (line: MetadataLine, timeNs: bigint) => this.#parts.tables.addRow(line, timeNs),
      write: (line: StoredLine) => this.#parts.writer.write(line),
    };
    const log: StreamLog = new StreamLog({ stream, mode, context, signals: this.#parts.signals, state });
    this.#streams.add(log);
    return log;
  }

  closeStream(log: StreamLog): void {
    log.end();
    this.#streams.delete(log);
  }

  /** Notices are logged in every mode. */
  addNotice(stream: Stream, text: string, timeNs = this.#options.clock.nextNs()): void {
    this.#parts.addNotice(stream, text, timeNs);
  }

  /** Parts that the mode withholds are written once a later mode allows them. */
  describe(description: Omit<JobDescription, keyof Progress>, timeNs = this.#options.clock.nextNs()): void {
    this.#parts.standstill.noteState(description);
    this.#parts.descriptions.describe(description, timeNs);
    this.#parts.signals.noteState(description, timeNs);
    if (description.startedMs !== undefined) {
      this.#parts.progress.noteStart(description.startedMs);
      this.#parts.life.noteStart(description.startedMs);
    }
    if (description.config !== undefined) this.#parts.progress.noteConfig(description.config);
  }

  /** Describes the end of the job, and why it ended, as far as its output and `facts` tell. */
  describeEnd(description: JobDescription, facts: EndFacts, timeNs = this.#options.clock.nextNs()): void {
    this.#parts.standstill.noteState(description);
    this.#parts.signals.noteState(description, timeNs);
    const { state, exitCode } = description;
    const reason = this.#parts.signals.explain({ ...facts, state, exitCode }, timeNs);
    this.#parts.descriptions.describe({ ...description, ...(reason !== undefined && { reason }) }, timeNs);
  }

  /** Tells a change of the job's state, once it is described. The same change at the same time is one point. */
  changeState(change: StateChange, timeNs = this.#options.clock.nextNs()): void {
    const { origin, fromState, toState, data } = change;
    const event = { topic: STATE_TOPIC, origin, ...(fromState !== undefined && { fromState }), toState, data };
    const told = this.#parts.descriptions.addEvent(event, timeNs);
    this.#parts.transitions.write(change, told, timeNs);
  }

  /** Tells what the run was, as far as level and mode allow. */
  tellRun(run: TakenRun): void {
    this.#parts.run.tell(run, this.mode, this.#reproduce);
  }

  /** Adds a row of a table as if the job had printed it, where the mode allows metadata; not to the log. */
  addRow(row: JsonValue, timeNs = this.#options.clock.nextNs()): void {
    if (!LINE_RULES[this.mode].metadata.isMined) return;
    const line = this.#parts.addedRows.read(JSON.stringify(row), this.#config);
    if (line !== undefined) this.#parts.tables.addRow(line, timeNs);
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
      this.#parts.descriptions.findRefusal(facts) ??
      this.#parts.life.findRefusal(facts) ??
      this.#parts.spans.findRefusal(facts.span) ??
      this.#parts.shares.findRefusal(facts.share)
    );
  }

  #writeFacts({ event, span, share, ...description }: CommandFacts, timeNs: bigint): void {
    if (event !== undefined)
      this.#parts.descriptions.addLoggedEvent(event, this.#parts.life.findEventNs(event, timeNs));
    if (span !== undefined) this.#parts.spans.add(span);
    if (share !== undefined) this.#parts.shares.share(share, this.mode);
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
    contain(faults, () => this.#parts.kinds.set(this.#config));
    // Headings of a mode that does not log them would be kept under one that does.
    if (!LINE_RULES[before].output.isLogged && this.mode !== before)
      contain(faults, () => this.#parts.kinds.forgetPrinted());
    // They may cost what the kinds of metadata leave.
    if (options.signals ?? options.metadata) contain(faults, () => this.#parts.signals.setOwn(this.#config, true));
    if (this.mode === before) return;
    contain(faults, () => this.#parts.descriptions.allow(this.mode));
    contain(faults, () => this.#parts.run.allow(this.mode, this.#reproduce));
    contain(faults, () => this.#parts.shares.allow(this.mode));
    this.#options.changeMode(this.mode);
  }

  /** How long until the job's next heartbeat is due. */
  get heartbeatDelayMs(): number {
    return this.#parts.heartbeats.delayMs;
  }

  /** Call it when the job has printed something, or its log was opened. */
  noteSign(): void {
    this.#parts.heartbeats.noteSign();
    this.#parts.standstill.noteOutput();
  }

  /** Call it when somebody begins to log the job's output (HeartbeatLog). */
  noteWriter(writer: JobWriter): void {
    this.#parts.heartbeats.noteWriter(writer);
  }

  /** Call it when a `watch` claims a file of the job, follows it, or leaves it (HeartbeatLog). */
  claimFile(claim: FileClaim): void {
    this.#parts.heartbeats.claimFile(claim);
  }

  /** Call it when a file of the job is left to another (HeartbeatLog). */
  leaveFile(file: string): void {
    this.#parts.heartbeats.leaveFile(file);
  }

  /** Call it when nothing more comes of the job. */
  noteEnd(): void {
    this.#isEnded = true;
    this.#parts.standstill.noteEnd();
  }

  /** Writes the changes that are due, or all of them if `isEnd`. */
  writeDue(isEnd = false): void {
    const { faults } = this.#options;
    // What goes on after a restart, or after a command, is not final.
    const isFinal = isEnd && (this.#isEnded || this.#rewrites() === true);
    for (const stream of this.#streams) contain(faults, () => stream.writeDue(isFinal));
    const due = { isEnd, isFinal, isOver: this.#isEnded, mode: this.mode };
    for (const { writeDue } of this.#lateWriters) contain(faults, () => writeDue(due));
  }
}
