import type { Stream } from '@joblens/core/schema/measurements';
import { ROW_STEP_NS } from '../../clock/clock.js';
import type { PrintedRow, RenderedRow } from '../../render/rendered-row.js';
import { mayBeCommand } from '../commands/line-rules.js';
import { LINE_RULES, type LineRules } from '../options/log-modes.js';
import { compactBefore, compactRow, restoreRow } from './compact-rows.js';
import type { LineRun } from './fast-lines.js';
import { createRow, type LogRow } from './log-row.js';
import { RowMeanings, setText } from './row-meanings.js';
import { RowPlaces } from './row-places.js';
import { mayBeRepeat } from './row-rules.js';
import { RowWriter } from './row-writer.js';
import type { StreamContext } from './stream-context.js';
import {
  createStreamLogRows,
  restoreStreamLog,
  type StreamLogRows,
  type StreamLogState,
  takeStreamLogState,
} from './stream-log-state.js';

/** A longer row is stored only when it ends: rewriting it as it grows costs more than it shows. */
const MAX_LIVE_CHARS = 16_384;

/**
 * The rows of one stream, from when they are first seen until they are final. Each row keeps the time at which it was
 * first seen. What it means is in RowMeanings, as what it is stored in RowPlaces, and when in RowWriter.
 */
export class RowLog {
  readonly #context: StreamContext;
  readonly #log: StreamLogRows;
  readonly #writer: RowWriter;
  readonly #places: RowPlaces;
  readonly #meanings: RowMeanings;

  constructor(stream: Stream, context: StreamContext, state?: StreamLogState) {
    this.#context = context;
    this.#log = state === undefined ? createStreamLogRows() : restoreStreamLog(state, context.monotonicMs());
    this.#writer = new RowWriter(stream, context, this.#log);
    this.#places = new RowPlaces(this.#log, this.#writer);
    this.#meanings = new RowMeanings(stream, context);
  }

  /** Whether `writeDue` has something to write, now or when some time has passed. */
  get isDirty(): boolean {
    return this.#writer.isDirty;
  }

  /** Writes the changed rows that are due, or all changed rows if `isEnd`. */
  writeDue(isEnd: boolean): void {
    this.#writer.writeDue(isEnd);
  }

  /** Call it when the program has moved the cursor up: it may draw over lines that have ended. */
  noteMovedUp(): void {
    this.#log.movedUpMs = this.#context.monotonicMs();
  }

  get #rules(): LineRules {
    return LINE_RULES[this.#context.mode()];
  }

  /** The state with which another RowLog continues; `change`: only the changes since the last call. */
  takeState(kind: 'whole' | 'change'): StreamLogState {
    return takeStreamLogState(this.#log, kind);
  }

  /** Takes new versions of rows, oldest first, or as `printed`. Rows with an id below `firstRewritableId` are final. */
  update(rows: readonly RenderedRow[], firstRewritableId: number, printed?: readonly PrintedRow[]): void {
    if (printed !== undefined) for (const { row, judging } of printed) this.#tryRow(row, judging);
    else {
      for (const row of rows) {
        // Final rows are forgotten at once: many that live together would cost more to collect than to write.
        this.#finishBefore(Math.min(row.id, firstRewritableId));
        this.#tryRow(row);
      }
    }
    this.#finishBefore(firstRewritableId);
    this.#log.settled.forgetBefore(this.#log.oldestId);
  }

  #tryRow(row: RenderedRow, judging?: PrintedRow['judging']): void {
    try {
      this.#updateRow(row, judging);
    } catch (error) {
      this.#passFaulty(row, error);
    }
  }

  /** Leaves a row out that could not be judged or written, so that the rows behind it find what they need. */
  #passFaulty(rendered: RenderedRow, error: unknown): void {
    this.#context.faults.note(error);
    const row = this.#log.rows.get(rendered.id);
    if (row === undefined) return;
    row.isEnded ||= rendered.isComplete;
    row.place = 'skipped';
    row.run = undefined;
    row.isUnsaved = true;
    this.#log.dirty.delete(row);
    if (this.#log.vacant === row) this.#log.vacant = undefined;
  }

