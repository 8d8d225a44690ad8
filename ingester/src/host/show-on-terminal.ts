import { columnsOfCodePoint } from '@joblens/core/console/column-width';
import type { Charset } from './charset.js';

/** A text of anyone as a terminal of this charset can show it, in as many columns as it had. */
export function showOnTerminal(text: string, charset: Charset): string {
  if (charset !== 'ascii') return text;
  return text.replace(/[^\0-\x7f]/gu, (character) => '?'.repeat(columnsOfCodePoint(character.codePointAt(0) ?? 0)));
}
