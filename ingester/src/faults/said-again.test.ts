import { mkdtempSync, rmSync } from 'node:fs';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LatelySaid } from '../host/lately-said.js';
import { ConnectionLimit } from '../net/connection-limit.js';
import { createDeadLetters } from '../sinks/dead-letters.js';
import { SourceFaults } from '../sources/guard/source-faults.js';
import { Refusals } from '../sources/serve/refusals.js';
import { HooksInUse } from '../sources/slurm/hooks-in-use.js';
import type { HookEvent } from '../sources/slurm/hook-events.js';

const MINUTE_MS = 60_000;
const HOURS = 5;
/** What a part of the program says in an hour at most, whatever it meets. */
const MOST_AN_HOUR = 1000;

const root = mkdtempSync(join(tmpdir(), "joblens-said a (b)'-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

interface Surroundings {
  readonly say: (message: string) => void;
  readonly monotonicMs: () => number;
}

/** Meets a fault, again and again; `kind` is another one each time, or always the same. */
type Meet = (kind: string) => unknown;

const PARTS: Readonly<Record<string, (surroundings: Surroundings) => Meet>> = {
  'a request that is refused': ({ say, monotonicMs }) => {
    const refusals = new Refusals({ warn: say }, monotonicMs);
    return (kind) => refusals.note(kind, '10.0.0.1');
  },
  'a fault of a source': ({ say, monotonicMs }) => {
    const faults = new SourceFaults({ faults: 0 }, { error: say }, monotonicMs);
    return (kind) => faults.note(kind, new Error(kind));
  },
  'too many connections': ({ say, monotonicMs }) => {
    const report = { error: say, warn: say, info: say, debug: say };
    const limit = new ConnectionLimit({ way: 'TCP', clock: { monotonicMs }, report, maxConnections: 0 });
    return () => limit.admit(new Socket());
  },
  'a point that is rejected': ({ say, monotonicMs }) => {
    const report = { error: say, warn: say, info: say, debug: say };
    const letters = createDeadLetters({ path: join(root, 'rejected'), report, monotonicMs });
    return (kind) => letters.keep([{ point: Buffer.from('m f=1'), reason: kind }]);
  },
  'a point that cannot be kept': ({ say, monotonicMs }) => {
    const report = { error: say, warn: say, info: say, debug: say };
    const letters = createDeadLetters({ path: '/proc/none/a b', report, monotonicMs });
    return (kind) => letters.keep([{ point: Buffer.from('m f=1'), reason: kind }]);
  },
  'a hook that does not tell': ({ say, monotonicMs }) => {
    let next: HookEvent[] = [];
    let id = 1;
    const hooks = new HooksInUse({ read: () => next.splice(0), warn: say, monotonicMs });
    const job = (rawId: number): never => ({ rawId, id: String(rawId), startedMs: 1, state: 'RUNNING' }) as never;
    return () => {
      next = [{ kind: 'start', rawId: (id += 1) }];
      hooks.ask();
      hooks.compare([job(id)], () => undefined);
      hooks.ask();
      hooks.compare([job((id += 1))], () => undefined);
    };
  },
};

describe.each(Object.entries(PARTS))('%s', (_what, create) => {
  it.each([
    ['always the same', () => 'a "b"'],
    ['another one each time', (i: number) => `a (${i})'`],
  ])('%s, is said again as long as it lasts, and not all the time', async (_kind, kindOf) => {
    let nowMs = 0;
    const saidMs: number[] = [];
    const meet = create({ say: () => saidMs.push(nowMs), monotonicMs: () => nowMs });
    for (let i = 0; i < HOURS * 60; i += 1) {
      for (let j = 0; j < 5; j += 1) await meet(kindOf(5 * i + j));
      nowMs += MINUTE_MS;
    }
    for (let hour = 0; hour < HOURS; hour += 1) {
      const inHour = saidMs.filter((ms) => Math.floor(ms / (60 * MINUTE_MS)) === hour).length;
      expect(inHour).toBeGreaterThan(0);
      expect(inHour).toBeLessThanOrEqual(kindOf(0) === kindOf(1) ? 1 : MOST_AN_HOUR);
    }
  });
});

it('keeps few of what was said', () => {
  let nowMs = 0;
  const said = new LatelySaid(() => nowMs, 20);
  let news = 0;
  for (let i = 0; i < 100_000; i += 1) {
    news += Number(said.isNews(`a ${i}`));
    nowMs += MINUTE_MS / 10;
  }
  const hours = nowMs / (60 * MINUTE_MS);
  expect(news).toBeGreaterThan(19 * hours);
  expect(news).toBeLessThan(21 * hours + 20);
});
