import type { MetadataRow } from '../../../table/metadata-row.js';
import type { PresetName } from '../../metadata-kind.js';
import { NO_ROW } from '../../line-reader.js';
import { isNumberText, readPrintedValue } from '../../printed-value.js';
import { definePreset, type Preset } from '../forms/preset.js';

// Programs that print a line for each iteration, with a label before it and a heading above the first one. As with the
// other programs for electrons, a count of all iterations stands beside the number, which falls with each cycle.

interface ScfTable {
  readonly name: PresetName;
  readonly program: string;
  readonly needles: readonly string[];
  /** Its first group is the names of the columns behind the iteration. */
  readonly heading: RegExp;
  /** Whether a name may hold a space: two of them are between names then. */
  readonly hasSpaces?: true;
  /** Its groups are the iteration and the columns. */
  readonly row: RegExp;
  /** Whether rows have no label: they come below a heading, in their order, up to an empty line. */
  readonly isBare?: true;
  /** Its group is the energy that ends a cycle. */
  readonly energy: RegExp;
  /** The line with which the program begins, and the one with which it ends: what else is between is no row. */
  readonly run?: readonly [begin: RegExp, end: RegExp];
}

interface ScfState {
  readonly names: readonly string[];
  /** The iterations of all cycles. */
  readonly iterations: number;
  /** The last iteration below this heading; -1 before the first. */
  readonly last: number;
  readonly cycles: number;
  /** Whether the program has begun, and not ended. */
  readonly runs: boolean;
}

const CLOSED = { names: [], last: -1 };

/** A preset of a program that prints such a table. */
export function defineScfTable(table: ScfTable): Preset {
  const { name, program, needles, heading, hasSpaces = false, isBare = false } = table;
  return definePreset<{ -readonly [K in keyof ScfState]: ScfState[K] }>({
    name,
    program,
    needles: ({ names, runs }) => (runs || (isBare && names.length > 0) ? undefined : needles),
    counters: ['scf step', 'scf cycle'],
    initial: { ...CLOSED, iterations: 0, cycles: 0, runs: false },
    read(line, state): MetadataRow | undefined {
      const [, names] = heading.exec(line) ?? [];
      if (names !== undefined) {
        Object.assign(state, { names: splitNames(names, hasSpaces ? '  ' : ' '), last: -1 });
        return state.runs ? NO_ROW : undefined;
      }
      if (isBare && line === '' && state.last >= 0) Object.assign(state, CLOSED);
      const didRun = state.runs;
      state.runs = goesOn(line, table, didRun);
      return readIteration(line, table, state) ?? readEnergy(line, table, state) ?? (didRun ? NO_ROW : undefined);
    },
  });
}

function goesOn(line: string, { run }: ScfTable, runs: boolean): boolean {
  const [begin, end] = run ?? [];
  return runs ? end?.test(line) !== true : begin?.test(line) === true;
}

function splitNames(text: string, separator: string): readonly string[] {
  return text
    .split(separator)
    .map((name) => name.trim())
    .filter((name) => name !== '');
}

function readIteration(
  line: string,
  { row, isBare }: ScfTable,
  state: { -readonly [K in keyof ScfState]: ScfState[K] }
): MetadataRow | undefined {
  const [, iteration, columns] = row.exec(line) ?? [];
  const cells = columns?.trim().split(/\s+/) ?? [];
  const isNext = isBare !== true || state.last < 0 || Number(iteration) === state.last + 1;
  if (!isNext || cells.length < 2 || cells.length > state.names.length || !cells.every(isNumberText)) {
    return undefined;
  }
  state.iterations += 1;
  state.last = Number(iteration);
  const pairs = cells.map((cell, i) => [state.names[i] ?? '', readPrintedValue(cell)] as const);
  return createIterationRow(state.last, state.iterations, pairs);
}

/** A row of an iteration; `scfStep` counts those of all cycles. */
export function createIterationRow(
  iteration: number,
  scfStep: number,
  columns: ReadonlyArray<readonly [string, number | string]>
): MetadataRow {
  return new Map<string, number | string>([['iteration', iteration], ['scf step', scfStep], ...columns]);
}

