import { createSystemClock } from '../../clock/clock.js';
import { readHostFacts } from '../../host/host-facts.js';
import { createNodeSpoolFs } from '../node-spool-fs.js';
import type { Spool, SpoolPlace } from '../open-folder.js';
import { adoptLeftovers } from '../adopt-leftovers.js';
import { openSpool } from '../open-spool.js';

/** The process that runs the program. */
interface ProgramProcess {
  readonly pid: number;
  readonly uid: number;
  readonly write: (text: string) => void;
}

export const DESTINATION = { url: 'http://127.0.0.1:8086', bucket: 'logs' };

/** The spool folder as a real process has it. */
export function createRealPlace(root: string, { pid, uid, write }: ProgramProcess): SpoolPlace {
  const say = (message: string): void => write(`${message}\n`);
  const report = { error: say, warn: say, info: () => undefined, debug: () => undefined };
  const facts = readHostFacts(pid, uid);
  return { root, fs: createNodeSpoolFs(), facts, clock: createSystemClock(), random: Math.random, report };
}

/**
 * Appends numbered records for ever, and prints the number of the last one that is written and the last one that is
 * sent.
 */
export async function writeForEver(root: string, process: ProgramProcess): Promise<never> {
  let count = 0;
  const opened = await openSpool({
    ...createRealPlace(root, process),
    ...{ role: 'watch', destination: DESTINATION, segmentBytes: 20_000 },
    sources: [{ key: 'count', commit: () => true, takeWholeState: () => `${count}` }],
  });
  if (!opened.ok) throw new Error(opened.error);
  const spool = opened.value;
  count = Number(spool.states.get('count')?.at(-1) ?? 0);
  void sendForEver(spool, process);
  for (;;) {
    const first = spool.states.size === 0 && count === 0;
    count += 1;
    const bytes = Buffer.from(`${count} ${'x'.repeat(count % 500)}\n`);
    const state = { key: 'count', kind: first ? 'whole' : 'change', value: `${count}` } as const;
    if (!spool.append({ bytes, points: 1, states: [state], isUrgent: false })) throw new Error('refused');
    const written = count;
    // Two turns: the first may be the one that writes.
    for (let turn = 0; turn < 2; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    process.write(`written ${written}\n`);
  }
}

async function sendForEver(spool: Spool, process: ProgramProcess): Promise<void> {
  const { signal } = new AbortController();
  for (;;) {
    await spool.untilWaiting(1, signal);
    const batch = await spool.read({ maxPoints: 50, maxBytes: 10_000 });
    if (batch === undefined) continue;
    process.write(`sent ${batch.bytes.toString().replace(/ x*\n/g, ' ')}\n`);
    await spool.release();
  }
}

/** Takes over all the spools it can and prints their points, once told to start. */
export async function adoptAll(root: string, process: ProgramProcess, start: Promise<void>): Promise<void> {
  const place = createRealPlace(root, process);
  process.write('ready\n');
  await start;
  const adopted = await adoptLeftovers(place, { destination: DESTINATION, roles: ['job'] });
  if (!adopted.ok) throw new Error(adopted.error);
  for (const spool of adopted.value.spools) {
    const batch = await spool.read({ maxPoints: 1000, maxBytes: 1_000_000 });
    process.write(`adopted ${batch?.bytes.toString().trim()}\n`);
    await spool.release();
    await spool.close();
  }
}
