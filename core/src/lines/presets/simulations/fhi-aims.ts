import type { MetadataRow } from '../../../table/metadata-row.js';
import { FINITE_NUMBER, readPrintedValue } from '../../printed-value.js';
import { definePreset } from '../forms/preset.js';
import { createCycleRow, createIterationRow } from './scf-tables.js';

const ITERATION = /^\s*Begin self-consistency iteration #\s*(\d+)$/;
/** In hartree, then in eV */
const ENERGY = new RegExp(String.raw`^\s*\| Total energy\s*:\s*${FINITE_NUMBER} Ha\s+(${FINITE_NUMBER}) eV$`);
const CHANGE = new RegExp(
  String.raw`^\s*\| (Change of [a-zKS/ ]+?)\s*:\s*(${FINITE_NUMBER})(?:\s+${FINITE_NUMBER})?(?: eV)?$`
);
/** The last of the changes that the forces do not depend on */
const LAST_CHANGE = 'Change of total energy';
const CONVERGED = new RegExp(
  String.raw`^\s*\| Total energy of the DFT \/ Hartree-Fock s\.c\.f\. calculation\s*:\s*(${FINITE_NUMBER}) eV$`
);

interface AimsState {
  /** The iteration that has begun; -1 before the first of a cycle. */
  iteration: number;
  /** The iterations of all cycles. */
  iterations: number;
  cycles: number;
  /** What the iteration has printed. */
  values: readonly (readonly [string, number | string])[];
}

/** The total energy and the changes of each iteration, and the energy of each cycle; in eV. */
export const FHI_AIMS = definePreset<AimsState>({
  name: 'fhi-aims',
  program: 'FHI-aims',
  needles: ({ iteration }) =>
    iteration < 0 ? ['Begin self-consistency'] : ['Begin self', '| Total energy', '| Change of'],
  counters: ['scf step', 'scf cycle'],
  initial: { iteration: -1, iterations: 0, cycles: 0, values: [] },
  read(line, state) {
    const [, iteration] = ITERATION.exec(line) ?? [];
    if (iteration !== undefined) {
      Object.assign(state, { iteration: Number(iteration), values: [] });
      return undefined;
    }
    if (state.iteration < 0) return undefined;
    return readIteration(line, state) ?? readConverged(line, state);
  },
});

function readIteration(line: string, state: AimsState): MetadataRow | undefined {
  const [, energy] = ENERGY.exec(line) ?? [];
  const [, name, change] = energy === undefined ? (CHANGE.exec(line) ?? []) : [undefined, 'total energy', energy];
  if (name === undefined || change === undefined) return undefined;
  state.values = [...state.values.filter(([known]) => known !== name), [name, readPrintedValue(change)]];
  if (name !== LAST_CHANGE) return undefined;
  state.iterations += 1;
  const row = createIterationRow(state.iteration, state.iterations, state.values);
  state.values = [];
  return row;
}

function readConverged(line: string, state: AimsState): MetadataRow | undefined {
  const [, energy] = CONVERGED.exec(line) ?? [];
  if (energy === undefined) return undefined;
  Object.assign(state, { iteration: -1, cycles: state.cycles + 1, values: [] });
  return createCycleRow(state.cycles, energy);
}
