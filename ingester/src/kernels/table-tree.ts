import type { PrintedTable } from '@joblens/core/metadata/metadata-reader';
import { LINES_LAYOUT } from './lines-module.js';

const { TREE_AT, TREE_BYTES, TREE_FIRST, TREE_LINE_ROOM, TREE_HEADER_BYTES, MAX_VALUES, OUTPUT_BYTES } = LINES_LAYOUT;
const { STEP_LITERAL, STEP_ESCAPED, STEP_FIELD, STEP_OTHER, STEP_NEXT, STEP_TABLE, STEP_BYTES } = LINES_LAYOUT;
const { TABLE_NUMBERS_KEY, TABLE_TEXTS_KEY, TABLE_COLUMNS, BUCKET_STATS, NUMBER_BYTES } = LINES_LAYOUT;

const FIRST_BYTES = 4096;
/** The ends of three points, and the excess of copies in blocks. */
const EXTRA_BYTES_OF_LINE = 256;
const NOWHERE = 0;

type TableLayout = PrintedTable['layout'];

/** Lines that begin alike: a way to go on for each text that was found there. */
interface Place {
  /** Where the address of the first step is. */
  readonly at: number;
  /** The longest text first: it may begin with a shorter one. */
  readonly steps: Step[];
}

interface Step {
  readonly at: number;
  readonly literal: Buffer;
  readonly field: string;
  readonly next: Place;
}

/**
 * How the lines of one job's tables are printed, as ingester/assembly/lines/metadata-layout.ts describes it. Addresses
 * are those in the kernel's memory.
 */
export class TableTree {
  #bytes = Buffer.alloc(0);
  #end = 0;
  #first: Place = { at: TREE_FIRST, steps: [] };
  #lineRoom = 0;
  /** By their addresses. */
  readonly #layouts = new Map<number, TableLayout>();
  /** All layouts that were added, also those too large or too unusual for the tree. */
  readonly #known = new Set<TableLayout>();
  /** Changes with each table that is added. */
  version = 0;

  get isEmpty(): boolean {
    return this.#layouts.size === 0;
  }

  /** Valid until a table is added. */
  get bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.#end);
  }

  has(layout: TableLayout): boolean {
    return this.#known.has(layout);
  }

  /** The table at an address. */
  layoutAt(address: number): TableLayout | undefined {
    return this.#layouts.get(address);
  }

  /** If there is no room, all others are forgotten: those that come again are added again. */
  add(table: PrintedTable): void {
    const size = measureTable(table);
    const isTooLarge =
      TREE_HEADER_BYTES + size.bytes > TREE_BYTES ||
      size.lineRoom > OUTPUT_BYTES / 2 ||
      table.layout.keys.length > MAX_VALUES;
    if (!isTooLarge) {
      if (this.#end + size.bytes > TREE_BYTES) this.#clear();
      this.#reserve(size.bytes);
      this.#addTable(table);
      this.#lineRoom = Math.max(this.#lineRoom, size.lineRoom);
      this.#bytes.writeInt32LE(this.#lineRoom, TREE_LINE_ROOM);
    }
    this.#known.add(table.layout);
    this.version += 1;
  }

  #addTable({ layout, template }: PrintedTable): void {
    let place = this.#first;
    let last: Step | undefined;
    for (const [i, literal] of template.literals.entries()) {
      const field = i < layout.keys.length ? `,${layout.fieldHeads[i] ?? ''}` : '';
      const known = place.steps.find((step) => step.literal.equals(literal));
      // The text before a value says its name.
      if (known !== undefined && known.field !== field) return;
      last = known ?? this.#addStep(place, Buffer.from(literal), template.escaped[i] ?? literal, field);
      place = last.next;
    }
    // The texts between the values say all keys, so only one table can end here.
    if (last === undefined || this.#bytes.readUInt32LE(last.at + STEP_TABLE) !== NOWHERE) return;
    const table = this.#allocate(TABLE_COLUMNS + 4 * layout.keys.length);
    this.#bytes.writeUInt32LE(TREE_AT + table, last.at + STEP_TABLE);
    this.#putPiece(table + TABLE_NUMBERS_KEY, Buffer.from(layout.numbersKey));
    this.#putPiece(table + TABLE_TEXTS_KEY, Buffer.from(layout.textsKey));
    layout.keys.forEach((_key, i) => this.#bytes.writeInt32LE(i, table + TABLE_COLUMNS + 4 * i));
    this.#layouts.set(TREE_AT + table, layout);
  }

  #addStep(place: Place, literal: Buffer, escaped: Uint8Array, field: string): Step {
    const at = this.#allocate(STEP_BYTES);
    const step = { at, literal, field, next: { at: at + STEP_NEXT, steps: [] } };
    this.#putPiece(at + STEP_LITERAL, literal);
    this.#putPiece(at + STEP_ESCAPED, escaped);
    this.#putPiece(at + STEP_FIELD, Buffer.from(field));
    const shorter = place.steps.findIndex((other) => other.literal.length < literal.length);
    place.steps.splice(shorter < 0 ? place.steps.length : shorter, 0, step);
    place.steps.forEach((other, i) => {
      const before = place.steps[i - 1];
      this.#bytes.writeUInt32LE(TREE_AT + other.at, before === undefined ? place.at : before.at + STEP_OTHER);
    });
    return step;
  }

  #putPiece(at: number, piece: Uint8Array): void {
    const start = this.#allocate(piece.length);
    this.#bytes.set(piece, start);
    this.#bytes.writeUInt32LE(TREE_AT + start, at);
    this.#bytes.writeInt32LE(piece.length, at + 4);
  }

  /** Returns where so many bytes are free, all of them 0. */
  #allocate(bytes: number): number {
    const at = this.#end;
    this.#end += bytes;
    return at;
  }

  #reserve(bytes: number): void {
    if (this.#end === 0) this.#end = TREE_HEADER_BYTES;
    const needed = this.#end + bytes;
    if (needed <= this.#bytes.length) return;
    const larger = Buffer.alloc(Math.max(needed, FIRST_BYTES, Math.min(TREE_BYTES, this.#bytes.length * 2)));
    larger.set(this.bytes);
    this.#bytes = larger;
  }

  #clear(): void {
    this.#bytes = Buffer.alloc(0);
    this.#end = TREE_HEADER_BYTES;
    this.#first = { at: TREE_FIRST, steps: [] };
    this.#lineRoom = 0;
    this.#layouts.clear();
    this.#known.clear();
  }
}

function countBytes(texts: ReadonlyArray<string | Uint8Array>): number {
  return texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
}

/** The most bytes that a table takes, and the most that the points of its line take beside those of the line itself. */
function measureTable({ layout, template }: PrintedTable): { readonly bytes: number; readonly lineRoom: number } {
  const fields = layout.fieldHeads.map((head) => `,${head}`);
  const texts = [...template.literals, ...template.escaped, ...fields];
  const pieces = countBytes([...texts, layout.numbersKey, layout.textsKey]);
  const values = layout.keys.length;
  const bytes = pieces + (values + 1) * STEP_BYTES + TABLE_COLUMNS + 4 * values;
  // An integer beyond 2^53 has a field of numbers and one of texts.
  const points = pieces + countBytes(fields) + EXTRA_BYTES_OF_LINE;
  return { bytes, lineRoom: points + BUCKET_STATS * (points + values * NUMBER_BYTES) };
}
