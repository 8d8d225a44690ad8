const QUOTE = '"';
const SEPARATORS = [',', ';', '\t'] as const;
/** A longer cell means that a quote is missing. */
const MAX_CELL_UNITS = 16 * 1024 * 1024;

/** Cuts the bytes of CSV (RFC 4180, also with semicolons or tabs) into records of cells. */
export class CsvRecords {
  readonly #decoder = new TextDecoder();
  #separator: string | undefined;
  /** What is not cut yet, from the beginning of a record on. */
  #rest = '';
  /** How much of it is looked through, and whether that ends within quotes. */
  #seen = 0;
  isInQuotes = false;

  *add(chunk: Buffer): Generator<readonly string[]> {
    this.#rest += this.#decoder.decode(chunk, { stream: true });
    yield* this.#cut();
    if (this.#rest.length <= MAX_CELL_UNITS) return;
    yield this.#split(this.#rest);
    this.#rest = '';
    this.#seen = 0;
    this.isInQuotes = false;
  }

  *end(): Generator<readonly string[]> {
    this.#rest += this.#decoder.decode();
    yield* this.#cut();
    if (this.#rest !== '') yield this.#split(this.#rest);
  }

  *#cut(): Generator<readonly string[]> {
    const text = this.#rest;
    let from = 0;
    let at = this.#seen;
    let quote = text.indexOf(QUOTE, at);
    for (;;) {
      const lf = this.isInQuotes ? -1 : text.indexOf('\n', at);
      if (quote >= 0 && (lf < 0 || quote < lf)) {
        this.isInQuotes = !this.isInQuotes;
        at = quote + 1;
        quote = text.indexOf(QUOTE, at);
      } else if (lf < 0) {
        break;
      } else {
        yield this.#split(text.slice(from, text[lf - 1] === '\r' ? Math.max(from, lf - 1) : lf));
        at = from = lf + 1;
      }
    }
    this.#rest = text.slice(from);
    this.#seen = this.#rest.length;
  }

  #split(record: string): readonly string[] {
    this.#separator ??= findSeparator(record);
    const separator = this.#separator;
    if (!record.includes(QUOTE)) return record.split(separator);
    const cells: string[] = [];
    for (let at = 0; at <= record.length;) {
      const [cell, end] = record[at] === QUOTE ? readQuoted(record, at, separator) : readPlain(record, at, separator);
      cells.push(cell);
      at = end + 1;
    }
    return cells;
  }
}

/** The one that is most often in the heading. */
function findSeparator(heading: string): string {
  const counts = SEPARATORS.map((separator) => [separator, heading.split(separator).length] as const);
  return counts.reduce((best, each) => (each[1] > best[1] ? each : best))[0];
}

type Cell = readonly [text: string, end: number];

function readPlain(record: string, from: number, separator: string): Cell {
  const found = record.indexOf(separator, from);
  const end = found < 0 ? record.length : found;
  return [record.slice(from, end), end];
}

/** Two quotes within quotes are one. */
function readQuoted(record: string, from: number, separator: string): Cell {
  let text = '';
  let at = from + 1;
  for (;;) {
    const quote = record.indexOf(QUOTE, at);
    if (quote < 0) return [text + record.slice(at), record.length];
    text += record.slice(at, quote);
    if (record[quote + 1] !== QUOTE) {
      const [behind, end] = readPlain(record, quote + 1, separator);
      return [text + behind, end];
    }
    text += QUOTE;
    at = quote + 2;
  }
}
