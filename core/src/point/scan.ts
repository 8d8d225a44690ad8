/** Why one line is not a point, in InfluxDB's words. Thrown and caught within the parser of line protocol. */
export class LineError extends Error {
  override readonly name = 'LineError';
}

/** The position after spaces, tabs and NULs, which InfluxDB takes for white space. */
export function skipWhitespace(text: string, position: number): number {
  let i = position;
  while (text[i] === ' ' || text[i] === '\t' || text[i] === '\0') {
    i += 1;
  }
  return i;
}

/** The position of the comma or space that ends a number or a boolean, or the line's end. */
export function scanWordEnd(text: string, position: number): number {
  let i = position;
  while (i < text.length && text[i] !== ',' && text[i] !== ' ') {
    i += 1;
  }
  return i;
}
