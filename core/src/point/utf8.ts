/** The number of bytes that a text takes as UTF-8. A lone surrogate counts as U+FFFD, three bytes. */
export function utf8Length(text: string): number {
  let bytes = text.length;
  for (let i = 0; i < text.length; i += 1) {
    const unit = text.charCodeAt(i);
    if (unit < 0x80) {
      continue;
    }
    if (unit < 0x800) {
      bytes += 1;
      continue;
    }
    bytes += 2;
    if (isPairAt(text, i)) {
      i += 1;
    }
  }
  return bytes;
}

/**
 * Where to cut a text so that the piece from `start` holds as many whole characters as fit into `maxBytes` of UTF-8.
 */
export function cutUtf8(text: string, start: number, maxBytes: number): number {
  let bytes = 0;
  let i = start;
  while (i < text.length) {
    const unit = text.charCodeAt(i);
    const pair = unit >= 0x800 && isPairAt(text, i);
    bytes += pair ? 4 : unit < 0x80 ? 1 : unit < 0x800 ? 2 : 3;
    if (bytes > maxBytes) {
      return i;
    }
    i += pair ? 2 : 1;
  }
  return i;
}

/** The UTF-8 bytes of a text. A lone surrogate becomes U+FFFD. */
export function encodeUtf8(text: string): Uint8Array {
  const bytes = new Uint8Array(utf8Length(text));
  let length = 0;
  for (const character of toWellFormed(text)) {
    const point = character.codePointAt(0) ?? 0;
    if (point < 0x80) {
      bytes[length++] = point;
      continue;
    }
    const following = point < 0x800 ? 1 : point < 0x10000 ? 2 : 3;
    bytes[length++] = ((0xff00 >> (following + 1)) & 0xff) | (point >> (6 * following));
    for (let rest = following - 1; rest >= 0; rest -= 1) {
      bytes[length++] = 0x80 | ((point >> (6 * rest)) & 0x3f);
    }
  }
  return bytes;
}

/**
 * The text with each lone surrogate, which UTF-8 cannot carry, replaced by U+FFFD (as String.prototype.toWellFormed of
 * ES2024).
 */
export function toWellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '\ufffd');
}

/**
 * Orders by code point, which is also the order of the UTF-8 bytes; `<` on strings orders by UTF-16 unit and differs
 * above U+FFFF.
 */
export function compareCodePoints(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i += 1) {
    const left = a.charCodeAt(i);
    const right = b.charCodeAt(i);
    if (left !== right) {
      const leftIsSurrogate = isSurrogate(left);
      return leftIsSurrogate === isSurrogate(right) ? left - right : leftIsSurrogate ? 1 : -1;
    }
  }
  return a.length - b.length;
}

function isSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdfff;
}

function isPairAt(text: string, i: number): boolean {
  const high = text.charCodeAt(i);
  if (high < 0xd800 || high > 0xdbff) {
    return false;
  }
  const low = text.charCodeAt(i + 1);
  return low >= 0xdc00 && low <= 0xdfff;
}
