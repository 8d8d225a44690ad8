import type { PanelLogLine } from './log-model.js';
import { stripSgr } from './sgr.js';

export interface LogSearch {
  readonly text: string;
  readonly isRegex: boolean;
  readonly isCaseSensitive: boolean;
}

/** What a line must contain, for this page and for the store. */
export interface LinePattern {
  readonly regex: RegExp;
  /** For the store, in the syntax of RE2. */
  readonly source: string;
}

export type CompiledSearch =
  | { readonly kind: 'none' }
  | { readonly kind: 'wrong'; readonly reason: string }
  | { readonly kind: 'ready'; readonly pattern: LinePattern };

export const NO_SEARCH: LogSearch = { text: '', isRegex: false, isCaseSensitive: false };

function escapeRegex(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}

export function compileSearch({ text, isRegex, isCaseSensitive }: LogSearch): CompiledSearch {
  if (text === '') return { kind: 'none' };
  const source = isRegex ? text : escapeRegex(text);
  try {
    const regex = new RegExp(source, isCaseSensitive ? 'g' : 'gi');
    return { kind: 'ready', pattern: { regex, source: isCaseSensitive ? source : `(?i)${source}` } };
  } catch (error) {
    return { kind: 'wrong', reason: error instanceof Error ? error.message.replace(/^.*: /, '') : String(error) };
  }
}

const plainTexts = new WeakMap<PanelLogLine, string>();

/** The line's text without colours. */
export function readPlainText(line: PanelLogLine): string {
  const known = plainTexts.get(line);
  if (known !== undefined) return known;
  const text = line.text.includes('\u001b') || line.text.includes('\u009b') ? stripSgr(line.text) : line.text;
  plainTexts.set(line, text);
  return text;
}

export function isMatch({ regex }: LinePattern, line: PanelLogLine): boolean {
  regex.lastIndex = 0;
  return regex.test(readPlainText(line));
}

export type TextRange = readonly [start: number, end: number];

/** More matches of one line are not marked. */
const MAX_RANGES = 500;

/** Where a text matches. A match of nothing is not marked. */
export function findRanges({ regex }: LinePattern, text: string): readonly TextRange[] {
  const ranges: TextRange[] = [];
  // A global expression begins where its last test ended.
  regex.lastIndex = 0;
  for (const match of text.matchAll(regex)) {
    if (match[0] !== '') ranges.push([match.index, match.index + match[0].length]);
    if (ranges.length === MAX_RANGES) break;
  }
  return ranges;
}

interface Span {
  readonly text: string;
}

/** Cuts spans at the ends of these ranges, which do not overlap, and says which pieces are inside. */
export function markSpans<S extends Span>(
  spans: readonly S[],
  ranges: readonly TextRange[]
): readonly (S & { readonly isMarked: boolean })[] {
  const pieces: (S & { isMarked: boolean })[] = [];
  let at = 0;
  for (const span of spans) {
    let from = 0;
    const push = (to: number, isMarked: boolean): void => {
      if (to > from) pieces.push({ ...span, text: span.text.slice(from, to), isMarked });
      from = Math.max(from, to);
    };
    for (const [start, end] of ranges) {
      if (end <= at || start >= at + span.text.length) continue;
      push(Math.max(0, start - at), false);
      push(Math.min(span.text.length, end - at), true);
    }
    push(span.text.length, false);
    at += span.text.length;
  }
  return pieces;
}

/** The places of the items that are wanted, and of those up to `context` before and after each of them. */
export function findNearLines<T>(
  items: readonly T[],
  isWanted: (item: T) => boolean,
  context: number
): ReadonlySet<number> {
  const near = new Set<number>();
  items.forEach((item, index) => {
    if (!isWanted(item)) return;
    for (let at = Math.max(0, index - context); at <= index + context; at++) near.add(at);
  });
  return near;
}
