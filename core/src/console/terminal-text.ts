import { columnsOfCodePoint, columnsOfText } from './column-width.js';

/** A text that others have chosen, on one line and without characters that control a terminal or change directions. */
export function toVisibleText(text: string): string {
  return text.replace(/\s+/g, ' ').replace(/\p{C}/gu, '\ufffd');
}

/** A text that others have chosen, for a program or a pager: of control characters, its lines and tabs stay. */
export function replaceControls(text: string, mark = '\ufffd'): string {
  return text.replaceAll('\r\n', '\n').replace(CONTROLS, mark);
}

/** What controls a terminal or changes the direction of text; a carriage return alone goes back over a line. */
const CONTROLS = /(?![\t\n])[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu;

/** A text of at most `width` columns; the ellipsis ends one that is cut. */
export function cutToColumns(text: string, width: number, ellipsis = '…'): string {
  if (columnsOfText(text) <= width) return text;
  const end = ellipsis.slice(0, Math.max(1, width));
  const room = width - columnsOfText(end);
  let columns = 0;
  let kept = '';
  for (const character of text) {
    columns += columnsOfCodePoint(character.codePointAt(0) ?? 0);
    if (columns > room) break;
    kept += character;
  }
  return kept + end;
}
