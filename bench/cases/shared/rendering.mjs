import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { inputBytes, MB } from '../../inputs.mjs';
import { measureWork } from '../../process-cost.mjs';
import { RENDERINGS } from '../../programs/chunks.mjs';

const path = (name) => fileURLToPath(new URL(name, import.meta.url));

/** A row that compares the renderer with @xterm/headless. Both render the same file from memory, in a process each. */
export function createRenderingCase({ name, work, speedAtLeast, writeInput }) {
  return {
    name,
    work: `${work}, rendered`,
    peer: `@xterm/headless, 200 columns, 64 KiB writes, 32 in flight; both warm: the best of ${RENDERINGS} times in a process`,
    bar: { by: 'cpu', speedAtLeast },

    async prepare({ folder, isShort }) {
      const input = join(folder, 'input');
      const bundle = join(folder, 'renderer.mjs');
      writeInput(input, inputBytes(isShort));
      const entryPoints = [path('../../../ingester/src/render/console-renderer.ts')];
      await build({ entryPoints, outfile: bundle, bundle: true, platform: 'node', format: 'esm' });
      let peerRow;
      return {
        amount: inputBytes(isShort) / MB,
        unit: 'MB',
        async measurePeer() {
          const { result, ...cost } = await measureWork(path('../../programs/render-xterm.mjs'), [input]);
          peerRow = result;
          return cost;
        },
        async measureOurs() {
          const program = path('../../programs/render-joblens.mjs');
          const { result, ...cost } = await measureWork(program, [input, bundle]);
          if (result !== peerRow) throw new Error(`The last row is ${result}, but in xterm ${peerRow}`);
          return cost;
        },
      };
    },
  };
}

/** The path of a recording of a real program; the renderer's tests use the same files. */
export const recording = (name) => path(`../../../ingester/src/render/testing/recordings/${name}.raw`);
