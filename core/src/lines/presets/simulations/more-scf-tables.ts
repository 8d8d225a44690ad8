import { FINITE_NUMBER } from '../../printed-value.js';
import { defineScfTable } from './scf-tables.js';

/** Matches this number of numbers, with spaces between them. */
function numbers(count: number): string {
  return `${FINITE_NUMBER}(?:\\s+${FINITE_NUMBER}){${count - 1}}`;
}

/** `@RKS iter   3:  -382.3  -7.2e-03  8.0e-04 DIIS` under `Total Energy  Delta E  RMS |[F,P]|` */
export const PSI4 = defineScfTable({
  name: 'psi4',
  program: 'Psi4',
  needles: ['Delta E', ' iter ', ' Final Energy:', 'Psi4: An'],
  run: [/^\s*Psi4: An Open-Source Ab Initio/, /^\s*\*+ Psi4 (?:exiting|stopped|encountered)/],
  heading: /^\s*(Total Energy\s+Delta E\s.*)$/,
  hasSpaces: true,
  row: new RegExp(String.raw`^\s*@\S+ iter\s+(\d+):\s+(${numbers(3)})(?:\s+[A-Z/]+)?$`),
  energy: /^\s*@\S+ Final Energy:\s+(-?\d+\.\d+)$/,
});

/** The iterations under `Cycle       Energy         DIIS error` */
export const QCHEM = defineScfTable({
  name: 'qchem',
  program: 'Q-Chem',
  needles: ['Cycle ', 'Total energy', 'Welcome to Q-Chem'],
  run: [/^\s*Welcome to Q-Chem/, /Thank you very much for using Q-Chem/],
  heading: /^\s*Cycle\s+(Energy\s.*)$/,
  hasSpaces: true,
  row: new RegExp(String.raw`^\s*(\d+)\s+(${numbers(2)})(?:\s+[A-Z]\w*(?: \w+)*)?$`),
  isBare: true,
  energy: /^\s*Total energy(?: in the final basis set)? =\s+(-?\d+\.\d+)$/,
});

/** The first columns under `ITERATION    DDIFF          GRAD             ENERGY` */
export const MOLPRO = defineScfTable({
  name: 'molpro',
  program: 'Molpro',
  needles: ['ITERATION ', ' Energy ', 'SYSTEM MOLPRO'],
  run: [/\*{3}\s+PROGRAM SYSTEM MOLPRO\s+\*{3}/, /^\s*Molpro calculation terminated/],
  heading: /^\s*ITERATION\s+(DDIFF\s+GRAD\s+ENERGY)\s/,
  row: new RegExp(String.raw`^\s*(\d+)\s+(${numbers(3)})\s+${FINITE_NUMBER}\s`),
  isBare: true,
  energy: /^\s*!\S+ STATE\s+\S+ Energy\s+(-?\d+\.\d+)$/,
});

/** `@  2  -381.95  1.04D+00  -3.05D-01` under `Iter     Total energy    Error norm  Delta(E)` */
export const DALTON = defineScfTable({
  name: 'dalton',
  program: 'DALTON',
  needles: ['Iter ', '@', 'Dalton - An'],
  run: [/\bDalton - An Electronic Structure Program/, /Total wall time used in DALTON/],
  heading: /^\s*Iter\s+(Total energy\s{2,}Error norm\s{2,}Delta\(E\))/,
  hasSpaces: true,
  // A summary of the geometries has numbers without exponents there.
  row: /^@\s+(\d+)\s+(-?\d+\.\d+\s+-?\d+\.\d+D[+-]\d+\s+-?\d+\.\d+D[+-]\d+)(?:\s|$)/,
  energy: /^@\s+Final \S+ energy:\s+(-?\d+\.\d+)$/,
});

/** The iterations under ` iter      E             dE          RMSdq      gap      omega  full diag` */
export const XTB = defineScfTable({
  name: 'xtb',
  program: 'xtb',
  needles: ['RMSdq', '* total energy ', '* xtb version'],
  run: [/^\s*\* xtb version /, /^\s*\* finished run on /],
  heading: /^\s*iter\s+(E\s+dE\s+RMSdq\s+gap\s+omega)\s/,
  row: new RegExp(String.raw`^\s*(\d+)\s+(${numbers(5)})\s+[TF]$`),
  isBare: true,
  energy: /^\s*\* total energy\s+:\s+(-?\d+\.\d+) Eh\b/,
});
