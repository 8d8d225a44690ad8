import { isNumberText, readPrintedValue } from '../../printed-value.js';
import { readColumnRow } from '../forms/columns.js';
import { findEquations } from './equations.js';
import { definePreset } from '../forms/preset.js';

// AMBER prints a block of pairs for each step, NAMD a line of columns.

type Pair = readonly [string, number | string];

const AMBER_STEP = /^\s*NSTEP\s*=\s*\d+\s+TIME/;
const AMBER_HEADING = /^\s*NSTEP\s+ENERGY\s+RMS\s+GMAX\b/;
const AMBER_MINIMUM = ['NSTEP', 'ENERGY', 'RMS', 'GMAX'];
/** Words with one space between them: `1-4 NB`, `Etot`. What they begin with, they begin with a letter or digit. */
const AMBER_NAME = /(?<![\w()/.-]|[\w()/.-] )(?:[_()/.-]| (?! ))*([A-Za-z0-9][\w()/.-]*(?: [\w()/.-]+)*)$/;
const AMBER_VALUE = /\s*(\S+)/y;
/** What comes below is no step. */
const AMBER_SUMMARY = /^\s*(?:A V E R A G E S|R M S {2}F L U C T|FINAL RESULTS)/;
const MAX_KEYS = 100;

interface AmberState {
  readonly row: readonly Pair[];
  /** Whether the next line holds the numbers of a heading. */
  readonly isBelowHeading: boolean;
  readonly isSummary: boolean;
}

/** `NSTEP = 100  TIME(PS) = 0.2 …` and the energies below, up to an empty line or a rule, are one row. */
export const AMBER = definePreset<{ -readonly [K in keyof AmberState]: AmberState[K] }>({
  name: 'amber',
  program: 'AMBER',
  needles: ({ row, isBelowHeading }) =>
    row.length > 0 || isBelowHeading ? undefined : ['NSTEP', 'A V E R A', 'F L U C T', 'FINAL RESULTS'],
  counters: ['NSTEP', 'TIME(PS)'],
  initial: { row: [], isBelowHeading: false, isSummary: false },
  read(line, state) {
    if (AMBER_SUMMARY.test(line)) {
      Object.assign(state, { row: [], isSummary: true });
    } else if (AMBER_STEP.test(line)) {
      state.row = readAmberPairs(line);
    } else if (AMBER_HEADING.test(line)) {
      Object.assign(state, { row: [], isBelowHeading: true });
    } else if (state.isBelowHeading) {
      const cells = line.trim().split(/\s+/).slice(0, AMBER_MINIMUM.length);
      const isRow = cells.length === AMBER_MINIMUM.length && cells.every(isNumberText);
      state.row = isRow ? AMBER_MINIMUM.map((name, i) => [name, readPrintedValue(cells[i] ?? '')]) : [];
      state.isBelowHeading = false;
    } else if (state.row.length > 0) {
      return readAmberLine(line, state);
    }
    return undefined;
  },
});

function readAmberLine(
  line: string,
  state: { -readonly [K in keyof AmberState]: AmberState[K] }
): ReadonlyMap<string, number | string> | undefined {
  const pairs = readAmberPairs(line);
  // An empty line is below the numbers of a heading, too.
  const isEnd = /^\s*-{5,}$/.test(line) || (line.trim() === '' && state.row.length > AMBER_MINIMUM.length);
  if (!isEnd) {
    state.row = state.row.length > MAX_KEYS ? state.row : [...state.row, ...pairs];
    return undefined;
  }
  const row = state.isSummary ? undefined : new Map(state.row);
  Object.assign(state, { row: [], isSummary: false });
  return row;
}

function readAmberPairs(line: string): readonly Pair[] {
  return findEquations(line, AMBER_NAME, AMBER_VALUE)
    .filter(({ value }) => isNumberText(value))
    .map(({ name, value }) => [name, readPrintedValue(value)]);
}

/** `ENERGY:  100  20.5  10.25` under `ETITLE:  TS  BOND  ANGLE`. */
export const NAMD = definePreset({
  name: 'namd',
  program: 'NAMD',
  needles: ['ETITLE:', 'ENERGY:'],
  counters: ['TS'],
  initial: { names: [] as readonly string[] },
  read(line, state) {
    if (line.startsWith('ETITLE:')) {
      state.names = line.trim().split(/\s+/).slice(1);
      return undefined;
    }
    return line.startsWith('ENERGY:') ? readColumnRow(state.names, line) : undefined;
  },
});