  #updateRow(rendered: RenderedRow, judging?: PrintedRow['judging']): void {
    const known = this.#log.rows.get(rendered.id) ?? restoreRow(this.#log, rendered.id);
    if (known === undefined && rendered.text === '' && !rendered.isComplete) return;
    const row = known ?? this.#addRow(rendered.id);
    row.isUnsaved = true;
    if (row.isEnded) {
      this.#updateEnded(row, rendered, judging);
      return;
    }
    const isChanged = row.text !== rendered.text || row.ansi !== rendered.ansi;
    if (this.#rules.output.isLogged) setText(row, rendered);
    if (rendered.isComplete) this.#end(row, rendered, judging === 'none');
    else if (isChanged) this.#markLive(row);
  }

  /** Judges a row that has ended and stores it accordingly. `isKnown`: another row has said the same before. */
  #end(row: LogRow, rendered: RenderedRow, isKnown: boolean): void {
    row.isEnded = true;
    row.isPiece = rendered.continues || row.firstPart > 0;
    row.continues = rendered.continues;
    if (row.firstPart === 0) row.beginsAsJson = row.isPiece && rendered.text.startsWith('{');
    const isPart = row.isPiece || isKnown;
    const meaning = isPart ? this.#meanings.judgePiece(row, rendered) : this.#meanings.judge(row, rendered);
    this.#places.place(row, meaning);
    if (!isKnown) this.#meanings.tell(row, rendered, meaning);
    compactBefore(this.#log, row);
  }

  /** An ended row has changed because the cursor went up. */
  #updateEnded(row: LogRow, rendered: RenderedRow, judging: PrintedRow['judging']): void {
    if (judging === 'again' && !row.isPiece) {
      this.#judgeAgain(row, rendered);
      return;
    }
    if (row.place === 'skipped' || row.place === 'command' || !this.#rules.output.isLogged) return;
    // What may be a command is not shown before it is judged.
    if (judging === undefined && rendered.text !== '' && mayBeCommand(rendered.text)) return;
    if (row.text === rendered.text && row.ansi === rendered.ansi) return;
    setText(row, rendered);
    this.#places.placeAgain(row, 'line');
  }

