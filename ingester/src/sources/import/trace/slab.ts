const [COMMA, OPEN_BRACE, CLOSE_BRACE] = [0x2c, 0x7b, 0x7d];
/** Where a text or a list holds what looks like the border of two events, the one before it is tried. */
const MAX_TRIES = 3;
const MAX_LOOKS = 300;

/** Events that follow one another, and the index behind them. */
interface Slab {
  readonly events: readonly unknown[];
  readonly end: number;
}

/**
 * Parses as many whole events as the data holds from here on; undefined where JSON.parse finds a fault in them. The
 * border of two events is guessed. If JSON.parse takes what is before it as a list, it is one: elsewhere, something is
 * open.
 */
export function parseSlab(data: Buffer, from: number): Slab | undefined {
  let tries = 0;
  let at = data.length;
  for (let look = 0; look < MAX_LOOKS && tries < MAX_TRIES; look += 1) {
    at = data.lastIndexOf(OPEN_BRACE, at - 1);
    if (at <= from) return undefined;
    const end = findBorder(data, at);
    if (end === undefined) continue;
    tries += 1;
    try {
      const events = JSON.parse(`[${data.toString('utf8', from, end)}]`) as readonly unknown[];
      return { events, end };
    } catch {
      // Not a border, or a fault before it.
    }
  }
  return undefined;
}

/** The index behind the brace that ends the event before this one. */
function findBorder(data: Buffer, brace: number): number | undefined {
  const comma = skipSpaceBack(data, brace - 1);
  if (data[comma] !== COMMA) return undefined;
  const end = skipSpaceBack(data, comma - 1);
  return data[end] === CLOSE_BRACE ? end + 1 : undefined;
}

function skipSpaceBack(data: Buffer, from: number): number {
  let at = from;
  while ((data[at] ?? 0xff) <= 0x20) at -= 1;
  return at;
}
