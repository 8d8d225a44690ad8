import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeWith } from '../../../../test/components.js';
import { prepareJoblens } from '../../testing/joblens.js';

const joblens = prepareJoblens();
afterAll(() => joblens.remove());

/** As `srun` does: the tasks get the variables of a step, and what they print comes by other pipes. */
const SRUN = `#!/bin/sh
SLURM_STEP_ID=0 SLURM_PROCID=0 SLURM_NTASKS=1 "$@" 2>&1 | cat
`;
const BIN = join(joblens.folder, 'b i(n)');
mkdirSync(BIN);
writeFileSync(join(BIN, 'srun'), SRUN, { mode: 0o755 });

const on = (out: string): string => `run --mode enabled --user ann --out '${join(joblens.folder, out)}' --`;
let jobs = 100;
/** What the run says that a batch script of this text starts within a step. */
async function explain(script: string, environment: Record<string, string> = {}): Promise<string[]> {
  jobs += 1;
  const file = join(joblens.folder, `job (${jobs}).sh`);
  writeFileSync(file, script);
  const { code, stdout, stderr } = await joblens.run(['run', '--mode', 'disabled', '--', 'bash', file], '', {
    PATH: `${BIN}:${process.env['PATH']}`,
    J: joblens.command,
    SLURM_JOB_ID: String(jobs),
    ...environment,
  });
  expect([code, stdout.toString()]).toEqual([0, expect.stringContaining('printed\n') as string]);
  return `${stdout.toString()}${stderr}`.match(/.*logged twice.*/g) ?? [];
}

describeWith(['perl'], 'srun joblens run within a script', () => {
  it.each([
    [
      'under joblens run',
      `"$J" ${on('a.lp')} sh -c 'echo before; srun "$J" ${on('a.lp').replaceAll("'", '"')} echo printed; :'`,
    ],
    [
      'by way of a shell',
      `"$J" ${on('a.lp')} sh -c 'srun sh -c "$1"' x '"$J" ${on('a.lp').replaceAll("'", '"')} echo printed; :'`,
    ],
    [
      'without the supervisor',
      `export JOBLENS_SUPERVISOR=none; "$J" ${on('a.lp')} sh -c 'srun "$J" ${on('a.lp').replaceAll("'", '"')} echo printed; :'`,
    ],
  ])('%s says once that lines are logged twice', async (_what, script) => {
    const said = await explain(script);
    expect(said).toHaveLength(1);
    expect(said[0]).toMatch(
      /^joblens: the script that starts this srun runs under joblens, too: .*leave out one of the two/
    );
  });

  it.each([
    [
      'beside another run',
      `"$J" ${on('b.lp')} sh -c 'until [ -e go ]; do sleep 0.05; done' & srun "$J" ${on('b.lp')} echo printed; touch go; wait`,
    ],
    [
      'that is logged to another place',
      `"$J" ${on('c.lp')} sh -c 'srun "$J" ${on('d.lp').replaceAll("'", '"')} echo printed; :'`,
    ],
    [
      'under a run that logs nothing',
      `"$J" run --mode disabled -- sh -c 'srun "$J" ${on('e.lp').replaceAll("'", '"')} echo printed; :'`,
    ],
    ['alone', `srun "$J" ${on('f.lp')} echo printed`],
  ])('%s says nothing', async (_what, script) => {
    expect(await explain(script)).toEqual([]);
  });
});
