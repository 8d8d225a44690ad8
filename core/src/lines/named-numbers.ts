import { findTokens, type LineToken } from './line-tokens.js';

/** A number in a line, with the name that the words before it give it. */
export interface NamedNumber {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  /** '' where no words name it. */
  readonly name: string;
  /** Whether a colon or an equals sign binds the name to it, or it is the count of `3/10`. */
  readonly isBound: boolean;
  /** The 10 of `3/10` and `3 of 10`. */
  readonly isTotal: boolean;
  /** What is stuck to it, and units of time and memory behind a space; '' for none. */
  readonly unit: string;
}

const MAX_NAME_CHARS = 48;
/** What is farther before a number does not name it. */
const MAX_CHARS_BEFORE = 400;
/** The most numbers of a list of equal ones to compare. */
const MAX_EQUALS = 16;
/** A place in a source, as loggers print it. */
const PLACE = /:\d+$/;
/** What is counted needs no more words: `loss at step 5`. */
const STEP_WORD = /^(?:epoch|step|iteration|iter)$/i;
const BEFORE_COUNT =
  /^(.*[A-Za-z)\]])\s+(?:(?:at|after|for|in|on|of)\s+(?:the\s+)?|\()(?:epoch|step|iteration|iter)\s*#?$/i;
const MAX_WORDS = 4;
/** `took` says more of a number than `in`. */
const MIN_FILLER_CHARS = 4;
/** Words between a name and its number that belong to neither. */
const FILLERS = /(?:^|\s)(?:is|was|at|of|in|to|for|from|on|after|with|and|the|a|took|by|than|are|has|=)$/i;

/** The unit of the number before names nothing: `1.514 s … 1.529 s`, `4,905 tok/s 44.8GB`, `17.9GB`. */
const UNIT =
  /^(?:[\p{L}%°]*\/[A-Za-z]+|[\p{L}%°]+|\s*(?:s|secs?|seconds|ms|us|µs|ns|mins?|minutes|h|hours?|[KMGT]i?B(?:\/s)?|[a-z]+\/(?:s|sec|second|step|h|hour)|[kMG]?Hz|eV|Ry|K))(?![\w.])(?!\s*[=:])/u;
/** What names a number that has no other name; the pace of a bar is no measure. */
const RATE = /^ ?(?!it\/)([a-z]{2,}\/(?:s|sec|second|step|h|hour))(?![\w/])/i;

/** `GPU Mem (GB): 5.28` */
const UNIT_BEHIND_NAME = /(?<=\w)\s*[([](?:[KMGT]?i?B|[mnpf]?s|PS|secs?|bar|%|it\/s|[kMG]?Hz|eV|Ry|K)[)\]]$/;

/** `loss: `, `loss: tensor(`, `loss=[(` */
const BINDING = /[=:]\s*(?:(?:[\w.]{2,20}[([][[({'"<]*|[[({'"<]+)\s*)?$/;

/** `loss: tensor(0.25)`, `loss=np.float64(0.25)` */
const WRAPPER = /(?<![\s=:])[\s=:]+(?:tensor|array|(?:np|numpy)\.\w+|Decimal)$/;

/** The value of another name is no part of this one: `algo=ppo episode=3`. What `phase=val` says is. */
const VALUE_BEFORE = /=(?!(?:train|val|test|eval|dev))[^\s,;|=]+\s+(?=\S)/gi;

/** The numbers of a line, from left to right. */
export function findNamedNumbers(line: string, tokens: readonly LineToken[] = findTokens(line)): NamedNumber[] {
  const numbers: NamedNumber[] = [];
  let before = 0;
  for (const token of tokens) {
    // A word with digits may be the name, if it is no value: `v_t2m/R01 1.32%`.
    if (token.kind === 'mixed') {
      before = isValueOrPlace(line, token) ? token.end : before;
      continue;
    }
    if (token.kind === 'number' && isPartOfWord(line, token)) {
      before = line.startsWith(' - ', token.end) ? token.end : before;
      continue;
    }
    if (token.kind === 'number') {
      const number = nameNumber(line, before, token, numbers.at(-1));
      numbers.push(number.isBound && isOneOfMany(line, token) ? { ...number, name: '', isBound: false } : number);
    }
    before = token.end;
  }
  return numbers;
}

/** `run=3d_a`, `train.py:17`: it names nothing. */
function isValueOrPlace(line: string, { start, end }: LineToken): boolean {
  const isValue = /\d/.test(line.charAt(start)) && /[=:]\s?$/.test(line.slice(Math.max(0, start - 2), start));
  return isValue || PLACE.test(line.slice(start, end));
}

/** The index of `res(1) = 0.5`, and the place that loguru prints: `__main__:train:35 - `. */
function isPartOfWord(line: string, { start, end }: LineToken): boolean {
  const next = line.charAt(end);
  if (next === ')') {
    return (
      line.charAt(start - 1) === '(' && /\w/.test(line.charAt(start - 2)) && /^\)\s*=/.test(line.slice(end, end + 8))
    );
  }
  return next === ' ' && line.startsWith(' - ', end) && /\w:[\w<>]+:$/.test(line.slice(Math.max(0, start - 40), start));
}

const UNIT_OF =
  /^(?:[\p{L}%]+(?:\/[A-Za-z]+)?| (?:[nuµm]?s|secs?|seconds?|mins?|minutes?|h|hours?|[KMGT]i?B))(?![\w/])/u;
const MAX_UNIT_CHARS = 16;

function findUnit(line: string, end: number): string {
  return UNIT_OF.exec(line.slice(end, end + MAX_UNIT_CHARS))?.[0].trim() ?? '';
}

function nameNumber(line: string, from: number, token: LineToken, last: NamedNumber | undefined): NamedNumber {
  const { start, end } = token;
  const between = line.slice(Math.max(from, start - MAX_CHARS_BEFORE), start);
  const text = line.slice(start, end);
  const unit = findUnit(line, end);
  const follows = last !== undefined && last.end === from;
  const isTotal = follows && /^\s*(?:\/|of|out of)\s*$/i.test(between);
  if (isTotal) {
    return { start, end, text, name: last.name, isBound: false, isTotal, unit };
  }
  const bound = BINDING.test(between);
  const isUncertainty = follows && /(?:±|\+\/?-)\s*$/.test(between);
  const before = follows ? between.replace(UNIT, '') : between;
  const name = isUncertainty
    ? ''
    : findName(before, bound) ||
      (bound && follows && findNameBeforeCount(line, last)) ||
      findNameBehind(line.slice(end, end + MAX_NAME_CHARS));
  const isCount = /^\s*\/\s*\d/.test(line.slice(end, end + 24));
  return { start, end, text, name, isBound: name !== '' && (bound || isCount), isTotal, unit };
}

/** The first of `(1, 2.5)` and `[0.9 0.999]`: a list of different numbers is no value of its name. */
function isOneOfMany(line: string, { start, end }: LineToken): boolean {
  if (!/[([{]/.test(line.charAt(start - 1)) || !/^\s*(?:[,;]\s*)?[-+.\d([{'"]/.test(line.slice(end, end + 8))) {
    return false;
  }
  const close = line.slice(start, start + MAX_CHARS_BEFORE).search(/[)\]}]/);
  const items = line.slice(start, close < 0 ? line.length : start + close).split(/[\s,;]+/, MAX_EQUALS);
  return items.some((item) => item !== items[0]);
}

/** What `Loss at step 5: 0.5` and `Accuracy (epoch 3): 91.5` print: its name is before the count. */
function findNameBeforeCount(line: string, count: NamedNumber): string {
  const before = line.slice(Math.max(0, count.start - MAX_NAME_CHARS), count.start);
  const [, words] = (STEP_WORD.test(count.name) && BEFORE_COUNT.exec(before)) || [];
  return words === undefined ? '' : findName(words, true);
}

/** The name behind a number that has none before it: `3.1 avg loss,`. */
function findNameBehind(text: string): string {
  const [, rate] = RATE.exec(text) ?? [];
  return rate ?? /^%? ([a-z]{4,}(?: [a-z]{4,})?|[a-z][a-z.]{1,3} [a-z]{4,})(?=[,;|)]|$)/i.exec(text)?.[1] ?? '';
}

/** The name in the text between the token before and the number. */
function findName(between: string, isBound: boolean): string {
  const core = between
    .replace(/(?<![\s=:~≈<>([{#@'"|])[\s=:~≈<>([{#@'"|]+$/u, '')
    .replace(WRAPPER, '')
    .replace(UNIT_BEHIND_NAME, '')
    .replace(VALUE_BEFORE, '= ');
  // `| ep_rew_mean | 22.3 |` is a table of names and values.
  const isCell = /^\s*\|[^|]+\|\s*$/.test(between);
  if (core === '' || (/[,;|]\s*$/.test(between) && !isCell)) {
    return '';
  }
  // Behind a unit that is stuck to the number before, the name begins at the next space.
  const segment =
    core
      .split(
        /[,|;[\]{}=•]|\((?!\d+\)$)|\)(?<!\(\d+\))|\s{2,}|\s[-–—>*]+\s|:(?=\s|$)|["'](?=[\s,:=]|$)|(?:^|\s)["']|\t/u
      )
      .map((part) => part.trim())
      .filter((part) => /[\p{L}]/u.test(part))
      .at(-1) ?? '';
  const whole = segment
    .replace(/^(?:[A-Z]+:[\w.]*:|(?:DEBUG|INFO|WARNING|ERROR|CRITICAL):)/, '')
    .replace(/^[^\p{L}_$]+/u, '')
    .replace(/^and\s+(?=\S)/i, '')
    .trim();
  let name = whole;
  for (let cut = name.replace(FILLERS, '').trim(); cut !== name; cut = name.replace(FILLERS, '').trim()) {
    name = cut;
  }
  // `took 3.5` and `a=1` have no other name.
  if (name === '' && (isBound || whole.length >= MIN_FILLER_CHARS)) {
    name = whole;
  }
  const words = name.split(/\s+/);
  const last = words.at(-1) ?? '';
  if (STEP_WORD.test(last)) {
    return last;
  }
  return words.slice(-MAX_WORDS).join(' ').slice(-MAX_NAME_CHARS);
}

/** Whether numbers of this name tell things apart, and measure nothing. */
export function isIdName(name: string): boolean {
  return /(?:^|[\s_])(?:pid|tid|uid|port|line|rank|seed|cuda|sha|hash|commit)$/i.test(name);
}
