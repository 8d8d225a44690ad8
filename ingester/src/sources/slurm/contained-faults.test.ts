import { ok } from '@joblens/core/result/result';
import { poison } from '../../testing/poison.js';
import type { DiscoveredJob, FileDiscovery } from '../file-discovery.js';
import { FollowedJob } from './followed-job.js';
import { SlurmMemory } from './slurm-memory.js';
import type * as Tres from './tres.js';
import { createWorld, createWriter, endLines, pollNow, queueJob, type World, type Written } from './testing/world.js';

/** Texts in which a reader of records finds the pill. */
const faulty = { isOn: false };
jest.mock('./tres.js', () => {
  const real = jest.requireActual<typeof Tres>('./tres.js');
  const failing =
    <R>(read: (text: string) => R) =>
    (text: string): R => {
      if (faulty.isOn && text.includes('pill')) throw new RangeError('a secret of the pill');
      return read(text);
    };
  return { readBytes: failing(real.readBytes), readMemory: failing(real.readMemory), readGpus: failing(real.readGpus) };
});

const PILL = 2;
const IDS = [1, PILL, 3];
const WELL = IDS.filter((id) => id !== PILL);
const CANCELLER = 77;

const idIs = (id: unknown): boolean => String(id) === String(PILL);
const ofFacts = (_self: unknown, [job]: readonly unknown[]): boolean => idIs((job as { id: string }).id);
const ofMemory = (_self: unknown, [kept]: readonly unknown[]): boolean =>
  idIs((kept as { job: { id: string } }).job.id);
const ofId = (_self: unknown, [id]: readonly unknown[]): boolean => idIs(id);
const ofSelf = (self: unknown): boolean => idIs((self as FollowedJob).job.id);

type Start = (world: World, when: 'before' | 'after') => void;
const STAGES: readonly (readonly [string, Start])[] = [
  ['reading a job of squeue', () => (faulty.isOn = true)],
  ['remembering a job', (_world, when) => poison(SlurmMemory.prototype, 'remember', ofMemory, when)],
  ['asking whether a log was open', (_world, when) => poison(SlurmMemory.prototype, 'wasOpen', ofId, when)],
  ['taking facts', (_world, when) => poison(FollowedJob.prototype, 'update', ofFacts, when)],
  ['writing changes', (_world, when) => poison(FollowedJob.prototype, 'addAttempt', ofFacts, when)],
  ['listing a job', (_world, when) => poison(FollowedJob.prototype, 'list', ofId, when)],
  ['telling how a job ended', (_world, when) => poison(FollowedJob.prototype, 'addAccountedEnd', ofSelf, when)],
  [
    'naming who cancelled it',
    (world) => (world.findUser = () => Promise.reject(new RangeError('a secret of the pill'))),
  ],
];

afterEach(() => {
  jest.restoreAllMocks();
  faulty.isOn = false;
});

/** Each job as squeue tells of it: in the state, or as completed. */
function setQueue(world: World, state?: 'RUNNING'): void {
  world.queue = ok(
    IDS.map((id) => queueJob(id, state ?? 'COMPLETED', { tres_req_str: id === PILL ? 'gres/pill=1' : 'gres/gpu=1' }))
  );
}

function takeWriters(jobs: readonly DiscoveredJob[], written: Map<string, Written>): void {
  for (const job of jobs) {
    const { id } = job;
    if (written.has(id)) continue;
    const writer = createWriter();
    written.set(id, writer);
    job.onPipeline?.(writer.writer);
  }
}

function restart(world: World): FileDiscovery {
  const restored = new Map<string, string[]>();
  for (const { states } of world.records) {
    for (const { key, kind, value } of states) {
      restored.set(key, kind === 'whole' ? [value] : [...(restored.get(key) ?? []), value]);
    }
  }
  return world.start({ restored });
}

it.each(STAGES.flatMap(([what, start]) => [['before', what, start] as const, ['after', what, start] as const]))(
  'a fault thrown %s %s costs its job of Slurm alone',
  async (when, _what, start) => {
    const world = createWorld();
    start(world, when);
    setQueue(world, 'RUNNING');
    const discovery = world.start();
    const written = new Map<string, Written>();
    takeWriters(await discovery.poll(), written);
    const listed = new Map<string, boolean | undefined>();
    setQueue(world);
    const ends = IDS.map((id) => endLines(String(id), 'COMPLETED', id === PILL ? 'pill' : '3G'));
    world.accounting = ok(ends.join('').replace(`2\x1fCOMPLETED`, `2\x1fCANCELLED by ${CANCELLER}`));
    for (let i = 0; i < 8; i += 1) {
      const jobs = await pollNow(discovery, world);
      takeWriters(jobs, written);
      for (const { id, isEnded } of jobs) listed.set(id, isEnded);
    }
    for (const id of WELL) {
      const { states, ends: told } = written.get(String(id)) ?? createWriter();
      expect(states.map((state) => state.split(' ')[0])).toEqual(['>PENDING', 'PENDING>RUNNING', 'RUNNING>COMPLETED']);
      expect(told.at(-1)).toMatchObject({ usedBytes: 3 * 2 ** 30 });
      expect(listed.get(String(id))).toBe(true);
    }
    const faults = world.said.filter((line) => line.includes('fault of joblens'));
    expect(world.said.join('\n')).not.toContain('secret');
    expect(faults.length).toBeLessThanOrEqual(3);
    expect(new Set(faults).size).toBe(faults.length);
    expect(world.counters.faults > 0).toBe(faults.length > 0);
    await discovery.close?.();
    const next = restart(world);
    for (let i = 0; i < 3; i += 1) {
      for (const { id } of await pollNow(next, world)) expect(WELL.map(String)).not.toContain(id);
    }
    await next.close?.();
    expect(world.counters.faults).toBeGreaterThan(0);
  }
);
