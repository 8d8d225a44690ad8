import type { JobDescription, JobEvent, JobSource, Point, Stream } from '@joblens/core';
import { createEventPoint, createJobPoint, createLogPoints, parseMetadataLine } from '@joblens/core';
import type { Clock } from '../clock/clock.js';
import type { RenderedRow } from '../render/console-renderer.js';
import { parseLogCommand } from './log-command.js';
import type { LogConfig } from './log-config.js';
import { parseLogOptions } from './log-config.js';
import { MetadataTables } from './metadata-tables.js';
import type { LineMeaning, StoredLine } from './stream-log.js';
import { StreamLog } from './stream-log.js';

export interface JobLogOptions {
  readonly source: JobSource;
  /** The configuration that the job starts with. */
  readonly config: LogConfig;
  readonly clock: Clock;
  readonly emit: (points: readonly Point[]) => void;
}

const OUTPUT: LineMeaning = { kind: 'output', notices: [] };

/**
 * The logging rules of one job (README, "Logging rules"): turns its rendered rows into points. The configuration is the job's;
 * a command on either stream changes it for both.
 */
export class JobLog {
  readonly #options: JobLogOptions;
  readonly #tables: MetadataTables;
  readonly #streams = new Set<StreamLog>();
  #config: LogConfig;

  constructor(options: JobLogOptions) {
    this.#options = options;
    this.#config = options.config;
    this.#tables = new MetadataTables({
      source: options.source,
      nowMs: () => options.clock.nowMs(),
      emit: options.emit,
      onFull: (message) => this.addNotice('stdout', message),
    });
  }

  /** Whether `writeDue` may have something to write. */
  get isDirty(): boolean {
    return this.#tables.isDirty || [...this.#streams].some((stream) => stream.isDirty);
  }

  openStream(stream: Stream): StreamLog {
    const { clock } = this.#options;
    const log = new StreamLog(stream, {
      mode: () => this.#config.mode,
      nowMs: () => clock.nowMs(),
      nextNs: () => clock.nextNs(),
      judge: (of, row) => this.#judge(of, row),
      addMetadata: (row, timeNs) => this.#tables.addRow(row, timeNs),
      write: (line) => this.#writeLine(line),
    });
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

  describe(description: JobDescription): void {
    const { source, clock, emit } = this.#options;
    emit([createJobPoint(source, description, clock.nextNs())]);
  }

  addEvent(event: JobEvent): void {
    const { source, clock, emit } = this.#options;
    emit([createEventPoint(source, event, clock.nextNs())]);
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
    if (stream !== 'stdout' || this.#config.mode === 'disabled') return OUTPUT;
    const metadata = parseMetadataLine(line, this.#config);
    return metadata === undefined ? OUTPUT : { ...OUTPUT, metadata };
  }

  #obey(value: object): LineMeaning {
    const options = parseLogOptions(value);
    if (!options.ok) {
      const notice = `(joblens: the command above was not obeyed: ${options.error.message})`;
      return { kind: 'command', notices: [notice] };
    }
    // What was printed before the command is stored as it was to be then.
    this.writeDue(true);
    this.#config = { ...this.#config, ...options.value };
    return { kind: 'command', notices: [] };
  }

  #writeLine({ firstPart, ...row }: StoredLine): number {
    const { source, clock, emit } = this.#options;
    const points = createLogPoints(source, row);
    clock.reserve(row.timeNs + BigInt(points.length));
    emit(firstPart === 0 ? points : points.map((point, i) => withPart(point, firstPart + i)));
    return points.length;
  }
}

/** A point of a later piece of a long line. */
function withPart(point: Point, part: number): Point {
  return { ...point, fields: new Map([...point.fields, ['part', part]]) };
}
