import type { MetadataRow } from '../../table/metadata-row.js';
import type { PresetName } from '../metadata-kind.js';
import { isNumberText, readPrintedValue } from '../printed-value.js';
import { definePreset, type Preset } from './preset.js';

// Programs that print a line for each iteration, with a label before it and a heading above the first one. As with the
// other programs for electrons, a count of all iterations stands beside the number, which falls with each cycle.

interface ScfTable {
  readonly name: PresetName;
  readonly program: string;
  readonly needles: readonly string[];
  /** Its first group is the names of the columns behind the iteration. */
  readonly heading: RegExp;
  /** Its groups are the iteration and the columns. */
  readonly row: RegExp;
  /** Its group is the energy that ends a cycle. */
  readonly energy: RegExp;
}

function defineScfTable({ name, program, needles, heading, row, energy }: ScfTable): Preset {
  return definePreset({
    name,
    program,
    needles,
    counters: ['scf step', 'scf cycle'],
    initial: { names: [] as readonly string[], iterations: 0, cycles: 0 },
    read(line, state): MetadataRow | undefined {
      const [, names] = heading.exec(line) ?? [];
      if (names !== undefined) {
        state.names = names.trim().split(/\s+/);
        return undefined;
      }
      const [, iteration, columns] = row.exec(line) ?? [];
      const cells = columns?.trim().split(/\s+/) ?? [];
      if (cells.length > 1 && cells.length <= state.names.length && cells.every(isNumberText)) {
        state.iterations += 1;
        const pairs = cells.map((cell, i) => [state.names[i] ?? '', readPrintedValue(cell)] as const);
        return new Map<string, number | string>([
          ...([['iteration', Number(iteration)] as const, ['scf step', state.iterations] as const] as const),
          ...pairs,
        ]);
      }
      const [, converged] = energy.exec(line) ?? [];
      if (converged === undefined) {
        return undefined;
      }
      state.cycles += 1;
      return new Map([
        ['scf cycle', state.cycles],
        ['converged energy', readPrintedValue(converged)],
      ]);
    },
  });
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
