import { createFakeClock, type FakeClock } from '../../testing/fake-clock.js';
import type { HostFacts } from '../../host/host-facts.js';
import type { SpoolPlace } from '../open-folder.js';
import type { ModelDisk } from './model-disk.js';

/** A process on a model disk. */
export interface ModelProcess extends SpoolPlace {
  readonly clock: FakeClock;
  /** Its messages, oldest first. */
  readonly messages: string[];
}

/** The process with this id; the ids in `alive` run. */
export function createModelProcess(disk: ModelDisk, pid: number, alive: ReadonlySet<number>): ModelProcess {
  const messages: string[] = [];
  const say = (message: string): void => void messages.push(message);
  let seed = pid;
  return {
    messages,
    root: '/spool',
    fs: disk.mount(),
    facts: createFacts({ pid, isAlive: (other) => alive.has(other) }),
    clock: createFakeClock(),
    random: () => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647,
    report: { error: say, warn: say, info: say, debug: say },
  };
}

export function createFacts(facts: Partial<HostFacts>): HostFacts {
  return {
    hostName: 'node1',
    bootId: 'b00t',
    pidNamespace: '1',
    pid: 1,
    startTime: '7',
    uid: 0,
    uptimeMs: () => 3_600_000,
    isAlive: () => false,
    ...facts,
  };
}

/** Lets everything run that does not wait for the clock or the disk. */
export async function settle(rounds = 6): Promise<void> {
  for (let i = 0; i < rounds; i += 1) await new Promise((resolve) => setImmediate(resolve));
}
