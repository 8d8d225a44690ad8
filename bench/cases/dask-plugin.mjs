import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { AWAY, startServe } from '../serve.mjs';

const path = (name) => fileURLToPath(new URL(name, import.meta.url));
const PYTHON = path('../../.cache/venv/bin/python');
const DASK = path('../../.cache/venv/bin/dask');
const TASKS = 10_000;

export const daskPlugin = {
  name: 'dask-plugin',
  work: `what a Dask scheduler takes for ${TASKS.toLocaleString('en')} tasks with joblens dask-plugin`,
  peer: 'the same scheduler without it',
  bar: { by: 'cpu', speedAtLeast: 0.97 },
  findMissing: () => (existsSync(DASK) ? undefined : 'not in .cache/venv: distributed (pip install distributed)'),

  async prepare({ folder, isShort }) {
    const count = isShort ? TASKS / 10 : TASKS;
    const home = await mkdtemp(join(folder, 'dask-'));
    const serve = await startServe(AWAY, home);
    const measure = async (plugin) => {
      const env = { PATH: process.env['PATH'], HOME: home, JOBLENS_URL: serve.httpUrl };
      const args = [path('../programs/dask-tasks.py'), 'scheduler', String(count), plugin];
      const { stdout } = await promisify(execFile)(PYTHON, args, { env, cwd: home });
      return JSON.parse(stdout);
    };
    return {
      amount: count,
      unit: 'tasks',
      measurePeer: () => measure('-'),
      measureOurs: () => measure(path('../../ingester/src/sources/dask/joblens_dask.py')),
      async close() {
        await serve.stop();
        await rm(home, { recursive: true });
      },
    };
  },
};