  /** Judges what was printed on a row that had ended. */
  #judgeAgain(row: LogRow, rendered: RenderedRow): void {
    const meaning = this.#meanings.judge(row, rendered);
    this.#places.placeAgain(row, !meaning.isLogged ? 'skipped' : meaning.kind === 'command' ? 'command' : 'line');
    this.#meanings.tellNow(row, rendered, meaning);
  }

  /** Shows a row that is still being printed, unless it may turn out to be a repeat or a command. */
  #markLive(row: LogRow): void {
    if (!this.#rules.output.isLogged || row.text.length > MAX_LIVE_CHARS) return;
    if (row.stored === undefined && (mayBeCommand(row.text) || mayBeRepeat(row))) return;
    this.#writer.markDirty(row);
  }

  #addRow(id: number): LogRow {
    const previous = this.#log.newest;
    const row = this.#createRow(id, previous);
    // A final row is never placed again, and a link from it would keep all rows of an endless run of repeats.
    if (previous !== undefined && this.#log.rows.has(previous.id)) previous.next = row;
    this.#log.newest = row;
    this.#log.rows.set(id, row);
    return row;
  }

  #createRow(id: number, previous: LogRow | undefined): LogRow {
    // The points of a line's pieces are 1 ns apart, like the parts of any long line.
    if (previous?.continues === true) {
      const timeNs = previous.timeNs + BigInt(previous.parts);
      const next = createRow(id, timeNs, previous, previous.firstPart + previous.parts);
      next.beginsAsJson = previous.beginsAsJson;
      return next;
    }
    const vacant = this.#log.vacant;
    const row = createRow(id, vacant?.timeNs ?? this.#context.nextNs(), previous);
    if (vacant !== undefined) {
      row.stored = vacant.stored;
      this.#log.vacant = undefined;
      this.#places.leave(vacant);
      // The program may come back to it, and then it has no place.
      vacant.stored = undefined;
      vacant.timeNs = findTimeBefore(vacant);
    }
    return row;
  }

  #finishBefore(id: number): void {
    const log = this.#log;
    if (log.oldestId >= id) return;
    while (log.oldestId < id) {
      log.oldestId += 1;
      this.#finish(log.oldestId - 1);
    }
    this.#writer.writeRuns();
  }

  #finish(id: number): void {
    const row = this.#log.rows.get(id);
    if (row === undefined) return;
    this.#writer.finish(row);
    this.#log.rows.delete(id);
    // Rows before a final one have no influence any more. Linked, they would keep every row of the job in memory.
    row.previous = undefined;
    row.next = undefined;
  }

  /** Rows with a smaller id are final. */
  get oldestId(): number {
    return this.#log.oldestId;
  }

  get newest(): LogRow | undefined {
    return this.#log.newest;
  }

  /**
   * Whether lines may be added without checking the rows before: no row is unfinished or gives its place to the next
   * one.
   */
  get isSteady(): boolean {
    const { newest, vacant } = this.#log;
    return vacant === undefined && (newest === undefined || (newest.isEnded && !newest.continues));
  }

  /** Adds lines that are already written. Rows before `firstRewritableId` are final. Needs `isSteady`. */
  addRun(run: LineRun, firstRewritableId: number): void {
    const lastId = run.firstId + run.count - 1;
    const row = run.kind === 'lines' ? this.#createLastOf(run, lastId) : this.#createRepeat(run.count, lastId);
    const log = this.#log;
    if (log.newest !== undefined) compactRow(log, log.newest);
    log.newest = row;
    log.oldestId = Math.min(lastId + 1, firstRewritableId);
    log.settled.forgetBefore(log.oldestId);
    if (run.kind === 'lines' && run.isLogged)
      log.settled.addRun({ ...run, count: run.count - 1, endNs: run.timeNs }, firstRewritableId);
    if (lastId >= firstRewritableId) log.rows.set(lastId, row);
    this.#writer.writeRuns();
  }

  /** Only the last row of a run is needed, to judge the next line. */
  #createLastOf({ text, ansi, timeNs, isLogged, isMetadata }: Extract<LineRun, { kind: 'lines' }>, id: number): LogRow {
    const row = createRow(id, timeNs, undefined);
    row.text = text;
    row.ansi = ansi;
    row.isEnded = true;
    row.isMetadata = isMetadata;
    row.place = isLogged ? 'line' : 'skipped';
    if (isLogged) row.stored = { text, ansi, kind: 'output', writtenMs: this.#context.monotonicMs() };
    return row;
  }

  #createRepeat(count: number, id: number): LogRow {
    const { newest } = this.#log;
    const row = createRow(id, this.#context.nextNs(), undefined);
    row.text = newest?.text ?? '';
    row.isEnded = true;
    row.place = 'dropped';
    row.run = newest?.run;
    if (row.run !== undefined) {
      row.run.count += count;
      row.run.lastId = id;
      this.#writer.write(row.run.first);
    }
    return row;
  }
}

/** A time of its own for a row that gave its time to the next one, between that and the row before. */
function findTimeBefore({ timeNs, previous }: LogRow): bigint {
  const firstNs = timeNs - ROW_STEP_NS;
  const endNs = previous === undefined ? firstNs : previous.timeNs + BigInt(previous.parts);
  const fromNs = endNs > firstNs && endNs < timeNs ? endNs : firstNs;
  return fromNs + (timeNs - fromNs) / 2n;
}
