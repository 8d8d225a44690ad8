import type { MetadataRow } from '../../../table/metadata-row.js';
import { isNumberText, readPrintedValue } from '../../printed-value.js';
import { definePreset } from '../forms/preset.js';

// Solvers of integer programs print the best solution so far (the incumbent), a bound of all, and the gap between.

/** The columns at the right end of a row, from its left to its right; `undefined` is a column that is not read. */
interface SolverTable {
  readonly heading: RegExp;
  readonly ends: readonly (string | undefined)[];
}

const INCUMBENT = 'incumbent';
const BOUND = 'best bound';
const GAP = 'gap';
const SECONDS = 'seconds';
const NODES = 'nodes';

/** The tables whose rows begin with the nodes, by their solvers. */
const TABLES: Readonly<Record<string, SolverTable>> = {
  gurobi: {
    heading: /^\s*Expl Unexpl \|\s+Obj\s+Depth IntInf \| Incumbent\s+BestBd\s+Gap \| It\/Node Time$/,
    ends: [INCUMBENT, BOUND, GAP, undefined, SECONDS],
  },
  highs: {
    heading: /^\s*(?:Src\s+)?Proc\. InQueue \|\s+Leaves\s+Expl\. \| BestBound\s+BestSol\s+Gap \|.*\| LpIters\s+Time$/,
    ends: [BOUND, INCUMBENT, GAP, undefined, undefined, undefined, undefined, SECONDS],
  },
  // Its rows say no time.
  cplex: {
    heading: /^\s*Node\s+Left\s+Objective\s+IInf\s+Best Integer\s+(?:Best Bound|Cuts\/Best Bound)\s+ItCnt\s+Gap$/,
    ends: [INCUMBENT, BOUND, undefined, GAP],
  },
};

/** The columns of SCIP stand between bars, and have their names. */
const SCIP_NAMES: Readonly<Record<string, string>> = {
  time: SECONDS,
  node: NODES,
  dualbound: BOUND,
  primalbound: INCUMBENT,
  gap: GAP,
};
const SCIP_HEADING = /^\s*time \| node\s+\|.*\|\s*dualbound\s*\|\s*primalbound\s*\|\s*gap\s*\|/;
/** Behind their number; a letter before tells which heuristic has found a new incumbent. */
const UNITS: Readonly<Record<string, RegExp>> = { [SECONDS]: /s$/, [GAP]: /%$/ };

/** `Cbc0010I After 1000 nodes, 508 on tree, 226 best solution, best possible 178.5 (12.41 seconds)` */
const CBC = /^Cbc0010I After (\d+) nodes, \d+ on tree, (\S+) best solution, best possible (\S+) \(([\d.]+) seconds\)$/;
/** Without a solution yet, CBC prints this for one. */
const CBC_NONE = /^-?1e\+50$/;

/** The iterations of Gurobi's barrier, whose names stand there twice: of the objective, and of the residual. */
const BARRIER_HEADING = /^Iter\s+Primal\s+Dual\s+Primal\s+Dual\s+Compl\s+Time$/;
const BARRIER_NAMES = [
  'Iter',
  'primal objective',
  'dual objective',
  'primal residual',
  'dual residual',
  'complementarity',
];

interface SolverState {
  /** The table whose heading was last: one of TABLES, `scip` or `barrier`; '' for none. */
  table: string;
  /** The names of SCIP's columns. */
  names: readonly string[];
}

/** Incumbent, bound and gap over the time, as five solvers print them, and the iterations of Gurobi's barrier. */
export const MIP_SOLVERS = definePreset<SolverState>({
  name: 'mip-solvers',
  program: 'Gurobi, HiGHS, SCIP, CPLEX and CBC',
  needles: ({ table }) =>
    table === '' ? ['Expl Unexpl', ' BestSol', ' Best Integer', 'dualbound', 'Cbc0010I', 'Compl '] : undefined,
  counters: ['Iter', SECONDS, NODES],
  initial: { table: '', names: [] },
  read(line, state) {
    const heading = findHeading(line);
    if (heading !== undefined) {
      state.table = heading;
      state.names = heading === 'scip' ? line.split('|').map((name) => name.trim()) : [];
      return undefined;
    }
    if (/^(?:Explored|Solving report|SCIP Status|Barrier solved|Solving [Tt]ime)/.test(line.trim())) state.table = '';
    return readCbc(line) ?? readRow(line, state);
  },
});

