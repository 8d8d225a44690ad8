import type { MetadataRow } from '../table/metadata-row.js';
import { createKindReader } from './kind-reader.js';
import { KNOWN_KINDS } from './known-kinds.js';
import { type CompilePattern, ROW_COUNTER } from './line-pattern.js';
import { formatPattern, formatShapeKey, inferLineShape, type LineShape, nameCaptures } from './line-shape.js';
import type { MetadataKind } from './metadata-kind.js';
import { isIdName } from './named-numbers.js';
import { readPrintedValue } from './printed-value.js';
import { ROW_NUMBER } from './presets/forms/row-numbers.js';

/** A pattern of lines with numbers that repeats. */
export interface Suggestion {
  /** The rule that makes its lines metadata. */
  readonly rule: MetadataKind;
  readonly example: string;
  /** The numbers in its rows, in printed order. */
  readonly names: readonly string[];
  /** In the order of the lines. */
  readonly rows: readonly MetadataRow[];
}

export interface SuggestOptions {
  readonly compile: CompilePattern;
  /** At most so many suggestions, the best first. */
  readonly limit?: number;
}

const MAX_LINE_CHARS = 2000;
/** Bounds the memory: the patterns that come first are kept. */
const MAX_GROUPS = 5000;
const MIN_ROWS = 3;
const MAX_NUMBERS = 64;
/** One integer that no colon binds to a name is less. */
const MIN_WORTH = 1.5;
/** Rows of bare numbers, such as `10 0.25 0.5`, must come more often. */
const MIN_BARE_WORTH = 1.25;
const MIN_BARE_ROWS = 8;
/** For each line that a kind reads, so many are like it at most. */
const MAX_ALIKE = 1.25;

/**
 * Finds the patterns with numbers that repeat most in the lines of a job: those of known programs first, then groups of
 * lines that differ in their numbers alone. The time is linear in the lines; the memory is bounded but for the rows.
 */
