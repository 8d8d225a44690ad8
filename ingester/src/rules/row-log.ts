import type { Stream } from '@joblens/core';
import type { RenderedRow } from '../render/rendered-row.js';
import type { LineRun } from './fast-lines.js';
import { mayBeCommand } from './line-rules.js';
import type { LineRules } from './log-modes.js';
import { LINE_RULES } from './log-modes.js';
import type { LogRow } from './log-row.js';
import { createRow } from './log-row.js';
import { describeRow, isFurtherEmpty, isRepeat, isStoredAsShown, mayBeRepeat } from './row-rules.js';
import type { LineMeaning, StreamContext } from './stream-context.js';
import type { StreamLogRows, StreamLogState } from './stream-log-state.js';
import { createStreamLogRows, restoreStreamLog, takeStreamLogState } from './stream-log-state.js';

/** How often a changing row is rewritten. */
const REWRITE_INTERVAL_MS = 200;
/** A longer row is stored only when it ends: rewriting it as it grows costs more than it shows. */
const MAX_LIVE_CHARS = 16_384;

/** In place of an unknown text: no row's text holds control characters. */
const UNKNOWN = '\0';

/**
 * The rows of one stream: which of them are stored, as what, and when they are rewritten. Each row keeps the time at
 * which it was first seen, and whatever replaces it is stored at that time.
 */
export class RowLog {
  readonly #stream: Stream;
  readonly #context: StreamContext;
  readonly #log: StreamLogRows;

  constructor(stream: Stream, context: StreamContext, state?: StreamLogState) {
    this.#stream = stream;
    this.#context = context;
    this.#log = state === undefined ? createStreamLogRows() : restoreStreamLog(state);
  }

  get isDirty(): boolean {
    return this.#log.dirty.size > 0;
  }

  get #rules(): LineRules {
    return LINE_RULES[this.#context.mode()];
  }

  /** The state with which another RowLog continues; `change`: only the changes since the last call. */
  takeState(kind: 'whole' | 'change'): StreamLogState {
    return takeStreamLogState(this.#log, kind);
  }

  /** Takes new versions of rows, oldest first. Rows with an id below `firstRewritableId` are final. */
  update(rows: readonly RenderedRow[], firstRewritableId: number): void {
    for (const row of rows) {
      // Final rows are forgotten at once: many that live together would cost more to collect than to write.
      this.#finishBefore(Math.min(row.id, firstRewritableId));
      this.#updateRow(row);
    }
    this.#finishBefore(firstRewritableId);
    this.#log.settled.forgetBefore(this.#log.oldestId);
  }

  #finishBefore(id: number): void {
    for (const log = this.#log; log.oldestId < id; log.oldestId += 1) this.#finish(log.oldestId);
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
    if (log.newest !== undefined) this.#compact(log.newest);
    log.newest = row;
    log.oldestId = Math.min(lastId + 1, firstRewritableId);
    log.settled.forgetBefore(log.oldestId);
    if (run.kind === 'lines' && run.isLogged)
      log.settled.addRun(run.firstId, run.count - 1, run.timeNs, firstRewritableId);
    if (lastId >= firstRewritableId) log.rows.set(lastId, row);
  }

  /** Only the last row of a run is needed, to judge the next line. */
  #createLastOf({ text, timeNs, isLogged, isMetadata }: Extract<LineRun, { kind: 'lines' }>, id: number): LogRow {
    const row = createRow(id, timeNs, undefined);
    row.text = text;
    row.isEnded = true;
    row.isMetadata = isMetadata;
    row.place = isLogged ? 'line' : 'skipped';
    if (isLogged) row.stored = { text, ansi: undefined, kind: 'output', writtenMs: this.#context.nowMs() };
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
      this.#write(row.run.first);
    }
    return row;
  }

  /** Writes the changed rows that are due, or all changed rows if `isEnd`. */
  writeDue(isEnd: boolean): void {
    const dueMs = this.#context.nowMs() - REWRITE_INTERVAL_MS;
    for (const row of this.#log.dirty) {
      if (isEnd || row.stored === undefined || row.stored.writtenMs <= dueMs) this.#write(row);
    }
  }

