import { createPipelineUnderTest } from '../../testing/pipeline-under-test.js';

const LINES = 100_000;
/** Some times what it takes. If each line were counted again for each signal, it would be ten times as long. */
const MOST_CPU_MS = 4000;

it('takes time in proportion to the output where each line has a signal', async () => {
  const test = createPipelineUnderTest();
  const output = Array.from({ length: LINES }, (_, i) => `step ${i} loss nan\n`).join('');
  const before = process.cpuUsage();
  await test.write('stdout', Buffer.from(output));
  test.end();
  const { user, system } = process.cpuUsage(before);
  const signals = test.stored().filter(({ tags }) => tags.get('topic') === 'signal');
  expect(JSON.parse(String(signals.at(-1)?.fields.get('data')))).toMatchObject({ name: 'loss-nan', count: LINES });
  expect((user + system) / 1000).toBeLessThan(MOST_CPU_MS);
});
