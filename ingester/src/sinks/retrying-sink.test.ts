import { createFakeClock } from '../testing/fake-clock.js';
import { createRetryingSink } from './retrying-sink.js';
import type { Sink } from './sink.js';

const BATCH = { bytes: Buffer.from('m f=1 1\n'), points: 1 };

/** A sink that fails each time with the next message; the last request is ended from here. */
async function writeFailing(messages: readonly string[]): Promise<string[]> {
  const stop = new AbortController();
  const said: string[] = [];
  const say = (message: string): void => void said.push(message);
  const left = [...messages];
  const sink: Sink = {
    write() {
      const message = left.shift() ?? '';
      if (left.length === 0) stop.abort();
      return Promise.resolve({ kind: 'retryable', message, isHeld: false });
    },
    close: () => Promise.resolve(),
  };
  const clock = { ...createFakeClock(), sleep: () => Promise.resolve() };
  const report = { error: say, warn: say, info: say, debug: say };
  const retrying = createRetryingSink(sink, { clock, report, random: () => 0, onHealth: () => undefined });
  await retrying.write(BATCH, stop.signal);
  return said;
}

it('says nothing of a request that was ended from here before there could be an answer', async () => {
  const said: string[] = [];
  const say = (text: string): void => void said.push(text);
  const sink: Sink = {
    write: () => Promise.resolve({ kind: 'retryable', message: 'no answer', isHeld: false, isCutShort: true }),
    close: () => Promise.resolve(),
  };
  const report = { error: say, warn: say, info: say, debug: say };
  const onHealth = (isHealthy: boolean): void => say(`healthy: ${isHealthy}`);
  const retrying = createRetryingSink(sink, { clock: createFakeClock(), report, random: () => 0, onHealth });
  expect(await retrying.write(BATCH, AbortSignal.abort())).toMatchObject({ kind: 'retryable' });
  expect(said).toEqual([]);
});

describe('the retrying sink', () => {
  it.each([
    ['each reason once', ['a', 'a', 'b', 'b', 'c'], ['a', 'b']],
    ['nothing new of a request that was ended from here', ['404', 'no answer'], ['404']],
    ['what there is to say when that was the only one', ['no answer'], ['no answer']],
  ])('says %s', async (_, messages, expected) => {
    expect(await writeFailing(messages)).toEqual(expected);
  });
});
