import type { Environment } from './host.js';

/** What the user's terminal can show. */
export type Charset = 'utf-8' | 'ascii';

/**
 * The charset of the locale: the first of LC_ALL, LC_CTYPE and LANG that is not empty decides (POSIX, 8.2). `C`,
 * `POSIX`, and those of other charsets than UTF-8 are ASCII here. Containers and services often have no locale, and
 * nearly every terminal shows UTF-8, so that is what none means.
 */
export function readCharset({ LC_ALL, LC_CTYPE, LANG }: Environment): Charset {
  const locale = [LC_ALL, LC_CTYPE, LANG].find(Boolean);
  return locale === undefined || /utf-?8/i.test(locale) ? 'utf-8' : 'ascii';
}

/** What ends a text that is cut. */
export function ellipsisOf(charset: Charset): string {
  return charset === 'ascii' ? '...' : '…';
}

/** What stands for a character that is not shown. */
export function unknownMarkOf(charset: Charset): string {
  return charset === 'ascii' ? '?' : '\ufffd';
}

/**
 * A text of Joblens itself as this charset has it; names of others in it stay as they are. Beyond ASCII, Joblens prints
 * these two signs and the graphs of `plot`.
 */
export function showOwnText(text: string, charset: Charset): string {
  return showUnknown(text.replaceAll('…', ellipsisOf(charset)), charset);
}

/** A text that has marks for characters of others that are not shown. */
export function showUnknown(text: string, charset: Charset): string {
  return text.replaceAll('\ufffd', unknownMarkOf(charset));
}
