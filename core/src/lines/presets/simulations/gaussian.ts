import type { MetadataRow } from '../../../table/metadata-row.js';
import { NO_ROW } from '../../line-reader.js';
import { FINITE_NUMBER, isNumberText, readPrintedValue } from '../../printed-value.js';
import { definePreset } from '../forms/preset.js';

const BEGIN = /^\s*Entering Gaussian System/;
const END = /^\s*(?:Normal|Error) termination (?:of Gaussian|via|request)/;
const CYCLE = /^\s*Cycle\s+(\d+)\s+Pass\s+\d/;
const ENERGY = new RegExp(String.raw`^\s*E=\s*(${FINITE_NUMBER})(?:\s+Delta-E=\s*(${FINITE_NUMBER})\s.*)?$`);
const DONE = new RegExp(
  String.raw`^\s*SCF Done:\s+E\([\w()+-]+\) =\s*(${FINITE_NUMBER})\s+A\.U\. after\s+(\d+) cycles`
);
const STEP = /^\s*Step number\s+(\d+) out of a maximum of/;
const CONVERGENCE = /^\s*(Maximum|RMS)\s+(Force|Displacement)\s+([\d.]+)\s+[\d.]+\s+(?:YES|NO)$/;

type Pair = readonly [name: string, value: number | string];

interface State {
  runs: boolean;
  iteration: number;
  /** The iterations of all cycles. */
  iterations: number;
  cycles: number;
  step: number;
  /** What an optimization has reached, as far as it came. */
  reached: readonly Pair[];
}

/** The energy of each iteration and of each cycle, and how far an optimization is from its end. */
export const GAUSSIAN = definePreset<State>({
  name: 'gaussian',
  program: 'Gaussian',
  needles: ({ runs }) => (runs ? undefined : ['Entering Gaussian System', 'SCF Done:']),
  counters: ['scf step', 'scf cycle', 'optimization step'],
  initial: { runs: false, iteration: 0, iterations: 0, cycles: 0, step: 0, reached: [] },
  read(line, state) {
    const didRun = state.runs;
    state.runs = didRun ? !END.test(line) : BEGIN.test(line);
    const row = readDone(line, state) ?? (didRun ? (readIteration(line, state) ?? readStep(line, state)) : undefined);
    return row ?? (didRun ? NO_ROW : undefined);
  },
});

function readDone(line: string, state: State): MetadataRow | undefined {
  const [, energy, iterations] = DONE.exec(line) ?? [];
  if (energy === undefined) return undefined;
  Object.assign(state, { cycles: state.cycles + 1, iteration: 0 });
  return new Map<string, number | string>([
    ['scf cycle', state.cycles],
    ['converged energy', readPrintedValue(energy)],
    ['iterations', Number(iterations)],
  ]);
}

function readIteration(line: string, state: State): MetadataRow | undefined {
  const [, cycle] = CYCLE.exec(line) ?? [];
  if (cycle !== undefined) state.iteration = Number(cycle);
  const [, energy, change] = state.iteration === 0 ? [] : (ENERGY.exec(line) ?? []);
  if (energy === undefined) return undefined;
  state.iterations += 1;
  return new Map<string, number | string>([
    ['iteration', state.iteration],
    ['scf step', state.iterations],
    ['total energy', readPrintedValue(energy)],
    ...(change === undefined ? [] : [['Delta-E', readPrintedValue(change)] as const]),
  ]);
}

/** The four lines below `Step number   3 out of a maximum of   20`, as one row. */
function readStep(line: string, state: State): MetadataRow | undefined {
  const [, step] = STEP.exec(line) ?? [];
  if (step !== undefined) Object.assign(state, { step: Number(step), reached: [] });
  const [, kind = '', of = '', value = ''] = CONVERGENCE.exec(line) ?? [];
  if (kind === '' || !isNumberText(value)) return undefined;
  state.reached = [...state.reached, [`${kind} ${of}`, readPrintedValue(value)]];
  if (`${kind} ${of}` !== 'RMS Displacement') return undefined;
  const row = new Map<string, number | string>([['optimization step', state.step], ...state.reached]);
  state.reached = [];
  return row;
}
