import { join } from 'node:path';
import { checkPoints, environmentOf, joblens } from '../joblens.mjs';
import { measureProcess } from '../process-cost.mjs';
import { preparePlainLines, scanLines } from './shared/plain-lines.mjs';

export const plainLinesPipe = {
  name: 'plain-lines-pipe',
  work: 'plain log lines, file to line protocol file: joblens pipe --out FILE < file',
  peer: "a process that finds each line of the file with Buffer.indexOf('\\n')",
  bar: { by: 'cpu', speedAtLeast: 0.11 },

  async prepare(context) {
    const { path, lineCount, megabytes } = preparePlainLines(context);
    const out = join(context.folder, 'points.lp');
    const scan = scanLines(path);
    return {
      amount: megabytes,
      unit: 'MB',
      measurePeer: scan.measure,
      async measureOurs() {
        const cost = await measureProcess(joblens('pipe', ['--out', out]), {
          stdin: path,
          env: environmentOf(context.folder),
        });
        checkPoints(out, lineCount);
        return cost;
      },
      note: scan.note,
    };
  },
};
