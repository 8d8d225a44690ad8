import type { LogRow } from './log-row.js';
import { isFurtherEmpty, isRepeat } from './row-rules.js';
import type { RowWriter } from './row-writer.js';
import type { LineMeaning } from './stream-context.js';
import type { StreamLogRows } from './stream-log-state.js';

/** As what the rows of one stream are stored: as lines, as a notice of repeats, or not at all. */
export class RowPlaces {
  readonly #log: StreamLogRows;
  readonly #writer: RowWriter;

  constructor(log: StreamLogRows, writer: RowWriter) {
    this.#log = log;
    this.#writer = writer;
  }

  /** Places a row that has ended, by its meaning and by the row before it. */
  place(row: LogRow, { kind, isLogged }: Pick<LineMeaning, 'kind' | 'isLogged'>): void {
    row.isUnsaved = true;
    if (!isLogged) this.#store(row, 'skipped');
    else if (kind === 'command') this.#store(row, 'command');
    else if (isFurtherEmpty(row)) this.#drop(row);
    else if (isRepeat(row)) this.#repeat(row);
    else this.#store(row, 'line');
  }

  /** Places an ended row that has changed anew, and the rows that were judged by it. */
  placeAgain(changed: LogRow, place: 'line' | 'command' | 'skipped'): void {
    const followers: LogRow[] = [];
    for (let row = changed.next; row !== undefined && this.#isJudgedByPrevious(row); row = row.next)
      followers.push(row);
    for (const row of [changed, ...followers]) this.#leaveRun(row);
    changed.place = place;
    if (place === 'skipped') this.#log.dirty.delete(changed);
    else this.#writer.markDirty(changed);
    for (const row of followers) this.place(row, { kind: 'output', isLogged: true });
  }

  /** Leaves nothing behind of a row, which counts in its run. */
  leave(row: LogRow): void {
    row.place = 'dropped';
    row.isUnsaved = true;
    this.#log.dirty.delete(row);
    if (row.run === undefined) return;
    row.run.count += 1;
    row.run.lastId = Math.max(row.run.lastId, row.id);
    this.#writer.markDirty(row.run.first);
  }

  #store(row: LogRow, place: 'line' | 'command' | 'skipped'): void {
    row.place = place;
    if (place === 'skipped') this.#log.dirty.delete(row);
    else this.#writer.write(row);
  }

  #repeat(row: LogRow): void {
    row.run = row.previous?.run;
    if (row.run !== undefined) {
      this.#drop(row);
      return;
    }
    row.run = { count: 1, lastId: row.id, first: row };
    row.place = 'notice';
    this.#writer.write(row);
  }

  /**
   * Further empty lines and repeats leave nothing behind. A row that was already shown gives its place to the next row,
   * or stays.
   */
  #drop(row: LogRow): void {
    if (row.stored === undefined) {
      this.leave(row);
      return;
    }
    if (row.next === undefined) this.#log.vacant = row;
    else row.run = undefined;
    this.#store(row, 'line');
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
      if (row.run.first !== row) this.#writer.markDirty(row.run.first);
    }
    row.run = undefined;
  }
}
