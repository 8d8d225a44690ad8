import { FINITE_NUMBER, readPrintedValue } from '../../printed-value.js';
import { findEquations } from './equations.js';
import { definePreset } from '../forms/preset.js';

// Programs that repeat a cycle of iterations for each step of the atoms. The number of an iteration falls with each
// cycle, so a count of all of them stands beside it: it never falls, and so becomes X where there are several cycles.

type Row = Map<string, number | string>;

function toRow(counts: Readonly<Record<string, number>>, values: Iterable<readonly [string, string]>): Row {
  return new Map<string, number | string>([
    ...Object.entries(counts),
    ...Array.from(values, ([name, text]) => [name, readPrintedValue(text)] as const),
  ]);
}

const VASP_ITERATION = new RegExp(
  String.raw`^\s*(?:DAV|RMM|CGA|DMP|SDA|NONE?):\s+(\d+)((?:\s+${FINITE_NUMBER}){2,6})\s*$`
);
const VASP_STEP = /^\s*(\d+)\s+(?=[FT]=\s.*\bE0?=)/;
const VASP_NAME = /(?<![A-Za-z0-9 ])[0-9 ]*([A-Za-z][A-Za-z0-9 ]*)$/;
const VASP_VALUE = new RegExp(String.raw`\s*(${FINITE_NUMBER})`, 'y');
const VASP_COLUMNS = ['E', 'dE', 'd eps', 'ncg', 'rms', 'rms(c)'];

/** The iterations of OSZICAR and of the standard output, and the line with `F=` and `E0=` that ends their cycle. */
export const VASP = definePreset({
  name: 'vasp',
  program: 'VASP',
  needles: ['DAV:', 'RMM:', 'CGA:', 'DMP:', 'SDA:', 'NONE:', ' F=', ' T='],
  counters: ['electronic step', 'ionic step'],
  initial: { iterations: 0, steps: 0 },
  read(line, state) {
    const [, iteration, values] = VASP_ITERATION.exec(line) ?? [];
    if (values !== undefined) {
      state.iterations += 1;
      const cells = values.trim().split(/\s+/);
      return toRow(
        { 'electronic step': state.iterations, 'ionic step': state.steps + 1, N: Number(iteration) },
        VASP_COLUMNS.slice(0, cells.length).map((name, i) => [name, cells[i] ?? ''] as const)
      );
    }
    const [head, step] = VASP_STEP.exec(line) ?? [];
    if (head === undefined) {
      return undefined;
    }
    state.steps = Number(step);
    const equations = findEquations(line.slice(head.length), VASP_NAME, VASP_VALUE);
    return toRow(
      { 'ionic step': state.steps },
      equations.map(({ name, value }) => [name.replace(/^d E$/, 'dE'), value] as const)
    );
  },
});

const PW_ITERATION = /^\s*iteration #\s*(\d+)\s+ecut=/;
const PW_ENERGY = new RegExp(String.raw`^(!?)\s+total energy\s+=\s+(${FINITE_NUMBER}) Ry`);
const PW_ACCURACY = new RegExp(String.raw`^\s+estimated scf accuracy\s+<\s+(${FINITE_NUMBER}) Ry`);

/** The energy and the accuracy of each iteration of pw.x, and the energy of each cycle that has converged. */
export const QUANTUM_ESPRESSO = definePreset({
  name: 'quantum-espresso',
  program: 'Quantum ESPRESSO',
  needles: ['iteration #', 'total energy  ', 'estimated scf accuracy'],
  counters: ['scf step', 'scf cycle'],
  initial: { iteration: 0, iterations: 0, cycles: 0, energy: '' },
  read(line, state) {
    const [, iteration] = PW_ITERATION.exec(line) ?? [];
    if (iteration !== undefined) {
      Object.assign(state, { iteration: Number(iteration), iterations: state.iterations + 1 });
      return undefined;
    }
    const [, mark, energy] = PW_ENERGY.exec(line) ?? [];
    if (energy !== undefined) {
      Object.assign(state, { energy, cycles: state.cycles + (mark === '!' ? 1 : 0) });
      return mark === '!' ? toRow({ 'scf cycle': state.cycles }, [['converged energy', energy]]) : undefined;
    }
    const [, accuracy] = PW_ACCURACY.exec(line) ?? [];
    if (accuracy === undefined || state.energy === '') {
      return undefined;
    }
    const counts = { iteration: state.iteration, 'scf step': state.iterations };
    const row = toRow(counts, [
      ['total energy', state.energy],
      ['scf accuracy', accuracy],
    ]);
    state.energy = '';
    return row;
  },
});

const CP2K_ITERATION = new RegExp(
  String.raw`^\s*(\d+)\s+[A-Za-z]\S*(?:\s\S+)?\s+${FINITE_NUMBER}\s+(${FINITE_NUMBER})\s+(${FINITE_NUMBER})\s+(-?\d+\.\d+)\s+(${FINITE_NUMBER})$`
);
const CP2K_ENERGY = new RegExp(String.raw`^\s*ENERGY\| Total FORCE_EVAL .*:\s+(${FINITE_NUMBER})$`);

/** The iterations below `Step  Update method  Time  Convergence`, and the energy at the end of each cycle. */
export const CP2K = definePreset({
  name: 'cp2k',
  program: 'CP2K',
  needles: ({ isOpen }) => (isOpen ? undefined : ['Update method', 'ENERGY|']),
  counters: ['scf step', 'scf cycle'],
  initial: { isOpen: false, iterations: 0, cycles: 0 },
  read(line, state) {
    if (/^\s*Step\s+Update method\s/.test(line)) {
      state.isOpen = true;
      return undefined;
    }
    const [, energy] = CP2K_ENERGY.exec(line) ?? [];
    if (energy !== undefined) {
      Object.assign(state, { isOpen: false, cycles: state.cycles + 1 });
      return toRow({ 'scf cycle': state.cycles }, [['converged energy', energy]]);
    }
    const [, iteration, time, convergence, total, change] = (state.isOpen && CP2K_ITERATION.exec(line)) || [];
    if (time === undefined || convergence === undefined || total === undefined || change === undefined) {
      return undefined;
    }
    state.iterations += 1;
    return toRow({ iteration: Number(iteration), 'scf step': state.iterations }, [
      ['time', time],
      ['convergence', convergence],
      ['total energy', total],
      ['change', change],
    ]);
  },
});
