/**
 * Characters that a terminal draws in two columns: East Asian wide and fullwidth ones, and emoji (Unicode 16,
 * EastAsianWidth W and F).
 */
// prettier-ignore
const WIDE_RANGES: readonly (readonly [number, number])[] = [
  [0x1100, 0x115f], [0x231a, 0x231b], [0x2329, 0x232a], [0x23e9, 0x23ec], [0x23f0, 0x23f0], [0x23f3, 0x23f3],
  [0x25fd, 0x25fe], [0x2614, 0x2615], [0x2630, 0x2637], [0x2648, 0x2653], [0x267f, 0x267f], [0x268a, 0x268f],
  [0x2693, 0x2693], [0x26a1, 0x26a1], [0x26aa, 0x26ab], [0x26bd, 0x26be], [0x26c4, 0x26c5], [0x26ce, 0x26ce],
  [0x26d4, 0x26d4], [0x26ea, 0x26ea], [0x26f2, 0x26f3], [0x26f5, 0x26f5], [0x26fa, 0x26fa], [0x26fd, 0x26fd],
  [0x2705, 0x2705], [0x270a, 0x270b], [0x2728, 0x2728], [0x274c, 0x274c], [0x274e, 0x274e], [0x2753, 0x2755],
  [0x2757, 0x2757], [0x2795, 0x2797], [0x27b0, 0x27b0], [0x27bf, 0x27bf], [0x2b1b, 0x2b1c], [0x2b50, 0x2b50],
  [0x2b55, 0x2b55], [0x2e80, 0x303e], [0x3041, 0xa4cf], [0xa960, 0xa97f], [0xac00, 0xd7a3], [0xf900, 0xfaff],
  [0xfe10, 0xfe19], [0xfe30, 0xfe6f], [0xff01, 0xff60], [0xffe0, 0xffe6], [0x16fe0, 0x18dff], [0x1aff0, 0x1b2ff],
  [0x1d300, 0x1d376], [0x1f004, 0x1f004], [0x1f0cf, 0x1f0cf], [0x1f18e, 0x1f18e], [0x1f191, 0x1f19a],
  [0x1f200, 0x1f320], [0x1f32d, 0x1f335], [0x1f337, 0x1f37c], [0x1f37e, 0x1f393], [0x1f3a0, 0x1f3ca],
  [0x1f3cf, 0x1f3d3], [0x1f3e0, 0x1f3f0], [0x1f3f4, 0x1f3f4], [0x1f3f8, 0x1f43e], [0x1f440, 0x1f440],
  [0x1f442, 0x1f4fc], [0x1f4ff, 0x1f53d], [0x1f54b, 0x1f54e], [0x1f550, 0x1f567], [0x1f57a, 0x1f57a],
  [0x1f595, 0x1f596], [0x1f5a4, 0x1f5a4], [0x1f5fb, 0x1f64f], [0x1f680, 0x1f6c5], [0x1f6cc, 0x1f6cc],
  [0x1f6d0, 0x1f6d2], [0x1f6d5, 0x1f6d7], [0x1f6dc, 0x1f6df], [0x1f6eb, 0x1f6ec], [0x1f6f4, 0x1f6fc],
  [0x1f7e0, 0x1f7eb], [0x1f7f0, 0x1f7f0], [0x1f90c, 0x1f93a], [0x1f93c, 0x1f945], [0x1f947, 0x1f9ff],
  [0x1fa70, 0x1faff], [0x20000, 0x2fffd], [0x30000, 0x3fffd],
];

/** Combining marks, format characters (ZWJ, BOM), Hangul vowels, C1 controls. */
const ZERO_WIDTH = /^[\p{Mn}\p{Me}\p{Cf}\u1160-\u11ff\u0080-\u009f]$/u;

/** Characters of one UTF-16 unit and one column: ASCII, Latin, arrows, mathematics, boxes, blocks, braille, U+FFFD. */
const NARROW_TEXT = /^[\x20-\x7e\xa0-\xac\xae-\u02ff\u2190-\u2319\u2500-\u25fc\u2800-\u28ff\ufffd]*$/;

/** Columns of each code point, plus 1; 0 while they are not known. */
const knownColumns = /* @__PURE__ */ new Uint8Array(0x110000);

/** Columns that a terminal gives to a code point: 0, 1 or 2. */
export function columnsOfCodePoint(codePoint: number): number {
  const known = knownColumns[codePoint];
  if (known !== undefined && known > 0) return known - 1;
  const columns = inferColumns(codePoint);
  knownColumns[codePoint] = columns + 1;
  return columns;
}

function inferColumns(codePoint: number): number {
  if (codePoint === 0xad) return 1;
  if (ZERO_WIDTH.test(String.fromCodePoint(codePoint))) return 0;
  return WIDE_RANGES.some(([first, last]) => codePoint >= first && codePoint <= last) ? 2 : 1;
}

/** Whether every UTF-16 unit of `text` takes one column, so that columns are offsets. */
export function isNarrowText(text: string): boolean {
  return NARROW_TEXT.test(text);
}

/** Columns of a text without control characters. */
export function columnsOfText(text: string): number {
  if (NARROW_TEXT.test(text)) return text.length;
  let columns = 0;
  for (let i = 0; i < text.length; i++) {
    const codePoint = text.codePointAt(i) ?? 0;
    columns += columnsOfCodePoint(codePoint);
    if (codePoint > 0xffff) i++;
  }
  return columns;
}
