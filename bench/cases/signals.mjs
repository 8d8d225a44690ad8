import { join } from 'node:path';
import { build } from 'esbuild';
import { BUNDLE } from '../../ingester/bundle.mjs';
import { checkPoints, environmentOf, joblens } from '../joblens.mjs';
import { measureProcess } from '../process-cost.mjs';
import { preparePlainLines } from './shared/plain-lines.mjs';

/** In place of ingester/src/rules/stream-signals.ts: a stream in which nothing is looked for. */
const NO_SIGNALS = `export class StreamSignals { state = undefined; look() {} noteRow() {} noteRun() {} }`;

export const signals = {
  name: 'signals',
  work: 'plain log lines, searched for what went wrong: joblens pipe --out FILE < file',
  peer: 'the same command, built without the search',
  bar: { by: 'cpu', speedAtLeast: 0.95 },

  async prepare(context) {
    const { path, lineCount, megabytes } = preparePlainLines(context);
    const out = join(context.folder, 'points.lp');
    const withoutSearch = join(context.folder, 'joblens.mjs');
    await build({
      ...BUNDLE,
      outfile: withoutSearch,
      plugins: [replaceSource(/rules\/stream-signals\.ts$/, NO_SIGNALS)],
    });
    const measure = async ([node, , ...args], command) => {
      const options = { stdin: path, env: environmentOf(context.folder) };
      const cost = await measureProcess([node, command, ...args], options);
      checkPoints(out, lineCount);
      return cost;
    };
    const ours = joblens('pipe', ['--out', out]);
    return {
      amount: megabytes,
      unit: 'MB',
      measurePeer: () => measure(ours, withoutSearch),
      measureOurs: () => measure(ours, ours[1]),
    };
  },
};

/** A plugin of esbuild that gives a file another text. */
function replaceSource(filter, contents) {
  return { name: 'replace', setup: ({ onLoad }) => onLoad({ filter }, () => ({ contents, loader: 'ts' })) };
}
