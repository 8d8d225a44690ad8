import type { Stream } from '@joblens/core';
import { openLineKernel } from '../kernels/line-kernel.js';
import { LoadedLines } from '../kernels/loaded-lines.js';
import type { PlainLines, RenderedRow, RowSink } from '../render/rendered-row.js';
import { FastLines } from './fast-lines.js';
import type { LogMode } from './log-modes.js';
import { LINE_RULES } from './log-modes.js';
import { RowLog } from './row-log.js';
import type { StreamContext } from './stream-context.js';
import type { StreamLogState } from './stream-log-state.js';

/** The log of one stream: writes many complete lines at once as far as possible, and all others row by row. */
export class StreamLog implements RowSink {
  /** The mode under which the output given from here on was printed. */
  mode: LogMode;
  readonly #context: StreamContext;
  readonly #rows: RowLog;

  constructor(options: {
    readonly stream: Stream;
    readonly mode: LogMode;
    readonly context: Omit<StreamContext, 'mode'>;
    readonly state?: StreamLogState | undefined;
  }) {
    this.mode = options.mode;
    this.#context = { ...options.context, mode: () => this.mode };
    this.#rows = new RowLog(options.stream, this.#context, options.state);
  }

  get isDirty(): boolean {
    return this.#rows.isDirty;
  }

  /** The state with which another StreamLog continues; `change`: only the changes since the last call. */
  takeState(kind: 'whole' | 'change'): StreamLogState {
    return this.#rows.takeState(kind);
  }

  /** Takes new versions of rows, oldest first. Rows with an id below `firstRewritableId` are final. */
  update(rows: readonly RenderedRow[], firstRewritableId: number): void {
    this.#rows.update(rows, firstRewritableId);
  }

  /** Takes complete lines, some of which may come again as rows. All rows before them are final. */
  addLines(plain: PlainLines): void {
    const { firstRewritableId } = plain;
    const lines = new FastLines({
      writer: this.#context.lines,
      plain,
      lines: new LoadedLines(plain.bytes, openLineKernel()),
      rules: LINE_RULES[this.mode],
    });
    this.#rows.update([], plain.firstId);
    while (!lines.isAtEnd) {
      const run = this.#rows.isSteady ? lines.takeRun(this.#rows.newest) : undefined;
      if (run !== undefined) {
        this.#rows.addRun(run, firstRewritableId);
        continue;
      }
      const row = lines.takeRow();
      this.#rows.update([row], Math.min(row.id + 1, firstRewritableId));
    }
    this.#rows.update([], firstRewritableId);
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
