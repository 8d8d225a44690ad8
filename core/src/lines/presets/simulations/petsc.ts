import type { MetadataRow } from '../../../table/metadata-row.js';
import { FINITE_NUMBER, readPrintedValue } from '../../printed-value.js';
import { definePreset } from '../forms/preset.js';

/** `  3 KSP Residual norm 1.0e-02`; programs put a word or two before it. */
const ITERATION = /^([A-Za-z_ ]{0,40}?)\s*(\d+) (KSP|SNES|TAO) (.*)$/;
const TIME_STEP = new RegExp(String.raw`^\s*(\d+) TS dt (${FINITE_NUMBER}) time (${FINITE_NUMBER})$`);
const NUMBER = new RegExp(`^${FINITE_NUMBER}$`);
const MAX_VALUES = 8;

/** The residuals of linear and of nonlinear solvers, and the time steps. */
export const PETSC = definePreset({
  name: 'petsc',
  program: 'PETSc',
  needles: [' KSP ', ' SNES ', ' TAO ', ' TS dt '],
  counters: ['ksp step', 'snes step', 'tao step', 'step'],
  // Counts through all solves: within each, the number of an iteration begins anew.
  initial: { ksp: 0, snes: 0, tao: 0 },
  read(line, state) {
    const [, step, dt, time] = TIME_STEP.exec(line) ?? [];
    if (step !== undefined && dt !== undefined && time !== undefined) {
      return new Map<string, number | string>([
        ['step', Number(step)],
        ['dt', readPrintedValue(dt)],
        ['time', readPrintedValue(time)],
      ]);
    }
    const [, , iteration, solver = '', rest = ''] = ITERATION.exec(line) ?? [];
    const norms = iteration === undefined ? undefined : readNorms(rest, solver);
    if (norms === undefined) return undefined;
    const key = solver.toLowerCase() as 'ksp' | 'snes' | 'tao';
    state[key] += 1;
    return new Map<string, number | string>([['iteration', Number(iteration)], [`${key} step`, state[key]], ...norms]);
  },
});

/** `preconditioned resid norm 1.0 true resid norm 2.0`; undefined where anything but names and numbers is there. */
function readNorms(text: string, solver: string): MetadataRow | undefined {
  const row = new Map<string, number | string>();
  let words: string[] = [];
  for (const token of text.split(/[\s,=]+/).filter((part) => part !== '')) {
    if (!NUMBER.test(token)) {
      words.push(token);
      continue;
    }
    const name = words.join(' ').replace(/^% /, '');
    if (!/[A-Za-z]/.test(name) || name.includes('<') || row.size >= MAX_VALUES) return undefined;
    row.set(row.size === 0 ? `${solver} ${name}` : name, readPrintedValue(token));
    words = [];
  }
  return row.size === 0 || words.length > 0 ? undefined : row;
}
