import type {
  JobDescription,
  JobEvent,
  JobSource,
  LogLineFormatter,
  MetadataLine,
  MetadataReader,
  Point,
  Result,
  Stream,
} from '@joblens/core';
import { createLogLineFormatter, createLogPoints, createMetadataReader } from '@joblens/core';
import type { Clock } from '../clock/clock.js';
import type { RenderedRow } from '../render/rendered-row.js';
import { findPrintedOverBar } from './bar-rows.js';
import type { DescriptionLogState } from './description-log.js';
import { DescriptionLog } from './description-log.js';
import { LineWriter } from './line-writer.js';
import { parseLogCommand } from './log-command.js';
import type { LogConfig } from './log-config.js';
import type { LogMode } from './log-modes.js';
import { LINE_RULES } from './log-modes.js';
import type { TableState } from './metadata-tables.js';
import { MetadataTables } from './metadata-tables.js';
import type { PointWriter } from './point-writer.js';
import { PrintedTables } from './printed-tables.js';
import type { LineMeaning, StoredLine } from './stream-context.js';
import { StreamLog } from './stream-log.js';
import type { StreamLogState } from './stream-log-state.js';

export interface JobLogOptions {
  readonly source: JobSource;
  /** The configuration that the job starts with. */
  readonly config: LogConfig;
  readonly clock: Clock;
  readonly points: PointWriter;
  /** Asks all streams for changed rows that they have not given yet. */
  readonly updateStreams: () => void;
  /** Called with the options that a command in this job's output has set. */
  readonly onObeyed: (options: Partial<LogConfig>) => void;
  /** Tells all streams that the mode has changed. */
  readonly changeMode: (mode: LogMode) => void;
  readonly state?: JobLogState;
}

/** The state with which a JobLog continues after a restart, except for its streams. */
export interface JobLogState {
  readonly config: LogConfig;
  readonly description: DescriptionLogState;
  readonly tables: readonly TableState[];
}

/** The beginning of a stream. */
interface OpenedStream {
  readonly stream: Stream;
  readonly mode: LogMode;
  readonly state?: StreamLogState | undefined;
}

/** A text of at most this many UTF-16 units takes one point, whatever its characters. */
const MAX_SHORT_UNITS = 16_384;

/**
 * The logging rules of one job (docs/logging-rules.md): turns its rendered rows into points. The job has one
 * configuration, and a command on either stream changes it for both.
 */
export class JobLog {
  readonly #options: JobLogOptions;
  readonly #descriptions: DescriptionLog;
  readonly #tables: MetadataTables;
  readonly #reader: MetadataReader;
  readonly #formatters: Readonly<Record<Stream, LogLineFormatter>>;
  readonly #printedTables = new PrintedTables();
  readonly #streams = new Set<StreamLog>();
  #config: LogConfig;
  /** Options that commands have set and that are not in force yet. */
  #asked: Partial<LogConfig> | undefined;

