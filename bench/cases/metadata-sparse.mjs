import { join } from 'node:path';
import { MB, sparseLine, writeLineCount } from '../inputs.mjs';
import { checkPoints, environmentOf, joblens } from '../joblens.mjs';
import { measureProcess } from '../process-cost.mjs';

const LINES = 100_000;

/** What rows cost whose keys change: the same work twice, with many sets of keys and with one. */
export const metadataSparse = {
  name: 'metadata-sparse',
  work: '100,000 metadata lines of 5 keys, of one of 64 sets at random: joblens pipe --out FILE < file',
  peer: 'the same with one set of keys',
  bar: { by: 'cpu', timeAtMost: 1.5 },

  async prepare({ folder }) {
    const out = join(folder, 'points.lp');
    const measure = (name, sets) => {
      const path = join(folder, `${name}.jsonl`);
      writeLineCount(path, LINES, (i) => sparseLine(i, sets));
      return async () => {
        const env = environmentOf(folder);
        const cost = await measureProcess(joblens('pipe', ['--out', out]), { stdin: path, env });
        checkPoints(out, LINES);
        return cost;
      };
    };
    const [measurePeer, measureOurs] = [measure('one', 1), measure('many', 64)];
    return { amount: (LINES * sparseLine(0, 64).length) / MB, unit: 'MB', measurePeer, measureOurs };
  },
};
