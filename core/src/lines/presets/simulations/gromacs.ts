import { isNumberText, readPrintedValue } from '../../printed-value.js';
import type { MetadataRow } from '../../../table/metadata-row.js';
import { definePreset } from '../forms/preset.js';

const STEP_HEADING = /^\s*Step\s+Time(?:\s+Lambda)?$/;
const ENERGIES = /^\s*Energies \(/;
/** A column of md.log has 15 characters. */
const COLUMN = 15;

type Pair = readonly [string, number | string];

interface GromacsState {
  phase: 'out' | 'step' | 'energies';
  /** The names of the columns whose values come next. */
  names: readonly string[];
  row: readonly Pair[];
}

/** A row begins under `Step  Time`, goes on under the names of energies, and ends with an empty line. */
export const GROMACS = definePreset<GromacsState>({
  name: 'gromacs',
  program: 'GROMACS',
  needles: ({ phase }) => (phase === 'out' ? ['Step '] : undefined),
  counters: ['Step', 'Time'],
  initial: { phase: 'out', names: [], row: [] },
  read(line, state) {
    if (STEP_HEADING.test(line)) {
      Object.assign(state, { phase: 'step', names: line.trim().split(/\s+/), row: [] });
      return undefined;
    }
    if (state.phase === 'out') {
      return undefined;
    }
    if (ENERGIES.test(line)) {
      Object.assign(state, { phase: 'energies', names: [] });
      return undefined;
    }
    const values = line.trim().split(/\s+/);
    if (state.names.length > 0 && values.length === state.names.length && values.every(isNumberText)) {
      const pairs = state.names.map((name, i): Pair => [toKey(name), readPrintedValue(values[i] ?? '')]);
      Object.assign(state, { names: [], row: [...state.row, ...pairs] });
      return undefined;
    }
    if (line.trim() === '') {
      return state.phase === 'energies' ? endRow(state) : undefined;
    }
    state.names = splitNames(line);
    return undefined;
  },
});

/** An energy that only drifts upwards must not come before `Step`: of two columns that never fall, the first is X. */
function toKey(name: string): string {
  return name === 'Conserved En.' ? 'conserved En.' : name;
}

function endRow(state: GromacsState): MetadataRow | undefined {
  const row = state.row.length > 2 ? new Map(state.row) : undefined;
  Object.assign(state, { phase: 'out', names: [], row: [] });
  return row;
}

function splitNames(line: string): readonly string[] {
  const names: string[] = [];
  for (let end = line.length; end > 0; end -= COLUMN) {
    names.unshift(line.slice(Math.max(0, end - COLUMN), end).trim());
  }
  return names.every((name) => name !== '') ? names : [];
}
