/** What a regular expression costs an engine that runs in linear time (RE2), from above. */
export interface PatternCost {
  /** Instructions of its program: memory, and the time to compile it. */
  readonly size: number;
  /** Instructions that may be taken for each character of a line, once for itself and once for every ten groups. */
  readonly steps: number;
}

/** A part of an expression. */
interface Part {
  readonly size: number;
  readonly steps: number;
  /** The character, where it is no more than that. */
  readonly char?: string;
}

/** What has been read of a group. */
interface Open {
  size: number;
  steps: number;
  /** Plain characters that come last. */
  run: string;
  /** What a repetition that comes next repeats. */
  last: Part | undefined;
  readonly isCapture: boolean;
}

/** A quotation, an escape, a class, a count, the beginning of a group, or one character. */
const TOKEN = new RegExp(
  [
    String.raw`\\Q[^\\]*(?:\\(?!E)[^\\]*)*(?:\\E)?`,
    String.raw`\\[pP](?:\{[^}]{0,100}\}|[A-Za-z])|\\x(?:\{[\da-fA-F]{0,10}\}|[\da-fA-F]{2})`,
    String.raw`\\[\s\S]?`,
    String.raw`\[\^?\]?(?:\\[\s\S]|\[:\^?[a-z]{0,10}:\]|[^\]\\])*\]?`,
    String.raw`\{\d{1,9}(?:,\d{0,9})?\}`,
    String.raw`\(\?[imsU-]*[:)]|\(\?P?<\w{0,100}>|\(\?P?<[=!]`,
    String.raw`[\s\S]`,
  ].join('|'),
  'gu'
);
const COUNT = /^\{(\d+)(?:(,)(\d*))?\}$/;
const GROUPS_AS_DEAR_AS_THE_REST = 10;
const CHAR: Omit<Part, 'char'> = { size: 1, steps: 1 };

/**
 * Estimates what an expression costs, without compiling it: repeats multiply, and a text costs no more steps for being
 * long unless it may begin within itself, as `aaaa` may. An expression that is not valid has a cost, too.
 */
export function estimatePatternCost(source: string): PatternCost {
  const open: Open[] = [createOpen(false)];
  let groups = 0;
  for (const [token] of source.matchAll(TOKEN)) {
    const group = open.at(-1) ?? createOpen(false);
    if (token.startsWith('(') && !token.endsWith(')')) {
      const isCapture = token === '(' || token.endsWith('>');
      groups += Number(isCapture);
      endRun(group);
      open.push(createOpen(isCapture));
    } else if (token === ')' && open.length > 1) {
      open.pop();
      push(open.at(-1), close(group));
    } else {
      readToken(group, token);
    }
  }
  // A group that is not closed is not valid.
  while (open.length > 1) push(open.at(-2), close(open.pop() ?? createOpen(false)));
  const { size, steps } = close(open[0] ?? createOpen(false));
  return { size, steps: Math.ceil(steps * (1 + groups / GROUPS_AS_DEAR_AS_THE_REST)) };
}

function createOpen(isCapture: boolean): Open {
  return { size: 0, steps: 0, run: '', last: undefined, isCapture };
}

function readToken(group: Open, token: string): void {
  const repeat = readRepeat(token);
  if (repeat !== undefined) {
    repeatLast(group, repeat);
  } else if (token === '|') {
    endRun(group);
    push(group, CHAR);
  } else if (token.startsWith('\\Q')) {
    for (const char of token.slice(2).replace(/\\E$/, '')) push(group, { ...CHAR, char });
  } else {
    const char = readChar(token);
    push(group, char === undefined ? CHAR : { ...CHAR, char });
  }
}

/** The character that a token stands for alone; small, since it may stand for both. */
function readChar(token: string): string | undefined {
  if (/^[^\\[.^$()]/u.test(token)) return token.toLowerCase();
  return /^\\[^\w\s]$/u.test(token) ? token.slice(1) : undefined;
}

function readRepeat(token: string): { readonly min: number; readonly max: number } | undefined {
  if (token === '*') return { min: 0, max: Infinity };
  if (token === '+') return { min: 1, max: Infinity };
  if (token === '?') return { min: 0, max: 1 };
  const [, min, comma, max] = COUNT.exec(token) ?? [];
  if (min === undefined) return undefined;
  const least = Number(min);
  return { min: least, max: comma === undefined ? least : max === '' ? Infinity : Number(max) };
}

function repeatLast(group: Open, { min, max }: { readonly min: number; readonly max: number }): void {
  const { last } = group;
  if (last === undefined) return;
  if (last.char !== undefined) {
    // The characters before it stay a text.
    group.run = group.run.slice(0, -last.char.length);
    endRun(group);
  } else {
    group.size -= last.size;
    group.steps -= last.steps;
  }
  const copies = Math.max(1, min, max === Infinity ? min : max);
  const jumps = max === Infinity ? 2 : Math.max(0, max - min);
  push(group, { size: last.size * copies + jumps, steps: last.steps * copies + jumps });
}

function push(group: Open | undefined, part: Part): void {
  if (group === undefined) return;
  if (part.char === undefined) {
    endRun(group);
    group.size += part.size;
    group.steps += part.steps;
  } else {
    group.run += part.char;
  }
  group.last = part;
}

function endRun(group: Open): void {
  const chars = Array.from(group.run);
  group.size += chars.length;
  group.steps += countBeginnings(chars);
  group.run = '';
  group.last = undefined;
}

function close(group: Open): Part {
  endRun(group);
  const ends = group.isCapture ? 2 : 0;
  return { size: group.size + ends, steps: group.steps + ends };
}

/** How many places in a text may be its beginning at the same time: 4 in `aaaa`, 2 in `abab`, 1 in `abcd`. */
function countBeginnings(chars: readonly string[]): number {
  // How long the longest proper end is that is a beginning, too (Knuth, Morris and Pratt), and how many there are.
  const longest: number[] = [];
  const counts: number[] = [];
  let most = 0;
  let length = 0;
  for (const [i, char] of chars.entries()) {
    while (i > 0 && length > 0 && chars[length] !== char) length = longest[length - 1] ?? 0;
    if (i > 0 && chars[length] === char) length += 1;
    longest.push(length);
    counts.push(1 + (length === 0 ? 0 : (counts[length - 1] ?? 0)));
    most = Math.max(most, counts[i] ?? 0);
  }
  return most;
}
