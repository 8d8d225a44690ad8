import { escapeRegex } from '@joblens/core/words/escape-regex';
import { compileTyped, type TextRange } from '../../../patterns/typed-pattern.js';
import type { PanelLogLine } from './log-model.js';
import { stripSgr } from './sgr.js';

export interface LogSearch {
  readonly text: string;
  readonly isRegex: boolean;
  readonly isCaseSensitive: boolean;
}

/** What a line must contain, for this page and for the store. */
export interface LinePattern {
  readonly test: (text: string) => boolean;
  /** Where a text matches, the first ones. A match of nothing is not marked. */
  readonly findRanges: (text: string) => readonly TextRange[];
  /** For the store, in the syntax of RE2. */
  readonly source: string;
}

export type CompiledSearch =
  | { readonly kind: 'none' }
  | { readonly kind: 'wrong'; readonly reason: string }
  | { readonly kind: 'ready'; readonly pattern: LinePattern };

export const NO_SEARCH: LogSearch = { text: '', isRegex: false, isCaseSensitive: false };

export function compileSearch({ text, isRegex, isCaseSensitive }: LogSearch): CompiledSearch {
  if (text === '') return { kind: 'none' };
  const bare = isRegex ? text : escapeRegex(text);
  const source = isCaseSensitive ? bare : `(?i)${bare}`;
  if (!isRegex) return { kind: 'ready', pattern: { ...compileText(bare, isCaseSensitive), source } };
  const typed = compileTyped(text, isCaseSensitive ? '' : 'i');
  return typed.ok ? { kind: 'ready', pattern: { ...typed.value, source } } : { kind: 'wrong', reason: typed.error };
}

/** More matches of one line are not marked. */
const MAX_RANGES = 500;

/** A text as it is written is searched fastest by the engine of the browser, in linear time, too. */
function compileText(escaped: string, isCaseSensitive: boolean): Omit<LinePattern, 'source'> {
  const flags = isCaseSensitive ? '' : 'i';
  const [first, all] = [new RegExp(escaped, flags), new RegExp(escaped, `g${flags}`)];
  const findRanges = (text: string): readonly TextRange[] => {
    const ranges: TextRange[] = [];
    for (const { 0: match, index } of text.matchAll(all)) {
      ranges.push([index, index + match.length]);
      if (ranges.length === MAX_RANGES) break;
    }
    return ranges;
  };
  return { test: (text) => first.test(text), findRanges };
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

export function isMatch(pattern: LinePattern, line: PanelLogLine): boolean {
  return pattern.test(readPlainText(line));
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
