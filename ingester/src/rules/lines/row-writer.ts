import type { Stream } from '@joblens/core/schema/measurements';
import { contain } from '../writing/fault-keeper.js';
import type { LogRow } from './log-row.js';
import { describeRow } from './row-rules.js';
import type { StreamContext } from './stream-context.js';
import type { StreamLogRows } from './stream-log-state.js';

/** How often a changing row is rewritten. */
const REWRITE_INTERVAL_MS = 200;
/** Where only what is final is written, a line that has ended counts as final after this time … */
const FINAL_AFTER_MS = 2000;
/** … unless the program has moved the cursor up within this time. */
const MOVES_AFTER_MS = 60_000;

/**
 * When the rows of one stream are written: at once and again as they change, or, where a line cannot be written again,
 * once they are final. What replaces a row is stored at the row's time.
 */
export class RowWriter {
  readonly #stream: Stream;
  readonly #context: StreamContext;
  readonly #log: StreamLogRows;
  /** Final rows whose notice waits for the end of its run. */
  readonly #runs: Set<LogRow>;

  constructor(stream: Stream, context: StreamContext, log: StreamLogRows) {
    this.#stream = stream;
    this.#context = context;
    this.#log = log;
    this.#runs = new Set([...log.dirty].filter(({ id }) => id < log.oldestId));
  }

  /** Whether `writeDue` has something to write, now or when some time has passed. */
  get isDirty(): boolean {
    const { dirty } = this.#log;
    if (dirty.size === 0 || this.#context.rewrites() !== false) return dirty.size > 0;
    for (const row of dirty) if (row.isEnded && row.stored === undefined && !this.#isGrowing(row)) return true;
    return false;
  }

  /** Writes the row, or keeps it until it is final. The times of a long line's pieces depend on the pieces before. */
  write(row: LogRow): void {
    if (this.#context.rewrites() === true || row.isPiece) this.#writeNow(row);
    else this.markDirty(row);
  }

  markDirty(row: LogRow): void {
    row.isUnsaved = true;
    row.heldMs = this.#context.monotonicMs();
    this.#log.dirty.add(row);
  }

  /** Writes the changed rows that are due, or all changed rows if `isEnd`. */
  writeDue(isEnd: boolean): void {
    for (const row of this.#log.dirty) if (isEnd || this.#isDue(row)) this.#writeContained(row);
  }

  /** Writes a row that has become final, if it has changed; the notice of a run waits for the end of that. */
  finish(row: LogRow): void {
    if (!this.#log.dirty.has(row)) return;
    if (this.#context.rewrites() === true || this.#isFinal(row)) this.#writeContained(row);
    else this.#runs.add(row);
  }

  /** Writes the notices of runs that are over. */
  writeRuns(): void {
    for (const row of this.#runs) {
      if (!this.#isFinal(row)) continue;
      this.#runs.delete(row);
      this.#writeContained(row);
    }
  }

  #isDue(row: LogRow): boolean {
    const nowMs = this.#context.monotonicMs();
    if (this.#context.rewrites() === true)
      return row.stored === undefined || row.stored.writtenMs + REWRITE_INTERVAL_MS <= nowMs;
    if (this.#isFinal(row)) return true;
    const { movedUpMs = -Infinity } = this.#log;
    const isQuiet = row.heldMs + FINAL_AFTER_MS <= nowMs && movedUpMs + MOVES_AFTER_MS <= nowMs;
    return isQuiet && row.isEnded && row.stored === undefined && !this.#isGrowing(row);
  }

  /** Whether nothing changes what is stored in the place of the row. Until the store is known, what is stored waits. */
  #isFinal(row: LogRow): boolean {
    const { oldestId } = this.#log;
    if (row.stored !== undefined && this.#context.rewrites() === undefined) return false;
    if (row.place !== 'notice') return row.id < oldestId;
    return (row.run?.lastId ?? row.id) < oldestId && !this.#isGrowing(row);
  }

  /** Whether the next line may be another repeat of the run that begins with the row. */
  #isGrowing({ run, place }: LogRow): boolean {
    const { newest } = this.#log;
    if (run === undefined || place !== 'notice') return false;
    return newest?.run === run || (newest?.isEnded === false && newest.previous?.run === run);
  }

  #writeContained(row: LogRow): void {
    contain(this.#context.faults, () => this.#writeNow(row));
  }

  #writeNow(row: LogRow): void {
    row.isUnsaved = true;
    this.#log.dirty.delete(row);
    const { stored, firstPart } = row;
    const { text, ansi: shownAnsi, kind } = describeRow(row);
    let ansi = shownAnsi ?? (stored?.ansi === undefined ? undefined : '');
    if (stored !== undefined && stored.text === text && stored.ansi === ansi && stored.kind === kind) return;
    if (stored !== undefined && this.#context.rewrites() === false) {
      // It counted as final: what it has become is a line of its own.
      if (text === '' || row.isPiece) return;
      row.timeNs = this.#context.nextNs();
      ansi = shownAnsi;
    }
    const line = { stream: this.#stream, line: text, kind, timeNs: row.timeNs, firstPart };
    row.parts = this.#context.write(ansi === undefined ? line : { ...line, ansi });
    row.stored = { text, ansi, kind, writtenMs: this.#context.monotonicMs() };
  }
}
