import { join } from 'node:path';
import { checkPoints, environmentOf, joblens } from '../joblens.mjs';
import { measureProcess } from '../process-cost.mjs';
import { preparePlainLines, scanLines } from './shared/plain-lines.mjs';
import { untilWritten } from './shared/until-written.mjs';

export const plainLinesWatch = {
  name: 'plain-lines-watch',
  work: 'plain log lines, file to line protocol file: joblens watch --out FILE file',
  peer: "a process that finds each line of the file with Buffer.indexOf('\\n')",
  bar: { by: 'cpu', speedAtLeast: 0.09 },

  async prepare(context) {
    const { path, lineCount, lastLine, megabytes } = preparePlainLines(context);
    const out = join(context.folder, 'points.lp');
    const scan = scanLines(path);
    return {
      amount: megabytes,
      unit: 'MB',
      measurePeer: scan.measure,
      async measureOurs() {
        const cost = await measureProcess(joblens('watch', ['--out', out, path]), {
          env: environmentOf(context.folder),
          untilDone: () => untilWritten(out, lastLine),
        });
        checkPoints(out, lineCount);
        return cost;
      },
      note: scan.note,
    };
  },
};
