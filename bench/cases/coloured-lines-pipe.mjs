import { join } from 'node:path';
import { colouredLogLine, inputBytes, uncolouredLogLine, writeLineCount, writeLines } from '../inputs.mjs';
import { checkPoints, environmentOf, joblens } from '../joblens.mjs';
import { measureProcess } from '../process-cost.mjs';

/** What colours cost the whole command. */
export const colouredLinesPipe = {
  name: 'coloured-lines-pipe',
  work: 'log lines with four SGR colours, file to line protocol file: joblens pipe --out FILE < file',
  peer: 'as many lines of the same text without colours',
  bar: { by: 'cpu', timeAtMost: 2 },

  async prepare({ folder, isShort }) {
    const out = join(folder, 'points.lp');
    const [coloured, plain] = [join(folder, 'coloured.log'), join(folder, 'plain.log')];
    // 40 MB in the long form.
    const lineCount = writeLines(coloured, inputBytes(isShort) * 0.4, colouredLogLine);
    writeLineCount(plain, lineCount, uncolouredLogLine);
    const measure = (path) => async () => {
      const env = environmentOf(folder);
      const cost = await measureProcess(joblens('pipe', ['--out', out]), { stdin: path, env });
      checkPoints(out, lineCount);
      return cost;
    };
    return { amount: lineCount, unit: ' lines', measurePeer: measure(plain), measureOurs: measure(coloured) };
  },
};
