import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inputBytes, MB } from '../../inputs.mjs';
import { checkPoints, environmentOf, joblens, joblensWithoutOptIn } from '../../joblens.mjs';
import { findProgram } from '../../machine.mjs';
import { measureProcess } from '../../process-cost.mjs';

const PRINT_LOG = fileURLToPath(new URL('../../programs/print-log.py', import.meta.url));
const LINE_BYTES = 111;

/**
 * A row that runs a Python program that prints much, once under joblens and once piped to cat. Nobody keeps the output.
 * `isLogging`: log into a file; otherwise there is no opt-in. `pythonOptions`: e.g. -u, which writes each line by
 * itself.
 */
export function createRunCase({ name, work, timeAtMost, isLogging, pythonOptions = [] }) {
  return {
    name,
    work: `a Python program that prints, ${work}`,
    peer: 'the program piped to cat',
    bar: { by: 'wall', timeAtMost },
    findMissing: () => (findProgram('python3') === undefined ? 'not on PATH: python3' : undefined),

    async prepare({ folder, isShort }) {
      const megabytes = inputBytes(isShort) / MB;
      const out = join(folder, 'points.lp');
      const program = [findProgram('python3'), ...pythonOptions, PRINT_LOG, String(megabytes)];
      const command = isLogging
        ? joblens('run', ['--out', out, '--', ...program])
        : joblensWithoutOptIn('run', ['--', ...program]);
      const options = { stdout: '/dev/null', env: environmentOf(folder) };
      return {
        amount: megabytes,
        unit: 'MB',
        measurePeer: () => measureProcess(['sh', '-c', '"$@" | cat', 'sh', ...program], options),
        async measureOurs() {
          rmSync(out, { force: true });
          const cost = await measureProcess(command, options);
          if (isLogging) checkPoints(out, Math.floor((megabytes * MB) / LINE_BYTES));
          return cost;
        },
      };
    },
  };
}
