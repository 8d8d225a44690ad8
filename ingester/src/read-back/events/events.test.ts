import { printStatements } from '@joblens/core/influxql/print';
import { err, ok } from '@joblens/core/result/result';
import { createFakeClock, type FakeClock } from '../../testing/fake-clock.js';
import type { Reading } from '../shell/reading.js';
import { type EventsCommand, printEvents } from './events.js';

const HOUR_MS = 3_600_000;
const NONE = { job: [], user: [], tag: [], schedulerId: [], topic: ['a b'], fromState: [], toState: [] };
const COMMAND = {
  ...NONE,
  ...{ after: undefined, before: undefined, text: undefined, limit: 10, order: undefined, follow: true, topics: false },
} satisfies EventsCommand;

/** Lets time pass until the command ends; returns its exit code. */
async function untilEnd(clock: FakeClock, done: Promise<number>): Promise<number> {
  let code: number | undefined;
  void done.then((ended) => (code = ended));
  while (code === undefined) {
    for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    await clock.advance(2000);
  }
  return code;
}

describe('events that are followed', () => {
  it.each([[[1]], [[1, 2, 3, 7]], [[4]]])('are asked for again after failures of requests %j', async (failing) => {
    const clock = createFakeClock();
    const said: string[] = [];
    let [requests, rounds] = [0, 0];
    const reading = {
      ask: (statements: Parameters<Reading['ask']>[0]) => {
        requests += 1;
        // The first answer tells whether anything is right.
        if (failing.includes(requests - 1)) return Promise.resolve(err("cannot ask http://a.b (c)': ECONNRESET"));
        return Promise.resolve(ok(statements.map(() => ({ series: [] }))));
      },
      createPrinter: () => ({ print: () => Promise.resolve((rounds += 1) < 12) }),
      report: { warn: (message: string) => said.push(message) },
      host: { clock },
    } as unknown as Reading;
    expect(await untilEnd(clock, printEvents(reading, COMMAND))).toBe(0);
    expect(said).toEqual(failing.map(() => "cannot ask http://a.b (c)': ECONNRESET; asking again"));
  });

  it('end where already the first question fails', async () => {
    const clock = createFakeClock();
    const reading = {
      ask: () => Promise.resolve(err('no')),
      createPrinter: () => ({ print: () => Promise.resolve(true) }),
      fail: (message: string) => (message === 'no' ? 1 : 99),
      host: { clock },
    } as unknown as Reading;
    expect(await untilEnd(clock, printEvents(reading, COMMAND))).toBe(1);
  });

  it.each([-HOUR_MS, HOUR_MS])(
    'are asked for from the same time on where the clock is set by %d ms',
    async (stepMs) => {
      const clock = createFakeClock();
      const beganMs = clock.nowMs();
      const fromMs: number[] = [];
      let rounds = 0;
      const reading = {
        ask: (statements: Parameters<Reading['ask']>[0]) => {
          const times = [...printStatements(statements).matchAll(/time >= '([^']+)'/g)].map(([, time]) =>
            Date.parse(time ?? '')
          );
          fromMs.push(...times);
          return Promise.resolve(ok(statements.map(() => ({ series: [] }))));
        },
        createPrinter: () => ({ print: () => Promise.resolve((rounds += 1) < 6) }),
        host: { clock },
      } as unknown as Reading;
      const done = printEvents(reading, COMMAND);
      for (let round = 0; rounds < 6; round += 1) {
        if (round === 2) clock.stepWall(stepMs);
        fromMs.splice(0, round < 2 ? fromMs.length : 0);
        for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
        await clock.advance(2000);
      }
      expect(await done).toBe(0);
      expect(fromMs.length).toBeGreaterThan(0);
      for (const time of fromMs) expect(Math.abs(time - beganMs)).toBeLessThan(HOUR_MS / 2);
    }
  );
});
