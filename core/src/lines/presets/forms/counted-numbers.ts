import { findNamedNumbers, isIdName, type NamedNumber } from '../../named-numbers.js';
import { addPhase } from './phase.js';
import { isSetting } from './settings.js';
import { readInUnit, type Units } from './units.js';

// What the lines of programs of one's own are made of: counts, measures, and words between.

export type Row = Map<string, number | string>;

const NUMBERING = String.raw`(?:[ _](?:i|idx|index|id|no|num|number|nr)\.?)?#?$`;
const COUNT = new RegExp(
  String.raw`^(?:.*\s)?(?:epochs?|ep\.?|steps?|iter|iters|iterations?|it|rounds?|(?:mini-?)?batch(?:es)?|generation|gen|updates?|up\.|episodes?|trials?|games?|cycles?|sweeps?|global_step|train_step|nsteps?|(?:num_|total_)?time_?steps?)${NUMBERING}`,
  'i'
);
const EPOCH = new RegExp(String.raw`^(?:.*\s)?(?:epochs?|ep\.?)${NUMBERING}`, 'i');
const MEASURE =
  /loss|acc(?!um|ess|el|ount|ept)|err(?!no)|score|reward|return|psnr|ssim|iou|auc|\bf1|rmse|mse|mae|perplexity|ppl|bleu|rouge|precision|recall|dice|entropy|norm/i;
