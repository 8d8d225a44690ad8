import type { MetadataRow } from '../../../table/metadata-row.js';
import { readPrintedValue } from '../../printed-value.js';
import { definePreset } from '../forms/preset.js';
import { createCycleRow, createIterationRow } from './scf-tables.js';

/** `iter:   3  15:04:07  -2.50c -1.80   -14.501233c   0   1`; a `c` marks what has converged. */
const ROW = /^iter:\s+(\d+)\s+\d\d:\d\d:\d\d\s+(\S.*)$/;
/** Errors are printed with at most two decimals, the energy with more. */
const ERROR = /^([+-]\d+\.\d{1,2})c?$/;
const ENERGY = /^([+-]?\d+\.\d{3,})c?$/;

interface GpawState {
  /** The iterations of all cycles. */
  iterations: number;
  cycles: number;
}

/** The energy of each iteration, with the logarithms of the errors, and the energy of each cycle. */
export const GPAW = definePreset<GpawState>({
  name: 'gpaw',
  program: 'GPAW',
  needles: ['iter: ', 'Extrapolated:'],
  counters: ['scf step', 'scf cycle'],
  initial: { iterations: 0, cycles: 0 },
  read: (line, state) => readIteration(line, state) ?? readEnergy(line, state),
});

function readIteration(line: string, state: GpawState): MetadataRow | undefined {
  const [, iteration, rest = ''] = ROW.exec(line) ?? [];
  const cells = rest.split(/\s+/);
  const at = cells.findIndex((cell) => ENERGY.test(cell));
  if (iteration === undefined || at < 0) return undefined;
  state.iterations += 1;
  const energy = ENERGY.exec(cells[at] ?? '')?.[1] ?? '';
  const columns = [['energy', readPrintedValue(energy)] as const, ...readErrors(cells.slice(0, at))];
  return createIterationRow(Number(iteration), state.iterations, columns);
}

/** The first iteration has no errors yet; where a third one stands (force, work function), each has its own place. */
function readErrors(cells: readonly string[]): ReadonlyArray<readonly [string, number | string]> {
  const [wfs, density] = cells.map((cell) => ERROR.exec(cell)?.[1]);
  if (cells.length !== 2 || wfs === undefined || density === undefined) return [];
  return [
    ['log10 wfs error', readPrintedValue(wfs)],
    ['log10 density error', readPrintedValue(density)],
  ];
}

function readEnergy(line: string, state: GpawState): MetadataRow | undefined {
  const [, energy] = /^Extrapolated:\s+(-?\d+\.\d+)$/.exec(line) ?? [];
  if (energy === undefined) return undefined;
  state.cycles += 1;
  return createCycleRow(state.cycles, energy);
}
