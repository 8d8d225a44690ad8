import type { PrintedTable } from '@joblens/core';

/** Where in the memory a template may stand, and how much room there is. */
export interface TemplatePlace {
  readonly address: number;
  readonly bytes: number;
  readonly values: number;
}

// As ingester/assembly/lines/metadata-lines.ts reads them, in integers of 4 bytes.
const HEADER_INTEGERS = 6;
const PART_INTEGERS = 6;
/** The ends of three points, and what is copied in blocks. */
const EXTRA_BYTES_OF_LINE = 256;

/** What the lines of one table share, as the kernel reads it; undefined where there is no room for it. */
export function formatTemplate({ layout, template }: PrintedTable, place: TemplatePlace): Uint8Array | undefined {
  const count = layout.keys.length;
  const integers = new Int32Array(HEADER_INTEGERS + (count + 1) * PART_INTEGERS);
  const pieces: Uint8Array[] = [];
  let next = place.address + integers.byteLength;
  const addPiece = (index: number, piece: Uint8Array): void => {
    integers[index] = next;
    integers[index + 1] = piece.length;
    pieces.push(piece);
    next += piece.length;
  };
  addPiece(2, Buffer.from(layout.numbersKey));
  addPiece(4, Buffer.from(layout.textsKey));
  template.literals.forEach((literal, i) => {
    const part = HEADER_INTEGERS + i * PART_INTEGERS;
    addPiece(part, literal);
    addPiece(part + 2, template.escaped[i] ?? literal);
    addPiece(part + 4, Buffer.from(`,${layout.fieldHeads[i] ?? ''}`));
  });
  const bytes = next - place.address;
  if (bytes > place.bytes || count > place.values) return undefined;
  integers[0] = count;
  integers[1] = bytes + EXTRA_BYTES_OF_LINE;
  return Buffer.concat([new Uint8Array(integers.buffer), ...pieces]);
}
