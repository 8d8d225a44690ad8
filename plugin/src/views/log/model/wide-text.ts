import { columnsOfCodePoint } from '@joblens/core/console/column-width';

/** A stretch of text that needs no care, or one character of two columns with the marks that combine with it. */
export interface TextStretch {
  readonly text: string;
  readonly isWide: boolean;
}

/** Two of them are one flag, in two columns. */
function isRegionalIndicator(codePoint: number): boolean {
  return codePoint >= 0x1f1e6 && codePoint <= 0x1f1ff;
}

/**
 * Divides a text where a terminal gives two columns to a character (East Asian ones, emoji). The fonts of a page give
 * them other widths, so that columns would not stay in line.
 */
export function splitWideText(text: string): readonly TextStretch[] {
  const stretches: { text: string; isWide: boolean }[] = [];
  let openFlag: { text: string } | undefined;
  for (const character of text) {
    const codePoint = character.codePointAt(0) ?? 0;
    const columns = columnsOfCodePoint(codePoint);
    const last = stretches[stretches.length - 1];
    if (openFlag !== undefined && isRegionalIndicator(codePoint)) {
      openFlag.text += character;
      openFlag = undefined;
    } else if (columns === 2 || isRegionalIndicator(codePoint)) {
      const stretch = { text: character, isWide: true };
      stretches.push(stretch);
      openFlag = columns === 2 ? undefined : stretch;
    } else if (last !== undefined && (columns === 0 || !last.isWide)) {
      last.text += character;
    } else {
      stretches.push({ text: character, isWide: false });
      openFlag = undefined;
    }
  }
  return stretches;
}
