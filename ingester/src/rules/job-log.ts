import type {
  JobDescription,
  JobEvent,
  JobSource,
  LogLineFormatter,
  MetadataLine,
  MetadataReader,
  Point,
  Stream,
} from '@joblens/core';
import {
  createEventPoint,
  createJobPoint,
  createLogLineFormatter,
  createLogPoints,
  createMetadataReader,
} from '@joblens/core';
import type { Clock } from '../clock/clock.js';
import type { RenderedRow } from '../render/console-renderer.js';
import { LineWriter } from './line-writer.js';
import { parseLogCommand } from './log-command.js';
import type { LogConfig } from './log-config.js';
import { parseLogOptions } from './log-config.js';
import type { TableState } from './metadata-tables.js';
import { MetadataTables } from './metadata-tables.js';
import type { PointWriter } from './point-writer.js';
import { PrintedTables } from './printed-tables.js';
import type { LineMeaning, StoredLine, StreamContext } from './stream-context.js';
import { StreamLog } from './stream-log.js';
import type { StreamLogState } from './stream-log-state.js';

export interface JobLogOptions {
  readonly source: JobSource;
  /** The configuration that the job starts with. */
  readonly config: LogConfig;
  readonly clock: Clock;
  readonly points: PointWriter;
  /** Asks all streams for the rows that changed and were not given yet. */
  readonly updateStreams: () => void;
  readonly state?: JobLogState;
}

/** What a JobLog needs to go on after a restart, beside its streams. */
export interface JobLogState {
  readonly config: LogConfig;
  readonly tables: readonly TableState[];
}

/** A text of so many UTF-16 units takes one point, whatever it is. */
const MAX_SHORT_UNITS = 16_384;

const OUTPUT: LineMeaning = { kind: 'output', notices: [] };

/**
 * The logging rules of one job (README, "Logging rules"): turns its rendered rows into points. The configuration is the job's;
 * a command on either stream changes it for both.
 */
export class JobLog {
  readonly #options: JobLogOptions;
  readonly #tables: MetadataTables;
  readonly #reader: MetadataReader;
  readonly #formatters: Readonly<Record<Stream, LogLineFormatter>>;
  readonly #printedTables = new PrintedTables();
  readonly #streams = new Set<StreamLog>();
  #config: LogConfig;

  constructor(options: JobLogOptions) {
    this.#options = options;
    this.#config = options.state?.config ?? options.config;
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

  /** Whether `writeDue` may have something to write. */
  get isDirty(): boolean {
    return this.#tables.isDirty || [...this.#streams].some((stream) => stream.isDirty);
  }

  /** `change`: the tables that changed since this was last called. */
  takeState(kind: 'whole' | 'change'): JobLogState {
    return { config: this.#config, tables: this.#tables.takeState(kind) };
  }

  openStream(stream: Stream, state?: StreamLogState): StreamLog {
    const { clock, points } = this.#options;
    const nonfinite = (): LogConfig['nonfinite'] => this.#config.nonfinite;
    const lines = new LineWriter({
      ...{ stream, clock, points, nonfinite },
      formatter: this.#formatters[stream],
      tables: this.#tables,
      reader: this.#reader,
      printedTables: this.#printedTables,
    });
    const context: StreamContext = {
      lines,
      mode: () => this.#config.mode,
      nowMs: () => clock.nowMs(),
      nextNs: () => clock.nextNs(),
      judge: (of, row) => this.#judge(of, row),
      addMetadata: (line, timeNs) => this.#tables.addRow(line, timeNs),
      write: (line) => this.#writeLine(line),
    };
    const log = new StreamLog(stream, context, state);
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

  describe(description: JobDescription, timeNs = this.#options.clock.nextNs()): void {
    const { source, points } = this.#options;
    points.addPoint(createJobPoint(source, description, timeNs));
  }

  addEvent(event: JobEvent, timeNs = this.#options.clock.nextNs()): void {
    const { source, points } = this.#options;
    points.addPoint(createEventPoint(source, event, timeNs));
  }

  /** Writes what has changed since it was last written and is due; with `isEnd` everything. */
  writeDue(isEnd = false): void {
    for (const stream of this.#streams) stream.writeDue(isEnd);
    this.#tables.writeDue(isEnd);
  }

  #judge(stream: Stream, { text, hasTrailingSpace }: RenderedRow): LineMeaning {
    // Commands and metadata are whole lines, so a space at the end speaks against both.
    const line = hasTrailingSpace ? `${text} ` : text;
    const command = parseLogCommand(line);
    if (command.kind === 'command') return this.#obey(command.options);
    if (command.kind === 'malformed') {
      return { ...OUTPUT, notices: [`(joblens: the line above is no command: ${command.message})`] };
    }
    const metadata = this.#readMetadata(stream, line);
    return metadata === undefined ? OUTPUT : { ...OUTPUT, metadata };
  }

  #readMetadata(stream: Stream, line: string): MetadataLine | undefined {
    if (stream !== 'stdout' || this.#config.mode === 'disabled') return undefined;
    return this.#reader.read(line, this.#config);
  }

  #obey(value: object): LineMeaning {
    const options = parseLogOptions(value);
    if (!options.ok) {
      const notice = `(joblens: the command above was not obeyed: ${options.error.message})`;
      return { kind: 'command', notices: [notice] };
    }
    // What was printed before the command is stored as it was to be then.
    this.#options.updateStreams();
    this.writeDue(true);
    this.#config = { ...this.#config, ...options.value };
    return { kind: 'command', notices: [] };
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
