import { toWellFormed } from '../point/utf8.js';

/**
 * Names on their way through line protocol. There, tag values and field keys cannot hold a newline or be empty, and
 * they lose a leading tab or NUL. InfluxDB 1.x, 2.x and 3.x disagree on a backslash before some characters. These few
 * are carried behind U+241B (␛): a control character as ␛ and the character 0x40 above it (DEL as ␛?), such a backslash
 * as ␛/, the empty string as ␛0, and ␛ itself as ␛␛. Every other name is stored as it is.
 */
const ESCAPE = '\u241b';
const ESCAPED_BACKSLASH = `${ESCAPE}/`;
const ESCAPED_EMPTY = `${ESCAPE}0`;
const CONTROL_OFFSET = 0x40;

/** Storable form of a tag value or field key; a lone surrogate becomes U+FFFD. */
export function encodeName(name: string): string {
  if (name === '') {
    return ESCAPED_EMPTY;
  }
  for (let i = 0; i < name.length; i += 1) {
    const unit = name.charCodeAt(i);
    // Only these need a closer look: controls, backslash, DEL, ␛, surrogates.
    if (unit < 0x20 || unit === 0x5c || unit === 0x7f || unit === 0x241b || (unit & 0xf800) === 0xd800) {
      return encodeCarefully(toWellFormed(name));
    }
  }
  return name;
}

/**
 * The name of a stored tag value or field key; the inverse of encodeName. Text that encodeName never writes stays as it
 * is.
 */
export function decodeName(stored: string): string {
  if (!stored.includes(ESCAPE)) {
    return stored;
  }
  if (stored === ESCAPED_EMPTY) {
    return '';
  }
  return stored.replace(/\u241b([\u241b/?@-_])/g, (_match, code: string) => {
    switch (code) {
      case ESCAPE:
        return ESCAPE;
      case '/':
        return '\\';
      case '?':
        return '\x7f';
      default:
        return String.fromCharCode(code.charCodeAt(0) - CONTROL_OFFSET);
    }
  });
}

export const encodeTagValue = encodeName;
export const decodeTagValue = decodeName;

function encodeCarefully(name: string): string {
  let stored = '';
  for (let i = 0; i < name.length; i += 1) {
    const unit = name.charCodeAt(i);
    if (unit < 0x20) {
      stored += ESCAPE + String.fromCharCode(unit + CONTROL_OFFSET);
    } else if (unit === 0x7f) {
      stored += `${ESCAPE}?`;
    } else if (unit === 0x241b) {
      stored += ESCAPE + ESCAPE;
    } else if (unit === 0x5c && isReadAsEscape(name[i + 1])) {
      stored += ESCAPED_BACKSLASH;
    } else {
      stored += name.charAt(i);
    }
  }
  return stored;
}

/** Whether some InfluxDB reads a backslash before this character as an escape. */
function isReadAsEscape(next: string | undefined): boolean {
  return next === undefined || next === ',' || next === '=' || next === ' ' || next === '\\' || next === '"';
}
