import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { prepareJoblens } from '../testing/joblens.js';

const joblens = prepareJoblens();
afterAll(() => joblens.remove());

describe('joblens self-test', () => {
  it('says what it checked, and leaves nothing, whatever the surroundings say', async () => {
    const temporary = join(joblens.folder, "temp (a)-'");
    mkdirSync(temporary);
    writeFileSync(join(joblens.folder, '.logoptin'), 'mode: disabled\n');
    const surroundings = { INFLUX_HOST: 'http://127.0.0.1:1', SLURM_JOB_ID: '7', SLURM_PROCID: '3', SLURM_NTASKS: '4' };
    const { code, stdout, stderr } = await joblens.run(['self-test'], '', { ...surroundings, TMPDIR: temporary });
    expect(stdout.toString()).toMatch(/^(ok {4}(command|log|metadata|end) +\S.*\n){4}$/);
    expect([code, stderr]).toEqual([0, '']);
    expect(readdirSync(temporary)).toEqual([]);
    expect(readdirSync(joblens.folder).sort()).toEqual(['.logoptin', "temp (a)-'"]);
  });

  it('fails, and says what it found, where a file of what is installed is damaged', () => {
    const folder = join(joblens.folder, 'damaged (b)');
    cpSync(dirname(dirname(joblens.command)), folder, { recursive: true });
    const files = readdirSync(join(folder, 'dist'), { withFileTypes: true }).filter((entry) => entry.isFile());
    for (const { name } of files) {
      // It is loaded later than the self-test itself.
      const path = join(folder, 'dist', name);
      if (/JobPipeline = class/.test(readFileSync(path, 'utf8'))) writeFileSync(path, 'throw new Error("damaged");\n');
    }
    const env = { PATH: process.env['PATH'], HOME: joblens.folder };
    const ended = spawnSync(join(folder, 'bin', 'joblens'), ['self-test'], { env, encoding: 'utf8' });
    expect(ended.status).toBe(1);
    expect(ended.stdout).toMatch(/^fail {2}log +is not as it should be; install joblens again\. Found: no points; /m);
    expect(ended.stdout).toContain('the logging has failed');
  });
});
