import type { Stream } from '@joblens/core';
import { openLineKernel } from '../kernels/line-kernel.js';
import { LoadedLines } from '../kernels/loaded-lines.js';
import type { PlainLines, RenderedRow, RowSink } from '../render/rendered-row.js';
import type { LogMode } from './log-config.js';
import { PlainLineLog } from './plain-line-log.js';
import { RowLog } from './row-log.js';
import { isShown, trimSpaces } from './row-rules.js';
import type { StreamContext } from './stream-context.js';
import type { StreamLogState } from './stream-log-state.js';

/** The log of one stream: lines that came complete go the fast way as far as they can, all others row by row. */
export class StreamLog implements RowSink {
  /** The one under which what is given from here on was printed. */
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

  /** What a StreamLog needs to go on where this one is; `change`: what changed since this was last called. */
  takeState(kind: 'whole' | 'change'): StreamLogState {
    return this.#rows.takeState(kind);
  }

  /** Takes new versions of rows, oldest first; rows with a smaller id than `firstRewritableId` are final. */
  update(rows: readonly RenderedRow[], firstRewritableId: number): void {
    this.#rows.update(rows, firstRewritableId);
  }

  /** Takes complete lines, some of which may come again as rows; all rows before them are final. */
  addLines(plain: PlainLines): void {
    const { lines: writer, mode } = this.#context;
    const { firstRewritableId } = plain;
    this.#rows.update([], plain.firstId);
    const log = new PlainLineLog({
      ...{ writer, mode, plain },
      lines: new LoadedLines(plain.bytes, openLineKernel()),
      onLogged: (run) => this.#rows.addRun(run, firstRewritableId),
      onRepeated: (lastId, count) => this.#rows.addRepeats(lastId, count),
    });
    // The first one may still take the place of the row before.
    while (!log.isAtEnd) {
      this.#addRowOf(log, firstRewritableId);
      log.write();
    }
    this.#takeOver(log, firstRewritableId);
    this.#rows.update([], firstRewritableId);
  }

  /** Writes the rows that changed and are due; with `isEnd` all that changed. */
  writeDue(isEnd: boolean): void {
    this.#rows.writeDue(isEnd);
  }

  /** The stream has ended; its last row has been given as ended. */
  end(): void {
    this.#rows.writeDue(true);
  }

  #addRowOf(log: PlainLineLog, firstRewritableId: number): void {
    this.#takeOver(log, firstRewritableId);
    const { id } = log;
    const line = log.takeLine();
    const text = trimSpaces(line);
    const row = { id, text, isComplete: true, continues: false, hasTrailingSpace: text.length < line.length };
    this.#rows.update([row], Math.min(id + 1, firstRewritableId));
    const { newest } = this.#rows;
    log.resume(isShown(newest) ? newest.text : undefined, newest?.run !== undefined || newest?.text === '');
  }

  #takeOver(log: PlainLineLog, firstRewritableId: number): void {
    const last = log.takeLast();
    if (last !== undefined) this.#rows.takeOver(last, firstRewritableId);
  }
}
