/** Dots of a braille character, by row and column: the bits of U+2800 (Unicode, Braille Patterns). */
const BITS = [
  [0x01, 0x08],
  [0x02, 0x10],
  [0x04, 0x20],
  [0x40, 0x80],
] as const;
const [DOTS_WIDE, DOTS_HIGH] = [2, 4];

/** A drawing of dots, 2 by 4 in each character. The dot 0, 0 is at the bottom left. */
export class BrailleCanvas {
  readonly width: number;
  readonly height: number;
  readonly #columns: number;
  readonly #bits: Uint8Array;
  /** The number of the ink that drew last in a character, from 1; 0 is none. */
  readonly #inks: Uint8Array;

  constructor(columns: number, rows: number) {
    this.#columns = columns;
    this.width = columns * DOTS_WIDE;
    this.height = rows * DOTS_HIGH;
    this.#bits = new Uint8Array(columns * rows);
    this.#inks = new Uint8Array(columns * rows);
  }

  /** A straight line of dots between two points, whose coordinates are rounded. */
  drawLine([fromX, fromY]: Dot, [toX, toY]: Dot, ink: number): void {
    const steps = Math.max(1, Math.round(Math.max(Math.abs(toX - fromX), Math.abs(toY - fromY))));
    for (let i = 0; i <= steps; i++) {
      this.#setDot(
        Math.round(fromX + ((toX - fromX) * i) / steps),
        Math.round(fromY + ((toY - fromY) * i) / steps),
        ink
      );
    }
  }

  #setDot(x: number, y: number, ink: number): void {
    if (x < 0 || y < 0 || x >= this.width || y >= this.height) return;
    const fromTop = this.height - 1 - y;
    const at = Math.floor(fromTop / DOTS_HIGH) * this.#columns + Math.floor(x / DOTS_WIDE);
    this.#bits[at] = (this.#bits[at] ?? 0) | (BITS[fromTop % DOTS_HIGH]?.[x % DOTS_WIDE] ?? 0);
    this.#inks[at] = ink;
  }

  /** The lines of the drawing, each character coloured by its ink. */
  formatLines(colorize: (text: string, ink: number) => string): string[] {
    const lines: string[] = [];
    for (let start = 0; start < this.#bits.length; start += this.#columns) {
      const end = start + this.#columns;
      let line = '';
      for (let at = start; at < end;) {
        const ink = this.#inkAt(at);
        const from = at;
        while (at < end && this.#inkAt(at) === ink) at++;
        const text = this.#textOf(from, at);
        line += ink === undefined ? text : colorize(text, ink);
      }
      lines.push(line.trimEnd());
    }
    return lines;
  }

  /** Undefined where nothing is drawn. */
  #inkAt(at: number): number | undefined {
    return this.#bits[at] ? this.#inks[at] : undefined;
  }

  #textOf(from: number, end: number): string {
    return Array.from(this.#bits.slice(from, end), (bits) =>
      bits === 0 ? ' ' : String.fromCodePoint(0x2800 + bits)
    ).join('');
  }
}

/** X to the right and Y upwards, in dots. */
export type Dot = readonly [x: number, y: number];
