import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { prepareJoblens } from '../testing/joblens.js';

/** More than the buffers of a pipe and of a socket hold. */
const ROWS = 50_000;

describe('a long text on standard output', () => {
  it('comes whole through a pipe', async () => {
    const joblens = prepareJoblens();
    const rows = Array.from({ length: ROWS }, (_, step) => JSON.stringify({ step, loss: 1 / (step + 1) }));
    writeFileSync(join(joblens.folder, 'a job.log'), rows.join('\n'));
    const { stdout, code } = await joblens.run(['suggest', '--json', 'a job.log']);
    const [{ count } = { count: 0 }] = JSON.parse(stdout.toString()) as Array<{ readonly count: number }>;
    expect({ code, count }).toEqual({ code: 0, count: ROWS });
    joblens.remove();
  });
});
