import { createPipelineUnderTest } from '../../testing/pipeline-under-test.js';

const LINES = 100_000;
const PART = 8;
/** In proportion, it is PART. If each line were counted again for each signal, it would be PART times PART. */
const MOST_TIMES = 3 * PART;

async function measureCpuMs(lines: number): Promise<number> {
  const test = createPipelineUnderTest();
  const output = Array.from({ length: lines }, (_, i) => `step ${i} loss nan\n`).join('');
  const before = process.cpuUsage();
  await test.write('stdout', Buffer.from(output));
  test.end();
  const { user, system } = process.cpuUsage(before);
  const signals = test.stored().filter(({ tags }) => tags.get('topic') === 'signal');
  expect(JSON.parse(String(signals.at(-1)?.fields.get('data')))).toMatchObject({ name: 'loss-nan', count: lines });
  return (user + system) / 1000;
}

it('takes time in proportion to the output where each line has a signal', async () => {
  // The first one also compiles the code.
  await measureCpuMs(LINES / PART);
  const partMs = await measureCpuMs(LINES / PART);
  expect((await measureCpuMs(LINES)) / partMs).toBeLessThan(MOST_TIMES);
});