/** The row of the energy, as it was printed, that ends a cycle. */
export function createCycleRow(scfCycle: number, energy: string): MetadataRow {
  return new Map([
    ['scf cycle', scfCycle],
    ['converged energy', readPrintedValue(energy)],
  ]);
}

function readEnergy(
  line: string,
  { energy }: ScfTable,
  state: { -readonly [K in keyof ScfState]: ScfState[K] }
): MetadataRow | undefined {
  const [, converged] = energy.exec(line) ?? [];
  if (converged === undefined) {
    return undefined;
  }
  state.cycles += 1;
  return createCycleRow(state.cycles, converged);
}

/** `scf:    1  -465.775  -465.775  …` under `iscf  Eharris(eV)  E_KS(eV)  …`; older versions begin with `siesta:`. */
export const SIESTA = defineScfTable({
  name: 'siesta',
  program: 'SIESTA',
  needles: ['iscf ', 'scf:', 'siesta:'],
  heading: /^\s*(?:siesta:\s+)?iscf\s+(E\S+\s.*)$/,
  row: /^\s*(?:scf|siesta):\s+(\d+)\s+(\S.*)$/,
  energy: /^siesta: E_KS\(eV\) =\s+(-?\d+\.\d+)$/,
});

/** `ETOT  1  -8.86040  -8.860E+00  …` under `iter   Etot(hartree)  deltaE(h)  …` */
export const ABINIT = defineScfTable({
  name: 'abinit',
  program: 'ABINIT',
  needles: ['Etot(', 'ETOT', '>>>>>>>>> Etotal='],
  heading: /^\s*iter\s+(Etot\(\S+\s.*)$/,
  row: /^\s*ETOT\s+(\d+)\s+(\S.*)$/,
  energy: /^\s*>+ Etotal=\s*(-?\d\S*)$/,
});

/** The iterations under `iter  energy  gnorm  gmax  time`, or under `convergence  iter  energy  DeltaE` of the DFT. */
export const NWCHEM = defineScfTable({
  name: 'nwchem',
  program: 'NWChem',
  needles: [' iter ', 'Total SCF energy', 'Total DFT energy', '(NWChem)'],
  run: [/^\s*Northwest Computational Chemistry Package \(NWChem\)/, /^\s*Total times\s+cpu:/],
  heading: /^\s*(?:convergence\s+)?iter\s+(energy\s.*)$/,
  row: /^\s*(?:d=\s*\d+,ls=[\d.]+,\w+\s+)?(\d+)\s+(-?\d+\.\d+\s.*)$/,
  isBare: true,
  energy: /^\s*Total (?:SCF|DFT) energy\s*=\s+(-?\d+\.\d+)$/,
});

/** The iterations under `ITER EX DEM     TOTAL ENERGY        E CHANGE`, behind which come counts of the DIIS. */
export const GAMESS = defineScfTable({
  name: 'gamess',
  program: 'GAMESS',
  needles: ['ITER EX', 'ENERGY IS ', 'GAMESS VERSION'],
  run: [/^\s*\*\s+GAMESS VERSION =/, /^\s*EXECUTION OF GAMESS TERMINATED/],
  heading: /^\s*ITER EX\s(?:DEM\s)?\s*(TOTAL ENERGY\s.*)$/,
  hasSpaces: true,
  row: /^\s*(\d+)\s+\d+\s+(?:\d+\s+)?(-?\d+\.\d+\s.*)$/,
  isBare: true,
  energy: /^\s*FINAL \S+ ENERGY IS\s+(-?\d+\.\d+) AFTER/,
});

/** The iterations under `ITER  Energy  Delta-E`, of the first block and of those that follow it. */
export const ORCA = defineScfTable({
  name: 'orca',
  program: 'ORCA',
  needles: ['ITER ', 'Iteration ', 'FINAL SINGLE POINT ENERGY', 'O   R   C   A'],
  run: [/^\s*\* O {3}R {3}C {3}A \*$/, /ORCA TERMINATED NORMALLY|ORCA finished by error/],
  heading: /^\s*(?:ITER|Iteration)\s+(Energy\s.*)$/,
  hasSpaces: true,
  row: /^\s*(\d+)\s+(-?\d+\.\d+\s.*)$/,
  isBare: true,
  energy: /^FINAL SINGLE POINT ENERGY\s+(-?\d+\.\d+)$/,
});
