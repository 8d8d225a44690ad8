import type { PrintedTable } from '@joblens/core';
import { LINES_LAYOUT } from './lines-module.js';

const { TEMPLATE_AT, TEMPLATE_BYTES, TEMPLATE_COUNT, TEMPLATE_FIXED_BYTES, MAX_VALUES } = LINES_LAYOUT;
const { TEMPLATE_NUMBERS_KEY, TEMPLATE_TEXTS_KEY, TEMPLATE_PARTS } = LINES_LAYOUT;
const { PART_LITERAL, PART_ESCAPED, PART_FIELD, PART_BYTES } = LINES_LAYOUT;

/** The ends of three points, and the excess of copies in blocks. */
const EXTRA_BYTES_OF_LINE = 256;

/**
 * Formats the shared parts of one table's lines as ingester/assembly/lines/metadata-layout.ts describes them; undefined
 * if they do not fit.
 */
export function formatTemplate({ layout, template }: PrintedTable): Uint8Array | undefined {
  const count = layout.keys.length;
  const head = new DataView(new ArrayBuffer(TEMPLATE_PARTS + (count + 1) * PART_BYTES));
  const pieces: Uint8Array[] = [];
  let next = TEMPLATE_AT + head.byteLength;
  const addPiece = (offset: number, piece: Uint8Array): void => {
    head.setInt32(offset, next, true);
    head.setInt32(offset + 4, piece.length, true);
    pieces.push(piece);
    next += piece.length;
  };
  addPiece(TEMPLATE_NUMBERS_KEY, Buffer.from(layout.numbersKey));
  addPiece(TEMPLATE_TEXTS_KEY, Buffer.from(layout.textsKey));
  template.literals.forEach((literal, i) => {
    const part = TEMPLATE_PARTS + i * PART_BYTES;
    addPiece(part + PART_LITERAL, literal);
    addPiece(part + PART_ESCAPED, template.escaped[i] ?? literal);
    addPiece(part + PART_FIELD, Buffer.from(`,${layout.fieldHeads[i] ?? ''}`));
  });
  const bytes = next - TEMPLATE_AT;
  if (bytes > TEMPLATE_BYTES || count > MAX_VALUES) return undefined;
  head.setInt32(TEMPLATE_COUNT, count, true);
  head.setInt32(TEMPLATE_FIXED_BYTES, bytes + EXTRA_BYTES_OF_LINE, true);
  return Buffer.concat([new Uint8Array(head.buffer), ...pieces]);
}