/** The length of the end of a word, which holds the number of a line. */
const MAX_PLACE_CHARS = 24;
const BINDING = /[=:]\s*(?:(?:[\w.]+\([[({'"]*|[[({'"]+)\s*)?$/;
const LEVEL = /^(?:INFO|DEBUG|WARN|WARNING|ERROR|NOTICE|root|main|[A-Z][a-z]{2})$/;

let latest: { readonly text: string; readonly numbers: readonly NamedNumber[] } = { text: '', numbers: [] };

/** The numbers of a line. Several presets read the same line one after the other, so the latest are kept. */
export function readNumbers(text: string): readonly NamedNumber[] {
  if (latest.text !== text) {
    latest = { text, numbers: findNamedNumbers(text) };
  }
  return latest.numbers;
}

export function isCountName(name: string): boolean {
  return COUNT.test(name);
}

export function isEpochName(name: string): boolean {
  return EPOCH.test(name);
}

/** An epoch may have a fraction; a share counts nothing. */
export function isCount({ name, text, unit }: NamedNumber): boolean {
  return unit !== '%' && COUNT.test(name) && (EPOCH.test(name) ? /^\d+(?:\.\d+)?$/ : /^\d+$/).test(text);
}

export function isMeasure(text: string): (number: NamedNumber) => boolean {
  return (number) =>
    number.isBound &&
    !number.isTotal &&
    !isIdName(number.name) &&
    !isPlace(text, number) &&
    BINDING.test(text.slice(Math.max(0, number.start - 40), number.start));
}

/** Whether what a number measures is in its name. */
export function isOfMeasure(number: Pick<NamedNumber, 'name' | 'text'>): boolean {
  return MEASURE.test(number.name) && !isSetting(number);
}

/** `olmo.train:979`, `node-02:0`, `(main.py 222)`, `(trainer:732)`: where a logger says it is. */
export function isPlace(text: string, { start, end, name }: NamedNumber): boolean {
  const word = text.slice(findWordStart(text, start), start);
  const isInteger = /^\d+$/.test(text.slice(start, end));
  return isInteger && (/^(?:\w+[./-][.\w/-]*|\(\w+):$/.test(word) || /\.py$/.test(name));
}

/** Levels of logging, places and what is in brackets do not count. */
export function countWords(text: string): number {
  const words = dropPlaces(text).match(/(?<!\d)[A-Za-z_][\w.]*/g) ?? [];
  return words.filter((word) => !LEVEL.test(word)).length;
}

/** A text without what is in brackets, and without words that end as `train.py:17` does. */
function dropPlaces(text: string): string {
  const lastClosed = text.lastIndexOf(']');
  let kept = '';
  let at = 0;
  for (const { 0: word, index } of text.matchAll(/\S+/g)) {
    const end = index + word.length;
    let from = Math.max(index, at);
    if (from >= end) continue;
    kept += text.slice(at, from);
    if (end < text.length && /\S:\d+$/.test(text.slice(Math.max(from, end - MAX_PLACE_CHARS), end))) {
      kept += ' ';
      from = end;
    }
    for (let open = text.indexOf('[', from); from < end; open = text.indexOf('[', from)) {
      const isBracket = open >= 0 && open < end && open < lastClosed;
      kept += isBracket ? `${text.slice(from, open)} ` : text.slice(from, end);
      from = isBracket ? text.indexOf(']', open) + 1 : end;
    }
    at = from;
  }
  return kept + text.slice(at);
}

/** Where the word that ends here begins. */
function findWordStart(text: string, end: number): number {
  let start = end;
  while (start > 0 && !/\s/.test(text.charAt(start - 1))) start -= 1;
  return start;
}

/** The numbers that have a name; of two alike, the first. */
export function readRow(text: string, numbers: readonly NamedNumber[], state: { units: Units }): Row {
  const row: Row = new Map();
  for (const number of numbers) {
    const { start, name, isBound, isTotal } = number;
    // A name of many words that nothing binds to its number is prose, unless it is one of a measure.
    const isNamed = isBound || COUNT.test(name) || /^\S+(?: \S+)?$/.test(name) || MEASURE.test(name);
    const key = COUNT.test(name) ? toCountKey(name) : addPhase(name, text.slice(0, start));
    if (name !== '' && isNamed && !isTotal && !isIdName(name) && !row.has(key)) {
      const value = readInUnit(key, number, state);
      if (value !== undefined) row.set(key, value);
    }
  }
  return row;
}

/** `Epoch` and `Step` are the names that the choice of X knows in small letters. */
function toCountKey(name: string): string {
  return EPOCH.test(name) ? 'epoch' : name.toLowerCase();
}

/** `Train: loss 0.25 acc 0.5`: names and numbers, and little else. */
export function readTerse(text: string, numbers: readonly NamedNumber[], state: { units: Units }): Row | undefined {
  const values = numbers.filter(({ name, isTotal }) => name !== '' && !isTotal && !isIdName(name));
  const isTerse =
    values.length > 0 &&
    values.every((number) => isOfMeasure(number) && number.name.split(' ').length <= 3) &&
    values.some(({ text: value }) => /[.n]/i.test(value)) &&
    values[0] === numbers[0] &&
    countWords(text) <= 2 * values.length + 2;
  return isTerse ? readRow(text, values, state) : undefined;
}

const BAR_COUNTS = /(?<!\d)(\d+)\/(\d+) $/;
const BAR_RATE = /it\/s|s\/it/;

export interface BarValues {
  readonly before: string;
  readonly done: number;
  readonly total: number;
  readonly pairs: string;
}

/** `10/10 [00:01<00:00, 9.9it/s, loss=0.25]`: the values behind a bar of tqdm, and how far it is. */
export function readBar(line: string): BarValues | undefined {
  const open = line.endsWith(']') ? line.lastIndexOf('[') : -1;
  const counts = open <= line.lastIndexOf(']', line.length - 2) ? null : BAR_COUNTS.exec(line.slice(0, open));
  const pairs = findBarPairs(line.slice(open + 1, -1));
  if (counts === null || pairs === undefined) return undefined;
  return { before: line.slice(0, counts.index), done: Number(counts[1]), total: Number(counts[2]), pairs };
}

/** What is behind the piece with the rate, and holds an equals sign. */
function findBarPairs(text: string): string | undefined {
  const lastSign = text.lastIndexOf('=');
  let from = 0;
  for (let comma = text.indexOf(','); comma >= 0 && comma < lastSign - 1; comma = text.indexOf(',', from)) {
    if (text.startsWith(', ', comma) && BAR_RATE.test(text.slice(from, comma))) return text.slice(comma + 2);
    from = comma + 1;
  }
  return undefined;
}

/** What is behind the last brackets that hold a rate; the line where there are none. */
export function dropBar(line: string): string {
  if (!BAR_RATE.test(line)) return line;
  for (let end = line.lastIndexOf(']'); end > 0; end = line.lastIndexOf(']', end - 1)) {
    const inner = line.slice(line.lastIndexOf(']', end - 1) + 1, end);
    const open = inner.indexOf('[');
    if (open >= 0 && BAR_RATE.test(inner.slice(open))) return isStale(line.slice(end + 1)) ? '' : line.slice(end + 1);
  }
  return line;
}

/** `, loss=0.75]` is what a longer bar before has left behind this one. */
function isStale(behind: string): boolean {
  const close = behind.indexOf(']');
  const open = behind.indexOf('[');
  return /^\S*(?:it\/s|s\/it)/.test(behind) || (close >= 0 && (open < 0 || close < open));
}