  #updateRow(rendered: RenderedRow): void {
    const known = this.#log.rows.get(rendered.id) ?? this.#unsettle(rendered.id);
    if (known === undefined && rendered.text === '' && !rendered.isComplete) return;
    const row = known ?? this.#addRow(rendered.id);
    row.isUnsaved = true;
    const isChanged = row.text !== rendered.text || row.ansi !== rendered.ansi;
    if (this.#rules.output.isLogged) setText(row, rendered);
    if (rendered.isComplete && !row.isEnded) {
      row.isEnded = true;
      row.isPiece = rendered.continues || row.firstPart > 0;
      row.continues = rendered.continues;
      this.#settle(row, rendered);
      this.#compactBefore(row);
    } else if (isChanged && row.isEnded) {
      this.#resettle(row);
    } else if (isChanged) {
      this.#markLive(row);
    }
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
      return createRow(id, previous.timeNs + BigInt(previous.parts), previous, previous.firstPart + previous.parts);
    }
    const vacant = this.#log.vacant;
    const row = createRow(id, vacant?.timeNs ?? this.#context.nextNs(), previous);
    if (vacant !== undefined) {
      row.stored = vacant.stored;
      this.#log.vacant = undefined;
      this.#leave(vacant);
    }
    return row;
  }

  #finish(id: number): void {
    const row = this.#log.rows.get(id);
    if (row === undefined) return;
    if (this.#log.dirty.has(row)) this.#write(row);
    this.#log.rows.delete(id);
    // Rows before a final one have no influence any more. Linked, they would keep every row of the job in memory.
    row.previous = undefined;
    row.next = undefined;
  }

  /** Shows a row that is still being printed, unless it may turn out to be a repeat or a command. */
  #markLive(row: LogRow): void {
    if (!this.#rules.output.isLogged || row.text.length > MAX_LIVE_CHARS) return;
    if (row.stored === undefined && (mayBeCommand(row.text) || mayBeRepeat(row))) return;
    this.#markDirty(row);
  }

