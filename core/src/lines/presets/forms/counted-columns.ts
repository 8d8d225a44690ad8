import type { MetadataRow } from '../../../table/metadata-row.js';
import { isCountName, isOfMeasure } from './counted-numbers.js';
import { readColumnRow, readHeading, RULE } from './columns.js';
import { definePreset } from './preset.js';

/** In a heading's names, as `isCountName` knows them; `state` and `Sample` are those of BEAST. */
const NEEDLES = [
  ...['poch', 'step', 'Step', 'STEP', 'EPOCH', 'Ep', 'iter', 'Iter', 'ITER', 'ound', 'atch', 'pdate'],
  ...['eneration', 'pisode', 'rial ', 'ycle', 'weep', 'gen\t', 'gen ', 'Gen ', 'state\t', 'Sample'],
];
/** Their rows count only from the second one on: the name alone does not say that something is counted. */
const WEAK_COUNT = /^(?:state|sample)$/i;
/** A count stands first, or behind what the row is of. */
const MAX_PLACE = 2;
/** GROMACS prints such names alone above a step, whose energies come below. */
const TIME = /^(?:time|lambda)$/i;
/** A longer line is none that somebody printed for people. */
const MAX_CHARS = 4096;
/**
 * After this many other lines a table has ended: as long as it goes on, each line must be looked at. Only lines with a
 * number may come before its first row, such as `0  handle free variables  0s` of Gurobi.
 */
const MAX_LINES_BETWEEN = 500;

interface CountedColumnsState {
  /** The names of the latest heading with a count; none once another line followed it instead of a row. */
  names: readonly string[];
  /** The counts of the first row of the table, and of the latest; none before the first. */
  first: readonly number[];
  last: readonly number[];
  /** The other lines since the latest row. */
  others: number;
}

/** The names of the columns that count; none for a heading that has no such column, or nothing beside times. */
function findCountColumns(names: readonly string[]): readonly string[] {
  if (names.slice(1).every((name) => TIME.test(name))) return [];
  const counts = names.slice(0, MAX_PLACE).filter(isCountColumn);
  return counts.length === 0 ? names.slice(0, 1).filter(isWeak) : counts;
}

function isWeak(name: string): boolean {
  return WEAK_COUNT.test(name);
}

/** `Inner_Iter`, `#Iter` */
function isCountColumn(name: string): boolean {
  return isCountName(name.replace(/^#\s*/, '').replaceAll('_', ' '));
}

/** Whether a row's names, or how its numbers are printed, tell of a measurement; settings are whole numbers. */
function isMeasured(row: MetadataRow, line: string): boolean {
  return /\d\.\d/.test(line) || [...row].some(([name, value]) => isOfMeasure({ name, text: String(value) }));
}

/** Columns under a heading of which one of the first counts, as its numbers rise: `epoch  train_loss  valid_loss`. */
export const COUNTED_COLUMNS = definePreset<CountedColumnsState>({
  name: 'counted-columns',
  program: 'columns of numbers under a heading whose first name is an epoch, a step or the like',
  needles: ({ names }) => (names.length === 0 ? NEEDLES : undefined),
  counters: (row) => [...row.keys()].slice(0, MAX_PLACE).filter((name) => isCountColumn(name) || isWeak(name)),
  initial: { names: [], first: [], last: [], others: 0 },
  read(line, state) {
    if (line.length > MAX_CHARS) return undefined;
    const row = readColumnRow(state.names, line);
    if (row !== undefined) return takeCounted(row, line, state);
    const names = readHeading(line);
    if (findCountColumns(names).length > 0) {
      Object.assign(state, { names, first: [], last: [], others: 0 });
    } else if (state.names.length > 0 && !RULE.test(line)) {
      state.others += 1;
      const isBefore = state.last.length === 0 && !/^\s*\d/.test(line);
      if (isBefore || state.others > MAX_LINES_BETWEEN) state.names = [];
    }
    return undefined;
  },
});

/** The row, if one of its counts goes on, or all begin again as in the next fold. */
function takeCounted(row: MetadataRow, line: string, state: CountedColumnsState): MetadataRow | undefined {
  const names = findCountColumns(state.names);
  const counts = names.map((name) => row.get(name)).filter((count) => typeof count === 'number');
  const isCounted = counts.length === names.length && counts.every((count) => Number.isInteger(count) && count >= 0);
  const strict = names.some(isWeak);
  if (!isCounted || !goesOn(counts, state, strict)) return undefined;
  const isFirst = state.last.length === 0;
  if (isFirst) state.first = counts;
  state.last = counts;
  state.others = 0;
  return !isFirst || (!strict && isMeasured(row, line)) ? row : undefined;
}

/** An epoch may have several rows; a name that is no sure count must rise. */
function goesOn(counts: readonly number[], { first, last }: CountedColumnsState, strict: boolean): boolean {
  if (last.length === 0) return true;
  if (strict) return counts.every((count, i) => count > (last[i] ?? 0));
  return counts.some((count, i) => count >= (last[i] ?? 0)) || counts.every((count, i) => count === first[i]);
}
