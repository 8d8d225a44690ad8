/** How a character shows dots. */
export interface DotCharacters {
  /** The bit of each dot, by row and column. */
  readonly bits: readonly (readonly number[])[];
  readonly show: (bits: number) => string;
}

/** 2 by 4 dots: the bits of U+2800 (Unicode, Braille Patterns). */
export const BRAILLE: DotCharacters = {
  bits: [
    [0x01, 0x08],
    [0x02, 0x10],
    [0x04, 0x20],
    [0x40, 0x80],
  ],
  show: (bits) => String.fromCodePoint(0x2800 + bits),
};

/** Two dots, one above the other. */
export const ASCII_DOTS: DotCharacters = { bits: [[1], [2]], show: (bits) => "'.:".charAt(bits - 1) };

/** A drawing of dots, several in each character. The dot 0, 0 is at the bottom left. */
export class DotCanvas {
  readonly width: number;
  readonly height: number;
  readonly #columns: number;
  readonly #bits: Uint8Array;
  /** The number of the ink that drew last in a character, from 1; 0 is none. */
  readonly #inks: Uint8Array;
  readonly #characters: DotCharacters;
  readonly #dotsWide: number;

  constructor(columns: number, rows: number, characters: DotCharacters) {
    this.#columns = columns;
    this.#characters = characters;
    this.#dotsWide = characters.bits[0]?.length ?? 1;
    this.width = columns * this.#dotsWide;
    this.height = rows * characters.bits.length;
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
    const { bits } = this.#characters;
    const at = Math.floor(fromTop / bits.length) * this.#columns + Math.floor(x / this.#dotsWide);
    this.#bits[at] = (this.#bits[at] ?? 0) | (bits[fromTop % bits.length]?.[x % this.#dotsWide] ?? 0);
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
    return Array.from(this.#bits.slice(from, end), (bits) => (bits === 0 ? ' ' : this.#characters.show(bits))).join('');
  }
}

/** X to the right and Y upwards, in dots. */
export type Dot = readonly [x: number, y: number];
