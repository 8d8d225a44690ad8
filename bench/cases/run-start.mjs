import { join } from 'node:path';
import { environmentOf, joblens } from '../joblens.mjs';
import { measureProcess } from '../process-cost.mjs';

/** A command that says the time first of all. */
const SAY_TIME = ['date', '+%s%N'];

export const runStart = {
  name: 'run-start',
  work: 'from the start of joblens run --out FILE until its command starts',
  peer: 'the command alone',
  bar: { by: 'wall', msAtMost: 150 },

  async prepare({ folder }) {
    const env = environmentOf(folder);
    const out = join(folder, 'points.lp');
    return {
      amount: 1,
      unit: 'starts',
      measurePeer: () => measureStart(SAY_TIME, env),
      measureOurs: () => measureStart(joblens('run', ['--out', out, '--', ...SAY_TIME]), env),
    };
  },
};

/** Wall time from just before the start to the time that the command says. CPU time of all processes until the end. */
async function measureStart(command, env) {
  // bash, which times the process, says when it starts it.
  const { cpuMs, stdout } = await measureProcess(
    ['bash', '-c', `${SAY_TIME.join(' ')}; exec "$@"`, 'bash', ...command],
    {
      env,
    }
  );
  const [startNs, commandNs] = stdout.trim().split('\n').map(BigInt);
  return { cpuMs, wallMs: Number(commandNs - startNs) / 1e6 };
}
