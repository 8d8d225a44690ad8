import { ok } from '@joblens/core/result/result';
import { createWorld, createWriter, pollNow, queueJob, START_S, type World } from './testing/world.js';

/** A world whose hooks work and whose job 1 runs. */
async function startHooked(world: World): Promise<{ discovery: ReturnType<World['start']> }> {
  const discovery = world.start();
  await discovery.poll();
  await tell(world, 'start', 1);
  world.queue = ok([queueJob(1, 'RUNNING')]);
  const [job] = await pollNow(discovery, world);
  expect(job?.id).toBe('1');
  job?.onPipeline?.(createWriter().writer);
  return { discovery };
}

async function tell(world: World, kind: 'start' | 'end', rawId: number): Promise<void> {
  world.told.push({ kind, rawId });
  return Promise.resolve();
}

const countAsked = (world: World): number => world.calls.length;

async function pass(world: World, discovery: ReturnType<World['start']>, seconds: number): Promise<void> {
  for (let i = 0; i < seconds; i += 1) await pollNow(discovery, world, 1000);
}

describe('SlurmDiscovery with the hooks of slurmctld', () => {
  it('asks Slurm once a minute while nothing happens', async () => {
    const world = createWorld();
    const { discovery } = await startHooked(world);
    const before = countAsked(world);
    await pass(world, discovery, 600);
    expect(countAsked(world) - before).toBeLessThanOrEqual(10);
    expect(countAsked(world) - before).toBeGreaterThanOrEqual(9);
    expect(world.said).toEqual([]);
  });

  it('asks as ever until the first hook tells something', async () => {
    const world = createWorld();
    world.queue = ok([queueJob(1, 'RUNNING')]);
    const discovery = world.start();
    await pass(world, discovery, 60);
    expect(countAsked(world)).toBeGreaterThanOrEqual(29);
  });

  it('asks at once for what they tell, until squeue shows it', async () => {
    const world = createWorld();
    const { discovery } = await startHooked(world);
    await pass(world, discovery, 5);
    let before = countAsked(world);
    await tell(world, 'start', 2);
    // slurmctld waits for the hook.
    world.queue = ok([queueJob(1, 'RUNNING'), queueJob(2, 'CONFIGURING')]);
    await pass(world, discovery, 4);
    expect(countAsked(world) - before).toBe(2);
    world.queue = ok([queueJob(1, 'RUNNING'), queueJob(2, 'RUNNING')]);
    await pass(world, discovery, 2);
    before = countAsked(world);
    expect((await discovery.poll()).map(({ id }) => id)).toEqual(['1', '2']);
    await pass(world, discovery, 20);
    expect(countAsked(world)).toBe(before);

    await tell(world, 'end', 1);
    world.queue = ok([queueJob(1, 'COMPLETING'), queueJob(2, 'RUNNING')]);
    await pass(world, discovery, 3);
    world.queue = ok([queueJob(1, 'COMPLETED'), queueJob(2, 'RUNNING')]);
    await pass(world, discovery, 10);
    expect((await discovery.poll()).find(({ id }) => id === '1')?.isEnded).toBe(true);
    before = countAsked(world);
    await pass(world, discovery, 20);
    expect(countAsked(world)).toBe(before);
    expect(world.said.filter((text) => text.includes('hook'))).toEqual([]);
  });

  it('waits for nothing that squeue never shows', async () => {
    const world = createWorld();
    const { discovery } = await startHooked(world);
    await tell(world, 'start', 99);
    await tell(world, 'end', 1);
    await pass(world, discovery, 60);
    const before = countAsked(world);
    await pass(world, discovery, 120);
    expect(countAsked(world) - before).toBeLessThanOrEqual(3);
  });

  it.each([
    ['a start', [queueJob(1, 'RUNNING'), queueJob(2, 'RUNNING')], 2],
    ['a job that came and went', [queueJob(1, 'RUNNING'), queueJob(2, 'COMPLETED')], 2],
    ['an end', [queueJob(1, 'FAILED')], 1],
  ])(
    'asks at the usual interval again once they have not told of %s, until they tell again',
    async (_what, jobs, id) => {
      const world = createWorld();
      const { discovery } = await startHooked(world);
      await pass(world, discovery, 70);
      world.queue = ok(jobs);
      await pass(world, discovery, 61);
      const said = world.said.filter((text) => text.includes("Slurm's hooks did not tell"));
      expect(said).toEqual([expect.stringContaining(`did not tell of job ${id}: `)]);
      let before = countAsked(world);
      await pass(world, discovery, 60);
      expect(countAsked(world) - before).toBeGreaterThanOrEqual(29);

      await tell(world, 'start', 3);
      world.queue = ok([...jobs, queueJob(3, 'RUNNING')]);
      await pass(world, discovery, 10);
      before = countAsked(world);
      await pass(world, discovery, 60);
      expect(countAsked(world) - before).toBeLessThanOrEqual(2);
    }
  );

  it('takes a task of an array that starts while squeue answers as told', async () => {
    const world = createWorld();
    const { discovery } = await startHooked(world);
    const waiting = queueJob(5, 'PENDING', { array_job_id: 5, array_task_string: '1-2' });
    world.queue = ok([queueJob(1, 'RUNNING'), waiting]);
    await pass(world, discovery, 59);
    world.nowMs += 1000;
    const asked = discovery.poll();
    // Between squeue's answer and the next look.
    await tell(world, 'start', 6);
    await asked;
    await pass(world, discovery, 1);
    const task = { array_job_id: 5, array_task_id: 1 };
    world.queue = ok([queueJob(1, 'RUNNING'), waiting, queueJob(6, 'RUNNING', task)]);
    await pass(world, discovery, 70);
    expect((await discovery.poll()).map(({ id }) => id)).toEqual(['1', '5_1']);
    expect(world.said).toEqual([]);
  });

  it('asks at the usual interval while jobs share a file, whose parts are told apart by when they run', async () => {
    const world = createWorld();
    const { discovery } = await startHooked(world);
    const shared = { standard_output: '/w/slurm-1.out' };
    world.queue = ok([queueJob(1, 'RUNNING'), queueJob(2, 'PENDING', shared)]);
    await pass(world, discovery, 61);
    const before = countAsked(world);
    await pass(world, discovery, 60);
    expect(countAsked(world) - before).toBeGreaterThanOrEqual(29);
  });

  it('knows, while they tell of nothing, that no other job has begun to write', async () => {
    const world = createWorld();
    const { discovery } = await startHooked(world);
    await pass(world, discovery, 30);
    const [job] = await discovery.poll();
    expect(job?.writing).toEqual({ sinceMs: (START_S + 1) * 1000, knownMs: world.nowMs });
    await tell(world, 'start', 2);
    world.nowMs += 100;
    const [later] = await discovery.poll();
    expect(later?.writing?.knownMs).toBe(world.nowMs - 100);
  });

  it('does not take a minute without a question for an outage', async () => {
    const world = createWorld();
    world.accounting = ok('');
    const { discovery } = await startHooked(world);
    const before = world.calls.filter((command) => command === 'sacct').length;
    await pass(world, discovery, 300);
    expect(world.calls.filter((command) => command === 'sacct')).toHaveLength(before);
  });
});
