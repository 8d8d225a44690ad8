import type { MetadataRow } from '../../../table/metadata-row.js';
import { isCountName, isOfMeasure } from './counted-numbers.js';
import { readColumnRow, readHeading } from './columns.js';
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
/** A rule between a heading and its rows, or a blank line. */
const RULE = /^[\s|+:=-]*$/;
/** A longer line is none that somebody printed for people. */
const MAX_CHARS = 4096;
/** After this many other lines a table has ended: as long as it goes on, each line must be looked at. */
const MAX_LINES_BETWEEN = 500;

interface CountedColumnsState {
  /** The names of the latest heading with a count; none once another line followed it instead of a row. */
  names: readonly string[];
  /** The count of the first row of the table, and of the latest; null before the first. */
  first: number | null;
  last: number | null;
  /** The other lines since the latest row. */
  others: number;
}

/** The name of the column that counts; undefined for a heading that has none, or nothing beside times. */
function findCountColumn(names: readonly string[]): string | undefined {
  if (names.slice(1).every((name) => TIME.test(name))) return undefined;
  const head = names.slice(0, MAX_PLACE);
  return head.find(isCountColumn) ?? (WEAK_COUNT.test(names[0] ?? '') ? names[0] : undefined);
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
  counters: (row) => [...row.keys()].slice(0, MAX_PLACE).filter((name) => isCountColumn(name) || WEAK_COUNT.test(name)),
  initial: { names: [], first: null, last: null, others: 0 },
  read(line, state) {
    if (line.length > MAX_CHARS) return undefined;
    const row = readColumnRow(state.names, line);
    if (row !== undefined) return takeCounted(row, line, state);
    const names = readHeading(line);
    if (findCountColumn(names) !== undefined) {
      Object.assign(state, { names, first: null, last: null, others: 0 });
    } else if (state.names.length > 0 && !RULE.test(line)) {
      state.others += 1;
      if (state.last === null || state.others > MAX_LINES_BETWEEN) state.names = [];
    }
    return undefined;
  },
});

/** The row, if its count goes on, or begins again as in the next fold. */
function takeCounted(row: MetadataRow, line: string, state: CountedColumnsState): MetadataRow | undefined {
  const name = findCountColumn(state.names) ?? '';
  const count = row.get(name);
  if (typeof count !== 'number' || !Number.isInteger(count) || count < 0) return undefined;
  const { last } = state;
  const isWeak = WEAK_COUNT.test(name);
  const goesOn = last === null || count > last || (!isWeak && count === state.first);
  if (!goesOn) return undefined;
  state.first ??= count;
  state.last = count;
  state.others = 0;
  return last !== null || (!isWeak && isMeasured(row, line)) ? row : undefined;
}
