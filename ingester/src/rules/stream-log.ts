import type { Stream } from '@joblens/core';
import { openLineKernel } from '../kernels/line-kernel.js';
import { LoadedLines } from '../kernels/loaded-lines.js';
import type { PlainLines, RenderedRow, RowSink } from '../render/rendered-row.js';
import { FastLines } from './fast-lines.js';
import type { JobSignals } from './job-signals.js';
import type { LogMode } from './log-modes.js';
import { LINE_RULES } from './log-modes.js';
import { RowLog } from './row-log.js';
import type { StreamContext } from './stream-context.js';
import type { StreamLogState } from './stream-log-state.js';
import { StreamSignals } from './stream-signals.js';

/** The log of one stream: writes many complete lines at once as far as possible, and all others row by row. */
export class StreamLog implements RowSink {
  /** The mode under which the output given from here on was printed. */
  mode: LogMode;
  readonly #context: StreamContext;
  readonly #rows: RowLog;
  readonly #signals: StreamSignals;

  constructor(options: {
    readonly stream: Stream;
    readonly mode: LogMode;
    readonly context: Omit<StreamContext, 'mode' | 'noteRow'>;
    readonly signals: JobSignals;
    readonly state?: StreamLogState | undefined;
  }) {
    this.mode = options.mode;
    this.#signals = new StreamSignals(options.signals, options.stream, options.state?.traceback);
    this.#context = { ...options.context, mode: () => this.mode, noteRow: (row) => this.#signals.noteRow(row) };
    this.#rows = new RowLog(options.stream, this.#context, options.state);
  }

  get isDirty(): boolean {
    return this.#rows.isDirty;
  }

  /** The state with which another StreamLog continues; `change`: only the changes since the last call. */
  takeState(kind: 'whole' | 'change'): StreamLogState {
    const traceback = this.#signals.state;
    return { ...this.#rows.takeState(kind), ...(traceback !== undefined && { traceback }) };
  }

  /** Takes new versions of rows, oldest first. Rows with an id below `firstRewritableId` are final. */
  update(rows: readonly RenderedRow[], firstRewritableId: number): void {
    this.#signals.look(rows);
    this.#rows.update(rows, firstRewritableId);
    const { output, metadata } = LINE_RULES[this.mode];
    if (metadata.isMined) this.#context.progress.noteRows(rows, output.isLogged);
  }

  /** Takes complete lines, some of which may come again as rows. All rows before them are final. */
  addLines(plain: PlainLines): void {
    const { firstRewritableId } = plain;
    const rules = LINE_RULES[this.mode];
    const loaded = new LoadedLines(plain.bytes, openLineKernel());
    const lines = new FastLines({
      writer: this.#context.lines,
      plain,
      lines: loaded,
      rules,
    });
    this.#rows.update([], plain.firstId);
    while (!lines.isAtEnd) {
      const start = lines.at;
      const run = this.#rows.isSteady ? lines.takeRun(this.#rows.newest) : undefined;
      if (run !== undefined) {
        this.#rows.addRun(run, firstRewritableId);
        this.#signals.noteRun(loaded, { start, end: lines.at }, run, this.#rows.newest?.timeNs ?? 0n);
        continue;
      }
      const row = lines.takeRow();
      this.#signals.lookAtLine(loaded, { start, end: lines.at }, row);
      this.#rows.update([row], Math.min(row.id + 1, firstRewritableId));
    }
    this.#rows.update([], firstRewritableId);
    if (rules.metadata.isMined) this.#context.progress.noteLines(plain.bytes, rules.output.isLogged);
  }

  /** Writes the changed rows that are due, or all changed rows if `isEnd`. */
  writeDue(isEnd: boolean): void {
    this.#rows.writeDue(isEnd);
  }

  /** Ends the stream. Its last row must have been given as ended. */
  end(): void {
    this.#rows.writeDue(true);
  }
}
