import { ROW_STEP_NS } from '../../clock/clock.js';
import type { Stream } from '@joblens/core/schema/measurements';
import type { PrintedRow, RenderedRow } from '../../render/rendered-row.js';
import type { LineRun } from './fast-lines.js';
import { contain } from '../writing/fault-keeper.js';
import { mayBeCommand } from '../commands/line-rules.js';
import { LINE_RULES, type LineRules } from '../options/log-modes.js';
import { createRow, type LogRow } from './log-row.js';
import { describeRow, isFurtherEmpty, isRepeat, isStoredAsShown, mayBeRepeat } from './row-rules.js';
import type { LineMeaning, StreamContext } from './stream-context.js';
import {
  createStreamLogRows,
  restoreStreamLog,
  type StreamLogRows,
  type StreamLogState,
  takeStreamLogState,
} from './stream-log-state.js';

/** How often a changing row is rewritten. */
const REWRITE_INTERVAL_MS = 200;
/** Where only what is final is written, a line that has ended counts as final after this time … */
const FINAL_AFTER_MS = 2000;
/** … unless the program has moved the cursor up within this time. */
const MOVES_AFTER_MS = 60_000;
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
  /** The time of the last meaning that was told: on rows that were drawn before, they come later than their rows. */
  #toldNs = 0n;
  /** Final rows whose notice waits for the end of its run. */
  readonly #runs: Set<LogRow>;

  constructor(stream: Stream, context: StreamContext, state?: StreamLogState) {
    this.#stream = stream;
    this.#context = context;
    this.#log = state === undefined ? createStreamLogRows() : restoreStreamLog(state, context.monotonicMs());
    this.#runs = new Set([...this.#log.dirty].filter(({ id }) => id < this.#log.oldestId));
  }

  /** Whether `writeDue` has something to write, now or when some time has passed. */
  get isDirty(): boolean {
    const { dirty } = this.#log;
    if (dirty.size === 0 || this.#context.rewrites() !== false) return dirty.size > 0;
    for (const row of dirty) if (row.isEnded && row.stored === undefined && !this.#isGrowing(row)) return true;
    return false;
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

  #finishBefore(id: number): void {
    const log = this.#log;
    if (log.oldestId >= id) return;
    while (log.oldestId < id) {
      log.oldestId += 1;
      this.#finish(log.oldestId - 1);
    }
    this.#writeRuns();
  }

  /** Writes the notices of runs that are over. */
  #writeRuns(): void {
    for (const row of this.#runs) {
      if (!this.#isFinal(row)) continue;
      this.#runs.delete(row);
      contain(this.#context.faults, () => this.#writeNow(row));
    }
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
    if (log.newest !== undefined) this.#compact(log.newest);
    log.newest = row;
    log.oldestId = Math.min(lastId + 1, firstRewritableId);
    log.settled.forgetBefore(log.oldestId);
    if (run.kind === 'lines' && run.isLogged)
      log.settled.addRun({ ...run, count: run.count - 1, endNs: run.timeNs }, firstRewritableId);
    if (lastId >= firstRewritableId) log.rows.set(lastId, row);
    this.#writeRuns();
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
      this.#write(row.run.first);
    }
    return row;
  }

  /** Writes the changed rows that are due, or all changed rows if `isEnd`. */
  writeDue(isEnd: boolean): void {
    for (const row of this.#log.dirty) {
      if (isEnd || this.#isDue(row)) contain(this.#context.faults, () => this.#writeNow(row));
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

  #updateRow(rendered: RenderedRow, judging?: PrintedRow['judging']): void {
    const known = this.#log.rows.get(rendered.id) ?? this.#unsettle(rendered.id);
    if (known === undefined && rendered.text === '' && !rendered.isComplete) return;
    const row = known ?? this.#addRow(rendered.id);
    row.isUnsaved = true;
    if (row.isEnded) {
      this.#updateEnded(row, rendered, judging);
      return;
    }
    const isChanged = row.text !== rendered.text || row.ansi !== rendered.ansi;
    if (this.#rules.output.isLogged) setText(row, rendered);
    if (rendered.isComplete) {
      row.isEnded = true;
      row.isPiece = rendered.continues || row.firstPart > 0;
      row.continues = rendered.continues;
      if (row.firstPart === 0) row.beginsAsJson = row.isPiece && rendered.text.startsWith('{');
      this.#settle(row, rendered, judging === 'none');
      this.#compactBefore(row);
    } else if (isChanged) {
      this.#markLive(row);
    }
  }

  /** An ended row has changed because the cursor went up. */
  #updateEnded(row: LogRow, rendered: RenderedRow, judging: PrintedRow['judging']): void {
    if (judging === 'again' && !row.isPiece) {
      this.#settleAgain(row, rendered);
      return;
    }
    if (row.place === 'skipped' || row.place === 'command' || !this.#rules.output.isLogged) return;
    // What may be a command is not shown before it is judged.
    if (judging === undefined && rendered.text !== '' && mayBeCommand(rendered.text)) return;
    if (row.text === rendered.text && row.ansi === rendered.ansi) return;
    setText(row, rendered);
    this.#placeAgain(row, 'line');
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
      this.#leave(vacant);
      // The program may come back to it, and then it has no place.
      vacant.stored = undefined;
      vacant.timeNs = findTimeBefore(vacant);
    }
    return row;
  }

  #finish(id: number): void {
    const row = this.#log.rows.get(id);
    if (row === undefined) return;
    if (this.#log.dirty.has(row)) {
      if (this.#context.rewrites() === true || this.#isFinal(row))
        contain(this.#context.faults, () => this.#writeNow(row));
      else this.#runs.add(row);
    }
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
    row.heldMs = this.#context.monotonicMs();
    this.#log.dirty.add(row);
  }

  /** Judges a row that has ended and stores it accordingly. `isKnown`: another row has said the same before. */
  #settle(row: LogRow, rendered: RenderedRow, isKnown: boolean): void {
    const meaning = row.isPiece || isKnown ? this.#judgePiece(row, rendered) : this.#context.judge(rendered);
    row.isMetadata = meaning.metadata !== undefined;
    if (meaning.isLogged) setText(row, meaning.text === undefined ? rendered : { text: meaning.text });
    this.#place(row, meaning);
    if (isKnown) return;
    this.#tell(row, rendered, meaning, row.timeNs > this.#toldNs ? row.timeNs : this.#context.nextNs());
  }

  /** Judges what was printed on a row that had ended. */
  #settleAgain(row: LogRow, rendered: RenderedRow): void {
    const meaning = this.#context.judge(rendered);
    row.isMetadata = meaning.metadata !== undefined;
    if (meaning.isLogged) setText(row, meaning.text === undefined ? rendered : { text: meaning.text });
    this.#placeAgain(row, !meaning.isLogged ? 'skipped' : meaning.kind === 'command' ? 'command' : 'line');
    this.#tell(row, rendered, meaning, this.#context.nextNs());
  }

  /** Hands on what a row means, besides a line of the log. */
  #tell(row: LogRow, { text }: RenderedRow, meaning: LineMeaning, timeNs: bigint): void {
    const { isLogged, kind } = meaning;
    const { id, isMetadata } = row;
    this.#toldNs = timeNs;
    if (kind === 'output') this.#context.noteRow({ id, text, timeNs, isLogged, isMetadata });
    if (meaning.metadata !== undefined) this.#context.addMetadata(meaning.metadata, timeNs);
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
    // A link from a dead row that is old keeps every row behind it, until all memory is searched.
    row.previous = undefined;
    row.next = undefined;
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

  /** A line of several rows is neither a command nor metadata. */
  #judgePiece({ beginsAsJson, continues }: LogRow, { text }: RenderedRow): LineMeaning {
    const isJson = beginsAsJson && !continues && text.endsWith('}');
    const notices = isJson ? this.#context.explainPieces() : [];
    return { kind: 'output', isLogged: this.#rules.output.isLogged, notices };
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
    row.run = { count: 1, lastId: row.id, first: row };
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
    row.run.lastId = Math.max(row.run.lastId, row.id);
    this.#markDirty(row.run.first);
  }

  /** Places an ended row that has changed anew, and the rows that were judged by it. */
  #placeAgain(changed: LogRow, place: 'line' | 'command' | 'skipped'): void {
    const followers: LogRow[] = [];
    for (let row = changed.next; row !== undefined && this.#isJudgedByPrevious(row); row = row.next)
      followers.push(row);
    for (const row of [changed, ...followers]) this.#leaveRun(row);
    changed.place = place;
    if (place === 'skipped') this.#log.dirty.delete(changed);
    else this.#markDirty(changed);
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

  /** Writes the row, or keeps it until it is final. The times of a long line's pieces depend on the pieces before. */
  #write(row: LogRow): void {
    if (this.#context.rewrites() === true || row.isPiece) this.#writeNow(row);
    else this.#markDirty(row);
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

/** A time of its own for a row that gave its time to the next one, between that and the row before. */
function findTimeBefore({ timeNs, previous }: LogRow): bigint {
  const firstNs = timeNs - ROW_STEP_NS;
  const endNs = previous === undefined ? firstNs : previous.timeNs + BigInt(previous.parts);
  const fromNs = endNs > firstNs && endNs < timeNs ? endNs : firstNs;
  return fromNs + (timeNs - fromNs) / 2n;
}

/** Rows keep no text that a mode forbids. */
function setText(row: LogRow, { text, ansi }: Pick<RenderedRow, 'text' | 'ansi'>): void {
  row.text = text;
  row.ansi = ansi;
}
