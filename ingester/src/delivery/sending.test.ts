import { createSystemClock } from '../clock/clock.js';
import { MemoryQueue } from '../queue/memory-queue.js';
import { openSending } from './sending.js';

const say = (): void => undefined;
const record = (text: string) => ({ bytes: Buffer.from(text), points: 1, states: [], isUrgent: false });

it('ends a sender while the store is away and another sender tries its batch again and again', async () => {
  const sending = await openSending({
    destination: {
      kind: 'influxdb',
      connection: { url: 'http://127.0.0.1:1', bucket: 'b', api: 'v1', timeoutMs: 1000 },
    },
    rejectedPath: '/dev/null',
    stdout: { write: () => Promise.resolve(true) },
    clock: createSystemClock(),
    random: Math.random,
    report: { error: say, warn: say, info: say, debug: say },
  });
  if (!sending.ok) throw new Error(sending.error);
  const queues = [new MemoryQueue(1000), new MemoryQueue(1000)] as const;
  for (const queue of queues) queue.append(record('m a=1 1\n'));
  const leftover = sending.value.start(queues[0], { isComplete: true });
  const own = sending.value.start(queues[1]);
  while (sending.value.isHealthy) await new Promise((resolve) => setTimeout(resolve, 5));
  expect(await own.drain(0)).toBe(1);
  expect(await leftover.drain(0)).toBe(1);
});
