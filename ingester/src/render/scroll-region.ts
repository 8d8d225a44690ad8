import { ScreenRow } from './screen-row.js';
import { type RowWindow, WINDOW_ROWS } from './row-window.js';

/** The rows that scroll (DECSTBM), by their index on the screen. By default all of them. */
export class ScrollRegion {
  top = 0;
  bottom = WINDOW_ROWS - 1;

  readonly #window: RowWindow;

  constructor(window: RowWindow) {
    this.#window = window;
  }

  get isWhole(): boolean {
    return this.top === 0 && this.bottom === WINDOW_ROWS - 1;
  }

  has(index: number): boolean {
    return index >= this.top && index <= this.bottom;
  }

  set(top: number, bottom: number): void {
    this.top = top;
    this.bottom = bottom;
  }

  /**
   * Scrolls for a line feed on the last row: the first row leaves the screen, or is lost when it is not the screen's
   * first.
   */
  scroll(): void {
    if (this.top > 0) {
      this.shiftUp(this.top, 1);
      return;
    }
    this.#window.rowAt(this.bottom);
    this.#window.leaveTop();
    if (!this.isWhole && this.#window.length > this.bottom) this.#shift(this.bottom, 1, WINDOW_ROWS - 1);
  }

  /** Opens `count` empty rows at `from`. Rows that pass the bottom are lost. */
  shiftDown(from: number, count: number): void {
    this.#shift(from, count, this.bottom);
  }

  /** Removes `count` rows at `from`; those below move up. */
  shiftUp(from: number, count: number): void {
    this.#window.settleComplete();
    const last = Math.min(this.bottom, this.#window.length - 1);
    for (let i = from; i <= last; i++) {
      const source = i + count <= last ? this.#window.findRow(i + count) : undefined;
      this.#window.setRow(i, source ?? new ScreenRow());
    }
  }

  #shift(from: number, count: number, last: number): void {
    if (from >= this.#window.length) return;
    this.#window.settleComplete();
    for (let i = Math.min(last, this.#window.length - 1 + count); i >= from; i--) {
      const source = i - count >= from ? this.#window.findRow(i - count) : undefined;
      this.#window.setRow(i, source ?? new ScreenRow());
    }
    // The cursor may be on a row that is complete now, since the last one has moved down.
    this.#window.settleComplete();
  }
}