function findHeading(line: string): string | undefined {
  if (SCIP_HEADING.test(line)) return 'scip';
  if (BARRIER_HEADING.test(line)) return 'barrier';
  return Object.keys(TABLES).find((solver) => TABLES[solver]?.heading.test(line));
}

function readCbc(line: string): MetadataRow | undefined {
  const [, nodes = '', incumbent = '', bound = '', seconds = ''] = CBC.exec(line) ?? [];
  const cells = [
    [SECONDS, seconds],
    [NODES, nodes],
    [INCUMBENT, CBC_NONE.test(incumbent) ? '' : incumbent],
    [BOUND, bound],
  ] as const;
  return toRow(cells);
}

function readRow(line: string, { table, names }: SolverState): MetadataRow | undefined {
  if (table === 'scip') {
    const cells = line.split('|');
    if (cells.length !== names.length) return undefined;
    return toRow(names.map((name, i) => [SCIP_NAMES[name] ?? '', (cells[i] ?? '').trim()] as const));
  }
  const words = line.trim().split(/\s+/);
  if (table === 'barrier') return readBarrier(words);
  const kind = TABLES[table];
  return kind === undefined ? undefined : readFromRight(words, kind);
}

/** The cells in the middle may be missing, so a row is read from both of its ends. */
function readFromRight(words: readonly string[], { ends }: SolverTable): MetadataRow | undefined {
  const first = words.findIndex((word) => /\d/.test(word));
  const nodes = /^[H*]?(\d+)$/.exec(words[first] ?? '')?.[1];
  if (first < 0 || first > 1 || nodes === undefined || words.length <= first + ends.length) return undefined;
  const cells = ends.map((name, i) => [name ?? '', words[words.length - ends.length + i] ?? ''] as const);
  const row = toRow([[NODES, nodes], ...cells]);
  const isWhole = cells.every(([name, cell]) => name === '' || isCell(name, cell));
  return isWhole ? row : undefined;
}

function readBarrier(words: readonly string[]): MetadataRow | undefined {
  const isRow = words.length === BARRIER_NAMES.length + 1 && /^\d+s$/.test(words.at(-1) ?? '');
  const cells = words.slice(0, -1).map((word) => word.replace(/[*^]$/, ''));
  if (!isRow || !cells.every(isNumberText)) return undefined;
  return new Map(BARRIER_NAMES.map((name, i) => [name, readPrintedValue(cells[i] ?? '')] as const));
}

/** A number in its unit, or what a solver prints for none. */
function isCell(name: string, cell: string): boolean {
  return readCell(name, cell) !== undefined || /^(?:-|--|---|inf|-inf|Large|infinite)$/i.test(cell);
}

function readCell(name: string, cell: string): number | string | undefined {
  const unit = UNITS[name];
  const text = cell.replace(/^[A-Za-z*]\s*(?=\d)/, '');
  if (unit?.test(text) === false) return undefined;
  const printed = unit === undefined ? text : text.replace(unit, '').trim();
  return isNumberText(printed) && !/inf|nan/i.test(printed) ? readPrintedValue(printed) : undefined;
}

/** The cells that hold a number; no row without a bound, or with nothing beside it. */
function toRow(cells: ReadonlyArray<readonly [name: string, cell: string]>): MetadataRow | undefined {
  const row = new Map<string, number | string>();
  for (const [name, cell] of cells) {
    const value = name === '' ? undefined : readCell(name, cell);
    if (value !== undefined) row.set(name, value);
  }
  return row.has(BOUND) && row.size > 1 ? row : undefined;
}
