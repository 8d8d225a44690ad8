import { FINITE_NUMBER, readPrintedValue } from '../../printed-value.js';
import { definePreset } from '../forms/preset.js';

const HEAD = /^\s*(\d+) -- [[(]/;
/** The likelihood of the cold chain of each run is in square brackets, those of the heated chains are in round ones. */
const COLD = new RegExp(String.raw`\[(${FINITE_NUMBER})\]`, 'g');
/** More runs than this are no output of MrBayes. */
const MAX_CHARS = 4096;

/** `1000 -- (-7005.97) [-6994.89] * [-6997.52] (-7001.12) -- 0:33:18` */
export const MRBAYES = definePreset({
  name: 'mrbayes',
  program: 'MrBayes',
  needles: [' -- [', ' -- ('],
  counters: ['generation'],
  initial: {},
  read(line) {
    const [, generation] = line.length > MAX_CHARS ? [] : (HEAD.exec(line) ?? []);
    const cold = generation === undefined ? [] : [...line.matchAll(COLD)];
    if (generation === undefined || cold.length === 0) return undefined;
    return new Map([
      ['generation', readPrintedValue(generation)],
      ...cold.map(([, value = ''], i) => [`lnL of run ${i + 1}`, readPrintedValue(value)] as const),
    ]);
  },
});