  #markDirty(row: LogRow): void {
    row.isUnsaved = true;
    this.#log.dirty.add(row);
  }

  /** Judges a row that has ended and stores it accordingly. */
  #settle(row: LogRow, rendered: RenderedRow): void {
    const meaning = row.isPiece ? this.#judgePiece() : this.#context.judge(rendered);
    row.isMetadata = meaning.metadata !== undefined;
    if (meaning.isLogged) setText(row, meaning.text === undefined ? rendered : { text: meaning.text });
    this.#place(row, meaning);
    const { isLogged, kind } = meaning;
    if (kind === 'output')
      this.#context.noteRow({
        id: row.id,
        text: rendered.text,
        timeNs: row.timeNs,
        isLogged,
        isMetadata: row.isMetadata,
      });
    if (meaning.metadata !== undefined) this.#context.addMetadata(meaning.metadata, row.timeNs);
    for (const notice of meaning.notices) {
      const timeNs = this.#context.nextNs();
      this.#context.write({ stream: this.#stream, line: notice, kind: 'notice', timeNs, firstPart: 0 });
    }
  }

  /** Compacts the row before a line, which no later row is compared with. */
  #compactBefore(row: LogRow): void {
    const { previous } = row;
    if (previous === undefined || row === this.#log.vacant || row.place !== 'line' || row.run !== undefined) return;
    if (this.#compact(previous)) row.previous = undefined;
  }

  /** Keeps almost nothing of a row that is stored as it is shown, until it changes. */
  #compact(row: LogRow): boolean {
    const { rows, settled, dirty } = this.#log;
    if (rows.get(row.id) !== row || !isStoredAsShown(row) || dirty.has(row)) return false;
    rows.delete(row.id);
    settled.add(row.id, row.timeNs, row.ansi !== undefined);
    return true;
  }

  /** Restores a settled row that has changed. Its old text is not known any more, only that it was another one. */
  #unsettle(id: number): LogRow | undefined {
    const settled = this.#log.settled.take(id);
    if (settled === undefined) return undefined;
    const row = createRow(id, settled.timeNs, undefined);
    const ansi = settled.hasColours ? UNKNOWN : undefined;
    row.text = UNKNOWN;
    row.ansi = ansi;
    row.isEnded = true;
    row.place = 'line';
    row.stored = { text: UNKNOWN, ansi, kind: 'output', writtenMs: 0 };
    this.#log.rows.set(id, row);
    return row;
  }

  #judgePiece(): LineMeaning {
    return { kind: 'output', isLogged: this.#rules.output.isLogged, notices: [] };
  }

  #place(row: LogRow, { kind, isLogged }: Pick<LineMeaning, 'kind' | 'isLogged'>): void {
    row.isUnsaved = true;
    if (!isLogged) {
      this.#store(row, 'skipped');
    } else if (kind === 'command') {
      this.#store(row, 'command');
    } else if (isFurtherEmpty(row)) {
      this.#drop(row);
    } else if (isRepeat(row)) {
      this.#repeat(row);
    } else {
      this.#store(row, 'line');
    }
  }

  #store(row: LogRow, place: 'line' | 'command' | 'skipped'): void {
    row.place = place;
    if (place === 'skipped') this.#log.dirty.delete(row);
    else this.#write(row);
  }

  #repeat(row: LogRow): void {
    row.run = row.previous?.run;
    if (row.run !== undefined) {
      this.#drop(row);
      return;
    }
    row.run = { count: 1, first: row };
    row.place = 'notice';
    this.#write(row);
  }

  /**
   * Further empty lines and repeats leave nothing behind. A row that was already shown gives its place to the next row,
   * or stays.
   */
  #drop(row: LogRow): void {
    if (row.stored === undefined) {
      this.#leave(row);
      return;
    }
    if (row.next === undefined) this.#log.vacant = row;
    else row.run = undefined;
    this.#store(row, 'line');
  }

  #leave(row: LogRow): void {
    row.place = 'dropped';
    row.isUnsaved = true;
    this.#log.dirty.delete(row);
    if (row.run === undefined) return;
    row.run.count += 1;
    this.#markDirty(row.run.first);
  }

  /** An ended row has changed because the cursor went up. Places it anew, and the rows that were judged by it. */
  #resettle(changed: LogRow): void {
    if (changed.place === 'skipped' || changed.place === 'command') return;
    if (!this.#rules.output.isLogged) return;
    const followers: LogRow[] = [];
    for (let row = changed.next; row !== undefined && this.#isJudgedByPrevious(row); row = row.next)
      followers.push(row);
    for (const row of [changed, ...followers]) this.#leaveRun(row);
    changed.place = 'line';
    this.#markDirty(changed);
    for (const row of followers) this.#place(row, { kind: 'output', isLogged: true });
  }

  #isJudgedByPrevious(row: LogRow): boolean {
    return row.place === 'notice' || row.place === 'dropped' || row === this.#log.vacant;
  }

  #leaveRun(row: LogRow): void {
    row.isUnsaved = true;
    if (row === this.#log.vacant) {
      // A vacant row is not counted in its run.
      this.#log.vacant = undefined;
    } else if (row.run !== undefined) {
      row.run.count -= 1;
      if (row.run.first !== row) this.#markDirty(row.run.first);
    }
    row.run = undefined;
  }

  #write(row: LogRow): void {
    row.isUnsaved = true;
    this.#log.dirty.delete(row);
    const { stored, timeNs, firstPart } = row;
    const { text, ansi: shownAnsi, kind } = describeRow(row);
    const ansi = shownAnsi ?? (stored?.ansi === undefined ? undefined : '');
    if (stored !== undefined && stored.text === text && stored.ansi === ansi && stored.kind === kind) return;
    const line = { stream: this.#stream, line: text, kind, timeNs, firstPart };
    row.parts = this.#context.write(ansi === undefined ? line : { ...line, ansi });
    row.stored = { text, ansi, kind, writtenMs: this.#context.nowMs() };
  }
}

/** Rows keep no text that a mode forbids. */
function setText(row: LogRow, { text, ansi }: Pick<RenderedRow, 'text' | 'ansi'>): void {
  row.text = text;
  row.ansi = ansi;
}
