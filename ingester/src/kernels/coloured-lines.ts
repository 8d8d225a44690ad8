/** Where lines end, with their LF, in their coloured forms and in their texts. There may be more entries than lines. */
export interface LineEnds {
  readonly ends: Uint32Array;
  readonly textEnds: Uint32Array;
}

/** The coloured forms of whole lines. Valid as long as the lines are. */
export interface ColouredLines extends LineEnds {
  /** UTF-8: each line in its shortest coloured form, which is its text if it has no colours, ended by LF. */
  readonly bytes: Buffer;
}

/** Whether the line with this number has colours. */
export function isColoured({ ends, textEnds }: LineEnds, line: number): boolean {
  return sizeOf(ends, line) !== sizeOf(textEnds, line);
}

/** The coloured form of the line with this number; undefined if it has no colours. */
export function readColoured(lines: ColouredLines, line: number): string | undefined {
  if (!isColoured(lines, line)) return undefined;
  return lines.bytes.toString('utf8', startOf(lines.ends, line), (lines.ends[line] ?? 0) - 1);
}

/** Where the line with this number begins. */
export function startOf(ends: Uint32Array, line: number): number {
  return line === 0 ? 0 : (ends[line - 1] ?? 0);
}

/** The number of the first line that ends behind a byte: of the line that begins there. */
export function findLine(ends: Uint32Array, count: number, byte: number): number {
  let low = 0;
  for (let high = count; low < high;) {
    const middle = (low + high) >> 1;
    if ((ends[middle] ?? 0) <= byte) low = middle + 1;
    else high = middle;
  }
  return low;
}

function sizeOf(ends: Uint32Array, line: number): number {
  return (ends[line] ?? 0) - startOf(ends, line);
}
