import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeWith } from './components.js';
import { startJoblens, whenEnded } from './whole-way/job.js';
import { ROOT, type Stack, startEmbeddedStack, startInfluxdbStack } from './whole-way/stack.js';

/** A job of the demo's shape that is over at once. */
const PROGRAM = `
console.log(JSON.stringify({ epoch: 1, loss: 0.5, val_loss: 0.6 }));
console.log(JSON.stringify({ epoch: 2, loss: 0.4, val_loss: 0.5 }));
`;

const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');
const examples = [...readme.matchAll(/```sql\n([\s\S]*?)```/g)].map(([, text = '']) => text.trim());

jest.setTimeout(60_000);

describeWith(['influxd'], "the README's InfluxQL examples", () => {
  describe.each([
    ['the embedded store', startEmbeddedStack],
    ['a real InfluxDB', startInfluxdbStack],
  ] as const)('in %s', (_name, start) => {
    let stack: Stack;

    beforeAll(async () => {
      stack = await start();
      const program = [process.execPath, '-e', PROGRAM];
      const job = startJoblens(stack, [
        'run',
        '--mode',
        'enabled',
        '--job',
        'demo-1',
        '--user',
        'ann',
        '--',
        ...program,
      ]);
      if ((await whenEnded(job)) !== 0) throw new Error('the job failed');
    });

    afterAll(() => stack.stop());

    it.each(examples)('%s', async (text) => {
      const answer = await fetch(`${stack.influxHost}/query?${new URLSearchParams({ db: 'joblens', q: text })}`, {
        headers: stack.token === undefined ? {} : { authorization: `Token ${stack.token}` },
      });
      const { results } = (await answer.json()) as { results: { error?: string; series?: unknown[] }[] };
      expect(results[0]?.error).toBeUndefined();
      expect(results[0]?.series?.length).toBeGreaterThan(0);
    });
  });
});
