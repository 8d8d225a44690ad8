import type { Stream } from '@joblens/core/schema/measurements';
import { openLineKernel } from '../../kernels/line-kernel.js';
import { LoadedLines } from '../../kernels/loaded-lines.js';
import type { PlainLines, PrintedRow, RenderedRow, RowSink } from '../../render/rendered-row.js';
import { FastLines, type LineRun } from './fast-lines.js';
import { contain } from '../writing/fault-keeper.js';
import type { JobSignals } from '../signals/job-signals.js';
import { COMMAND_WORD } from '../commands/log-command.js';
import { findStrictest, LINE_RULES, type LineRules, type LogMode } from '../options/log-modes.js';
import { RowLog } from './row-log.js';
import type { StreamContext } from './stream-context.js';
import type { StreamLogState } from './stream-log-state.js';
import { StreamSignals } from './stream-signals.js';

/** The log of one stream: writes many complete lines at once as far as possible, and all others row by row. */
export class StreamLog implements RowSink {
  /** The mode under which the output given from here on was printed. */
  mode: LogMode;
  /** More may follow a command than was told apart from it: what it forbids holds at once. */
  mayRunOn = false;
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
    this.#signals = new StreamSignals(options.signals, options.stream, options.state);
    this.#context = { ...options.context, mode: () => this.mode, noteRow: (row) => this.#signals.noteRow(row) };
    this.#rows = new RowLog(options.stream, this.#context, options.state);
  }

  get #rules(): LineRules {
    return LINE_RULES[this.mode];
  }

  get isDirty(): boolean {
    return this.#rows.isDirty;
  }

  /** The state with which another StreamLog continues; `change`: only the changes since the last call. */
  takeState(kind: 'whole' | 'change'): StreamLogState {
    return { ...this.#rows.takeState(kind), ...this.#signals.state };
  }

  /** Takes new versions of rows, oldest first. Rows with an id below `firstRewritableId` are final. */
  update(rows: readonly RenderedRow[], firstRewritableId: number, printed?: readonly PrintedRow[]): void {
    const { faults, progress } = this.#context;
    contain(faults, () => this.#signals.look(printed?.map(({ row }) => row) ?? rows));
    this.#updateRows(rows, firstRewritableId, printed);
    const { output, metadata } = LINE_RULES[this.mode];
    if (metadata.isMined) contain(faults, () => progress.noteRows(rows, output.isLogged));
  }

  /** Where rows fail together, the one that fails alone is left out. */
  #updateRows(rows: readonly RenderedRow[], firstRewritableId: number, printed?: readonly PrintedRow[]): void {
    try {
      this.#rows.update(rows, firstRewritableId, printed);
    } catch (error) {
      const all = printed ?? rows.map((row) => ({ row }));
      if (all.length <= 1) this.#context.faults.note(error);
      else {
        // Some may be done, and final.
        const left = all.filter(({ row }) => row.id >= this.#rows.oldestId);
        for (const one of left) {
          this.#updateRows([one.row], Math.min(one.row.id + 1, firstRewritableId), printed && [one]);
        }
      }
    }
  }

  /** A command asks for this mode. It is obeyed once all is given that was printed before. */
  noteAsked(mode: LogMode): void {
    if (this.mayRunOn) this.mode = findStrictest(this.mode, mode);
  }

  /** Whether a line with these bytes may be a command, metadata or a signal. */
  mayMean(bytes: Buffer): boolean {
    const { output, metadata } = LINE_RULES[this.mode];
    if (bytes.includes(COMMAND_WORD)) return true;
    if (metadata.isMined && this.#context.lines.mayHoldMetadata(bytes)) return true;
    return output.isLogged && this.#signals.mayHold(bytes);
  }

  /** Takes complete lines, some of which may come again as rows. All rows before them are final. */
  addLines(plain: PlainLines): void {
    const { firstRewritableId } = plain;
    const { bytes, count, coloured } = plain;
    const loaded = new LoadedLines(bytes, openLineKernel(), coloured && { ...coloured, count });
    const lines = new FastLines({
      writer: this.#context.lines,
      plain,
      lines: loaded,
      rules: this.#rules,
      isFinalOnly: this.#context.rewrites() !== true,
    });
    this.#rows.update([], plain.firstId);
    const { faults, progress } = this.#context;
    // After a fault in a run of lines, each of them is a row, which the fault then finds alone.
    let mayRun = true;
    while (!lines.isAtEnd) {
      const start = lines.at;
      faults.mark();
      let run: LineRun | undefined;
      try {
        if (mayRun && this.#rows.isSteady) run = lines.takeRun(this.#rows.newest);
      } catch (error) {
        if (!mayRun) faults.note(error);
        mayRun = false;
        faults.rollback();
      }
      if (run !== undefined) {
        this.#rows.addRun(run, firstRewritableId);
        const range = { start, end: lines.at };
        const [taken, timeNs] = [run, this.#rows.newest?.timeNs ?? 0n];
        contain(faults, () => this.#signals.noteRun(loaded, range, taken, timeNs));
        continue;
      }
      const row = lines.takeRow();
      contain(faults, () => this.#signals.lookAtLine(loaded, { start, end: lines.at }, row));
      this.#updateRows([row], Math.min(row.id + 1, firstRewritableId));
      lines.rules = this.#rules;
    }
    this.#rows.update([], firstRewritableId);
    const { output, metadata } = this.#rules;
    if (metadata.isMined) contain(faults, () => progress.noteLines(bytes, output.isLogged));
  }

  /** Call it when the program has moved the cursor up. */
  noteMovedUp(): void {
    this.#rows.noteMovedUp();
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
