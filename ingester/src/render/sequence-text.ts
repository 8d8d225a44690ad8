/** BEL, CAN, SUB, ESC and LF end a string. In a DCS, LF does not: its pictures have lines. */
const STRING_ENDS = new Set([0x07, 0x0a, 0x18, 0x1a, 0x1b]);

/** Character code that ends a CSI. */
export function isCsiFinal(code: number): boolean {
  return code >= 0x40 && code < 0x7f;
}

/** Index of the character that ends a control string of this kind, or the end of `text`. */
export function findStringEnd(text: string, start: number, kind: string): number {
  let i = start;
  for (; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (STRING_ENDS.has(code) && !(code === 0x0a && kind === 'P')) break;
  }
  return i;
}

/** Whether there are only digits, `;` and `:`: no private prefix, no intermediates. */
export function isPlainParameters(raw: string): boolean {
  for (let i = 0; i < raw.length; i++) {
    const code = raw.charCodeAt(i);
    if (code < 0x30 || code > 0x3b) return false;
  }
  return true;
}
