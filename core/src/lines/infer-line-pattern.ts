import { formatPattern, inferLineShape, nameCaptures } from './line-shape.js';
import type { NamedNumber } from './named-numbers.js';
import { readColumnRow, readHeading } from './presets/forms/columns.js';
import { isCountName } from './presets/forms/counted-numbers.js';

/** The pattern of one line, for a number that somebody has chosen in it. */
export interface InferredPattern {
  /** With named groups. */
  readonly regex: string;
  /** The names of its groups, in printed order. */
  readonly names: readonly string[];
  /** The group of the chosen number. */
  readonly name: string;
  /** Whether a group counts, by its name or its place. */
  readonly hasCount: boolean;
}

/** No word: the lines between two tables may have as many. */
const CELL = '[-+.\\dnNiI][-+.\\w]*';

/**
 * The pattern of the lines that are like this one but for their numbers, with a name for each number that has one, and
 * for the number at `column` (UTF-16 units, from 0). `before`: lines before it, the oldest first; a heading among them
 * names columns. Undefined where no number is at that place.
 */
export function inferLinePattern(
  line: string,
  column: number,
  before: readonly string[] = []
): InferredPattern | undefined {
  const shape = inferLineShape(line);
  const chosen = shape.numbers.find(({ start, end }) => start <= column && column <= end);
  if (chosen === undefined) {
    return undefined;
  }
  const names = findHeading(line, before);
  if (names !== undefined) {
    const name = names[shape.numbers.indexOf(chosen)];
    const separator = line.includes('|') ? '\\s*\\|\\s*' : '\\s+';
    const cells = names.map((group) => `(?<${group}>${CELL})`);
    const regex = `^[\\s|]*${cells.join(separator)}[\\s|]*$`;
    return name === undefined ? undefined : { regex, names, name, hasCount: true };
  }
  const isNamed = shape.numbers.some(({ name }) => name !== '');
  // The number that a line begins with may count, and where nothing has a name any may.
  const [first] = shape.numbers;
  const captures = nameCaptures(
    shape,
    (number) => number === chosen || number === first || !isNamed || (number.name !== '' && !number.isTotal)
  );
  const name = captures.get(chosen) ?? '';
  // A number without a name at the beginning may count, too.
  const hasCount = [...captures.keys()].some((number) => isCountName(number.name) || isFirstCount(line, number));
  return { regex: formatPattern(shape, captures, false), names: [...captures.values()], name, hasCount };
}

function isFirstCount(line: string, { start, text, name }: NamedNumber): boolean {
  return name === '' && /^\d+$/.test(text) && !/\w/.test(line.slice(0, start));
}

/** The names of the columns that this line has values of. */
function findHeading(line: string, before: readonly string[]): readonly string[] | undefined {
  for (let i = before.length - 1; i >= 0; i -= 1) {
    const heading = readHeading(before[i] ?? '');
    if (heading.length > 0) {
      return readColumnRow(heading, line) === undefined ? undefined : toGroupNames(heading);
    }
  }
  return undefined;
}

function toGroupNames(heading: readonly string[]): readonly string[] {
  const names: string[] = [];
  for (const text of heading) {
    const base = text
      .replace(/\W+/g, '_')
      .replace(/^_+|(?<!_)_+$/g, '')
      .replace(/^(?=\d|$)/, 'n');
    names.push(names.includes(base) ? `${base}_${names.length + 1}` : base);
  }
  return names;
}
