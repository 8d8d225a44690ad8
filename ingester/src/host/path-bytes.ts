import { isUtf8 } from 'node:buffer';

/** A byte of a name that is no UTF-8, as text: a half of a surrogate pair, which no UTF-8 gives. */
const FIRST_HALF = 0xdc00;
const HALF = /[\udc80-\udcff]/gu;
const LINE_FEED = 0x0a;
/** The length of the longest sequence of UTF-8. */
const LONGEST = 4;

/** A path as text, from which toPathBytes gives the same bytes again. */
export function toPathText(bytes: Buffer): string {
  if (isUtf8(bytes)) return bytes.toString();
  const lineEnd = bytes.indexOf(LINE_FEED);
  if (lineEnd < 0 || lineEnd === bytes.length - 1) return toText(bytes);
  // In the answer of a program a few lines have such bytes, and only these are looked at one by one.
  const texts: string[] = [];
  for (let at = 0; at < bytes.length;) {
    const end = bytes.indexOf(LINE_FEED, at) + 1 || bytes.length;
    const line = bytes.subarray(at, end);
    texts.push(isUtf8(line) ? line.toString() : toText(line));
    at = end;
  }
  return texts.join('');
}

function toText(bytes: Buffer): string {
  let text = '';
  for (let at = 0; at < bytes.length;) {
    const length = findSequence(bytes, at);
    text += length === 0 ? String.fromCharCode(FIRST_HALF + (bytes[at] ?? 0)) : bytes.toString('utf8', at, at + length);
    at += Math.max(1, length);
  }
  return text;
}

/** For the system: the text, or its bytes where they are no UTF-8. */
export function toPathBytes(path: string): string | Buffer {
  if (path.search(HALF) < 0) return path;
  const pieces = path.split(HALF).map((piece) => Buffer.from(piece));
  const halves = [...path.matchAll(HALF)].map(([half]) => Buffer.from([half.charCodeAt(0) - FIRST_HALF]));
  return Buffer.concat(pieces.flatMap((piece, i) => [piece, halves[i] ?? Buffer.alloc(0)]));
}

/** The path for people: a byte that is no UTF-8 as `\xe9`. */
export function showPath(path: string): string {
  return path.replace(HALF, (half) => `\\x${(half.charCodeAt(0) - FIRST_HALF).toString(16)}`);
}

/** The length of the character that begins there; 0 if none does. */
function findSequence(bytes: Buffer, at: number): number {
  for (let length = 1; length <= LONGEST && at + length <= bytes.length; length += 1) {
    if (isUtf8(bytes.subarray(at, at + length))) return length;
  }
  return 0;
}
