import { createCountedSink } from './send-status.js';
import type { WriteOutcome } from './sink.js';
import { SUCCESS } from './sink.js';

it('counts requests by what became of them', async () => {
  const outcomes: WriteOutcome[] = [
    { kind: 'retryable', message: 'busy', isHeld: false },
    SUCCESS,
    { kind: 'rejected', message: 'bad' },
  ];
  let nowMs = 0;
  const counted = createCountedSink(
    { write: () => Promise.resolve(outcomes.shift() ?? SUCCESS), close: () => Promise.resolve() },
    () => (nowMs += 1)
  );
  const batch = { bytes: Buffer.from('m a=1\nm a=2\n'), points: 2 };
  for (let i = 0; i < 4; i += 1) await counted.sink.write(batch, new AbortController().signal);
  expect(counted.status).toEqual({
    requests: 4,
    storedPoints: 4,
    sentBytes: 48,
    retries: 1,
    rejections: 1,
    lastSuccessMs: 4,
    lastError: { message: 'bad', atMs: 3 },
  });
});