  constructor(options: JobLogOptions) {
    this.#options = options;
    this.#config = options.state?.config ?? options.config;
    this.#descriptions = new DescriptionLog({
      source: options.source,
      points: options.points,
      nextNs: () => options.clock.nextNs(),
      mode: this.#config.mode,
      state: options.state?.description,
    });
    this.#reader = createMetadataReader(options.source, (table) => this.#printedTables.add(table));
    this.#formatters = {
      stdout: createLogLineFormatter(options.source, 'stdout'),
      stderr: createLogLineFormatter(options.source, 'stderr'),
    };
    this.#tables = new MetadataTables({
      source: options.source,
      nowMs: () => options.clock.nowMs(),
      points: options.points,
      onFull: (message) => this.addNotice('stdout', message),
      tables: options.state?.tables ?? [],
    });
  }

  get mode(): LogMode {
    return this.#config.mode;
  }

  /** Whether `writeDue` may have something to write. */
  get isDirty(): boolean {
    return this.#tables.isDirty || [...this.#streams].some((stream) => stream.isDirty);
  }

  /** `change`: only the tables that changed since the last call. */
  takeState(kind: 'whole' | 'change'): JobLogState {
    return { config: this.#config, description: this.#descriptions.state, tables: this.#tables.takeState(kind) };
  }

  openStream(stream: Stream, state?: StreamLogState, mode = this.mode): StreamLog {
    return this.#openStream({ stream, mode, state }, (row, rowMode) => this.#judge(stream, row, rowMode));
  }

  /** Opens one stream that carries both of the job's streams, kept as stdout. */
  openMixedStream(): StreamLog {
    return this.#openStream({ stream: 'stdout', mode: this.mode }, (row, mode) => this.#judgeMixed(row, mode));
  }

  #openStream(
    { stream, mode, state }: OpenedStream,
    judge: (row: RenderedRow, mode: LogMode) => LineMeaning
  ): StreamLog {
    const { clock, points } = this.#options;
    const nonfinite = (): LogConfig['nonfinite'] => this.#config.nonfinite;
    const lines = new LineWriter({
      ...{ stream, clock, points, nonfinite },
      formatter: this.#formatters[stream],
      tables: this.#tables,
      reader: this.#reader,
      printedTables: this.#printedTables,
    });
    const context = {
      lines,
      nowMs: () => clock.nowMs(),
      nextNs: () => clock.nextNs(),
      judge: (row: RenderedRow) => judge(row, log.mode),
      addMetadata: (line: MetadataLine, timeNs: bigint) => this.#tables.addRow(line, timeNs),
      write: (line: StoredLine) => this.#writeLine(line),
    };
    const log: StreamLog = new StreamLog({ stream, mode, context, state });
    this.#streams.add(log);
    return log;
  }

  closeStream(log: StreamLog): void {
    log.end();
    this.#streams.delete(log);
  }

  /** Notices are logged in every mode. */
  addNotice(stream: Stream, text: string, timeNs = this.#options.clock.nextNs()): void {
    this.#writeLine({ stream, line: `(joblens: ${text})`, kind: 'notice', timeNs, firstPart: 0 });
  }

  /** Parts that the mode withholds are written once a later mode allows them. */
  describe(description: JobDescription, timeNs = this.#options.clock.nextNs()): void {
    this.#descriptions.describe(description, timeNs);
  }

  addEvent(event: JobEvent, timeNs = this.#options.clock.nextNs()): void {
    this.#descriptions.addEvent(event, timeNs);
  }

  /** Obeys the commands since the last call: from here on their options hold for all streams. */
  obey(): void {
    const asked = this.#asked;
    if (asked === undefined) return;
    this.#asked = undefined;
    this.set(asked);
    this.#options.onObeyed(asked);
  }

  /** Sets options for all streams from here on. */
  set(options: Partial<LogConfig>): void {
    // Output printed before the command is stored by the options in force then.
    this.#options.updateStreams();
    this.writeDue(true);
    const before = this.mode;
    this.#config = { ...this.#config, ...options };
    if (this.mode === before) return;
    this.#descriptions.allow(this.mode);
    this.#options.changeMode(this.mode);
  }

  /** Writes the changes that are due, or all of them if `isEnd`. */
  writeDue(isEnd = false): void {
    for (const stream of this.#streams) stream.writeDue(isEnd);
    this.#tables.writeDue(isEnd);
  }

  #judge(stream: Stream, row: RenderedRow, mode: LogMode): LineMeaning {
    return this.#judgeRow(stream, row, mode) ?? createOutput(mode);
  }

  /**
   * Looks for a line that was printed over or behind a bar: it would be a line of its own if the bar had its own
   * stream.
   */
  #judgeMixed(row: RenderedRow, mode: LogMode): LineMeaning {
    const meaning = this.#judgeRow('stdout', row, mode);
    if (meaning !== undefined || row.redrawn === undefined) return meaning ?? createOutput(mode);
    for (const line of findPrintedOverBar(row.redrawn)) {
      const found = this.#judgeLine('stdout', line, mode);
      // The bar may be older than the command, and not be for the log.
      if (found !== undefined) return found.kind === 'command' ? { ...found, text: line } : found;
    }
    return createOutput(mode);
  }

  /**
   * Undefined for an ordinary line. Commands and metadata take whole lines, so a line with a space at its end is
   * neither.
   */
  #judgeRow(stream: Stream, { text, hasTrailingSpace }: RenderedRow, mode: LogMode): LineMeaning | undefined {
    return this.#judgeLine(stream, hasTrailingSpace ? `${text} ` : text, mode);
  }

  #judgeLine(stream: Stream, line: string, mode: LogMode): LineMeaning | undefined {
    const command = parseLogCommand(line);
    if (command.kind === 'command') return this.#note(command.options, mode);
    if (command.kind === 'malformed') {
      return { ...createOutput(mode), notices: [`(joblens: the line above is not a command: ${command.message})`] };
    }
    const { isLogged, isMined } = LINE_RULES[mode].metadata;
    if (stream !== 'stdout' || !isMined) return undefined;
    const metadata = this.#reader.read(line, this.#config);
    return metadata && { kind: 'output', isLogged, metadata, notices: [] };
  }

  #note(options: Result<Partial<LogConfig>, string>, mode: LogMode): LineMeaning {
    if (!options.ok) {
      const notice = `(joblens: the command above was not obeyed: ${options.error})`;
      return { kind: 'command', isLogged: LINE_RULES[mode].refusedCommand.isLogged, notices: [notice] };
    }
    this.#asked = { ...this.#asked, ...options.value };
    return { kind: 'command', isLogged: LINE_RULES[this.#asked.mode ?? this.mode].command.isLogged, notices: [] };
  }

  #writeLine({ firstPart, ...row }: StoredLine): number {
    const { source, clock, points } = this.#options;
    if (firstPart === 0 && row.line.length <= MAX_SHORT_UNITS && (row.ansi?.length ?? 0) <= MAX_SHORT_UNITS) {
      const { stream, line, ansi, kind, timeNs } = row;
      const formatter = this.#formatters[stream];
      const time = String(timeNs);
      points.addText(
        ansi === undefined ? formatter.format(line, kind, time) : formatter.formatAnsi(line, ansi, kind, time),
        1
      );
      clock.reserve(timeNs + 1n);
      return 1;
    }
    const parts = createLogPoints(source, row);
    clock.reserve(row.timeNs + BigInt(parts.length));
    parts.forEach((point, i) => points.addPoint(firstPart === 0 ? point : withPart(point, firstPart + i)));
    return parts.length;
  }
}

/** A point of a later piece of a long line. */
function withPart(point: Point, part: number): Point {
  return { ...point, fields: new Map([...point.fields, ['part', part]]) };
}

function createOutput(mode: LogMode): LineMeaning {
  return { kind: 'output', isLogged: LINE_RULES[mode].output.isLogged, notices: [] };
}