export function suggest(lines: readonly string[], { compile, limit = 8 }: SuggestOptions): readonly Suggestion[] {
  const left = new Set(lines.keys());
  const known: Suggestion[] = [];
  for (const kind of [...KNOWN_KINDS, { preset: 'columns' as const }]) {
    const found = readBy(kind, lines, left, compile);
    if (found.rows.length < MIN_ROWS - 1 || !hasCourse(found.rows.map(({ row }) => row))) {
      continue;
    }
    // Where spaces line numbers up, some lines of a pattern are pairs without a space by chance.
    if (kind === 'logfmt' && countAlike(found.used, lines, left) > MAX_ALIKE * found.rows.length) {
      continue;
    }
    for (const line of found.used) {
      left.delete(line);
    }
    known.push(toSuggestion(kind, lines, found.rows));
  }
  const patterns = [...findGroups(lines, left)]
    .map((group) => ({ group, score: scoreGroup(group) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, limit);
  for (const { group } of patterns) {
    const rule = { regex: formatGroup(group) };
    const { rows } = readBy(rule, lines, left, compile);
    if (rows.length >= MIN_ROWS) {
      known.push(toSuggestion(rule, lines, rows));
      rows.forEach(({ line }) => left.delete(line));
    }
  }
  return known.slice(0, limit);
}

/** How many of the lines that are left are like one of these but for their numbers. */
function countAlike(some: readonly number[], lines: readonly string[], left: ReadonlySet<number>): number {
  const find = (line: number): string => {
    const text = lines[line] ?? '';
    return text.length > MAX_LINE_CHARS || !text.includes('=') ? '' : formatShapeKey(inferLineShape(text), false);
  };
  const keys = new Set(some.map(find));
  keys.delete('');
  return [...left].filter((line) => keys.has(find(line))).length;
}

interface ReadRow {
  readonly line: number;
  readonly row: MetadataRow;
}

/** The rows that a kind finds among the lines that are left. */
function readBy(
  kind: MetadataKind,
  lines: readonly string[],
  left: ReadonlySet<number>,
  compile: CompilePattern
): { readonly rows: readonly ReadRow[]; readonly used: readonly number[] } {
  const reader = createKindReader({ kinds: [kind], nonfinite: 'metadata', compile });
  const rows: ReadRow[] = [];
  const used: number[] = [];
  const keepsState = typeof kind === 'object' && 'preset' in kind && kind.preset !== 'columns';
  let state = keepsState ? JSON.stringify(reader.takeState()) : '';
  for (const line of left) {
    const text = lines[line] ?? '';
    const row = text.length > MAX_LINE_CHARS * 8 ? undefined : reader.read(text);
    if (row !== undefined) {
      rows.push({ line, row });
    }
    // A line that leaves something for a later row belongs to it.
    const before = state;
    state = keepsState ? JSON.stringify(reader.takeState()) : '';
    if (row !== undefined || state !== before) {
      used.push(line);
    }
  }
  return { rows, used };
}

function toSuggestion(rule: MetadataKind, lines: readonly string[], found: readonly ReadRow[]): Suggestion {
  const rows = found.map(({ row }) => row);
  const [first] = found;
  return {
    rule,
    // A blank line may end the block that a row is made of.
    example: lines.slice(0, (first?.line ?? 0) + 1).findLast((line) => line.trim() !== '') ?? '',
    names: [...new Set(rows.flatMap((row) => [...row.keys()]))],
    rows,
  };
}

/** Whether anything changes from row to row: a graph of it shows more than a flat line. */
function hasCourse(rows: readonly MetadataRow[]): boolean {
  const first = new Map<string, number | string>();
  return rows.some((row) =>
    [...row].some(([key, value]) => {
      if (key === ROW_NUMBER) {
        return false;
      }
      const before = first.get(key);
      if (before === undefined && typeof value === 'number') {
        first.set(key, value);
      }
      return before !== undefined && typeof value === 'number' && value !== before;
    })
  );
}

interface Group {
  shape: LineShape;
  readonly isLoose: boolean;
  count: number;
  /** For each number of the line: whether it has changed, and whether it ever had a fraction or an exponent. */
  readonly hasChanged: boolean[];
  readonly isDecimal: boolean[];
  /** The latest value of each number, and whether it has never fallen: the next one is X then. */
  readonly latest: number[];
  readonly hasFallen: boolean[];
}

/** Groups lines that are the same but for their numbers; lines that stay alone also but for words with digits. */
function findGroups(lines: readonly string[], left: ReadonlySet<number>): Iterable<Group> {
  const exact = new Map<string, Group>();
  const loose = new Map<string, Group>();
  for (const line of left) {
    const text = lines[line] ?? '';
    if (text.length > MAX_LINE_CHARS || !/\d/.test(text)) {
      continue;
    }
    const shape = inferLineShape(text);
    if (shape.numbers.length > 0 && shape.numbers.length <= MAX_NUMBERS) {
      addToGroup(exact, shape, false);
      if (shape.tokens.some(({ kind }) => kind === 'mixed')) {
        addToGroup(loose, shape, true);
      }
    }
  }
  // A pattern with changing words counts where it takes more than the one with the same words.
  const alone = [...loose.values()].filter(({ shape, count }) => {
    const same = exact.get(formatShapeKey(shape, false));
    return same === undefined || same.count < count / 2;
  });
  return [...exact.values(), ...alone];
}

function addToGroup(groups: Map<string, Group>, shape: LineShape, isLoose: boolean): void {
  const key = formatShapeKey(shape, isLoose);
  let group = groups.get(key);
  if (group === undefined) {
    if (groups.size >= MAX_GROUPS) {
      return;
    }
    group = { shape, isLoose, count: 0, hasChanged: [], isDecimal: [], latest: [], hasFallen: [] };
    groups.set(key, group);
  } else if (hasThousands(shape) && !hasThousands(group.shape)) {
    // Its pattern takes both `7` and `1,200`.
    group.shape = shape;
  }
  group.count += 1;
  for (const [i, number] of shape.numbers.entries()) {
    group.hasChanged[i] = (group.hasChanged[i] ?? false) || number.text !== group.shape.numbers[i]?.text;
    group.isDecimal[i] = (group.isDecimal[i] ?? false) || /[.eEdDqQn]/.test(number.text);
    const value = Number(readPrintedValue(number.text));
    group.hasFallen[i] = (group.hasFallen[i] ?? false) || !(value >= (group.latest[i] ?? -Infinity));
    group.latest[i] = value;
  }
}

function hasThousands({ numbers }: LineShape): boolean {
  return numbers.some(({ text }) => text.includes(','));
}

/** Places in sources, the layers of a network as PyTorch prints them, and what is downloaded. */
const NO_MEASUREMENT =
  /^\s*File ".*", line \d|^\s*\(\w+\): \w+\(|\bkernel_size=|\bin_features=|^\s*Downloading\b|[kMGT]i?B\/s(?:\]|,? eta\b)/i;
const MEASURES =
  /loss|acc|err|score|reward|metric|psnr|ssim|iou|auc|f1|rmse|mae|perplexity|ppl|energy|temp|residual|time|speed|rate|memory|mem|norm|valid|train|size|count|progress/i;

/** How much a graph of the group would show; 0 for none. */
function scoreGroup({ shape, count, hasChanged, isDecimal }: Group): number {
  if (count < MIN_ROWS || NO_MEASUREMENT.test(shape.line)) {
    return 0;
  }
  let worth = 0;
  for (const [i, number] of shape.numbers.entries()) {
    if (hasChanged[i] === true && !number.isTotal && !isIdName(number.name)) {
      const named = number.name === '' ? 0.25 : number.isBound ? 1.5 : 1;
      worth += named * (isDecimal[i] === true ? 2 : 1) * (MEASURES.test(number.name) ? 2 : 1);
    }
  }
  return worth < (count < MIN_BARE_ROWS ? MIN_WORTH : MIN_BARE_WORTH) ? 0 : Math.min(worth, 12) * Math.log2(count + 1);
}

/**
 * Captures what has a name, and a number that counts if none with a name does; where no measure that changes has a
 * name, all that changed.
 */
function formatGroup({ shape, isLoose, hasChanged, isDecimal, hasFallen }: Group): string {
  const { numbers } = shape;
  const isMeasure = (i: number): boolean => hasChanged[i] === true && isDecimal[i] === true;
  const isCount = (i: number): boolean =>
    hasChanged[i] === true && isDecimal[i] === false && numbers[i]?.isTotal === false;
  const hasNames = numbers.some(({ name }, i) => name !== '' && isMeasure(i));
  const hasUnnamed = numbers.some(({ name }, i) => name === '' && isMeasure(i));
  const isNamed = (hasNames || !hasUnnamed) && numbers.some(({ name }) => name !== '');
  const hasCount = numbers.some(({ name }, i) => name !== '' && isCount(i));
  const counter = hasCount ? -1 : numbers.findIndex(({ name }, i) => name === '' && isCount(i));
  const captures = nameCaptures(shape, (number, i) => {
    const isWanted = isNamed ? number.name !== '' || i === counter : hasChanged[i] === true;
    return isWanted && !number.isTotal && !isIdName(number.name);
  });
  const hasX = numbers.some((number, i) => captures.has(number) && hasChanged[i] === true && hasFallen[i] !== true);
  return (hasX ? '' : ROW_COUNTER) + formatPattern(shape, captures, isLoose);
}
