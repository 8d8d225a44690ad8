import { err, ok, type Result } from '@joblens/core/result/result';
import { formatJobKey } from '../../pipeline/job-state.js';
import { createVersion1, createVersion2 } from '../../usage/testing/fake-files.js';
import type { FileDiscovery } from '../file-discovery.js';
import { SourceFaults } from '../guard/source-faults.js';
import { HooksInUse } from './hooks-in-use.js';
import type { RunProgram } from '../../slurm/run-program.js';
import { SlurmDiscovery } from './slurm-discovery.js';
import {
  accountingLine,
  createWorld,
  createWriter,
  endLines,
  pollNow,
  pollToEnd,
  queueJob,
  START_S,
  toBytesRunner,
  type World,
  type Written,
} from './testing/world.js';

describe('SlurmDiscovery', () => {
  describe('with the cgroups of this node', () => {
    const scope = '/sys/fs/cgroup/system.slice/slurmstepd.scope';

    async function follow(
      world: World,
      ...ids: readonly number[]
    ): Promise<{ discovery: FileDiscovery; jobs: Written[] }> {
      world.queue = ok(ids.map((id) => queueJob(id, 'RUNNING')));
      const discovery = world.start();
      const jobs = (await discovery.poll()).map((job) => {
        const written = createWriter();
        job.onPipeline?.(written.writer);
        return written;
      });
      return { discovery, jobs };
    }

    async function pass(world: World, discovery: FileDiscovery, seconds: number): Promise<void> {
      for (let i = 0; i < seconds; i += 1) await pollNow(discovery, world, 1000);
    }

    function addFiles(world: World, files: Readonly<Record<string, string>>): void {
      for (const [path, text] of Object.entries(files)) world.files.texts.set(path, text);
    }

    it('adds what each job uses here, each interval, while it runs', async () => {
      const world = createWorld();
      addFiles(world, createVersion2(`${scope}/job_1`));
      const { discovery, jobs } = await follow(world, 1, 2);
      await pass(world, discovery, 5);
      addFiles(world, createVersion2(`${scope}/job_1`, { usageUs: 32_345_678 }));
      await pass(world, discovery, 16);
      expect(jobs[0]?.rows).toEqual([
        {
          system: {
            age_s: 15,
            cpu_cores: 2,
            memory_bytes: 650_000_000,
            io_read_bytes_per_s: 0,
            io_write_bytes_per_s: 0,
          },
        },
        { system: expect.objectContaining({ age_s: 25, cpu_cores: 0 }) as unknown },
      ]);
      expect(jobs[1]?.rows).toEqual([]);

      world.queue = ok([queueJob(1, 'COMPLETED')]);
      await pass(world, discovery, 30);
      expect(jobs[0]?.rows).toHaveLength(2);
    });

    it("adds the job's own GPUs, also of a process that begins after its cgroup", async () => {
      const world = createWorld();
      addFiles(world, createVersion2(`${scope}/job_1`));
      const { discovery, jobs } = await follow(world, 1);
      await pass(world, discovery, 5);
      addFiles(world, {
        [`${scope}/job_1/step_batch/user/task_0/cgroup.procs`]: '41\n',
        '/proc/41/environ': 'SLURM_JOB_GPUS=2\0CUDA_VISIBLE_DEVICES=0\0',
      });
      await pass(world, discovery, 10);
      const system = (jobs[0]?.rows[0] as { system: object }).system;
      expect(Object.entries(system).filter(([key]) => key.startsWith('gpu'))).toEqual([
        ['gpu2_percent', 20],
        ['gpu2_memory_bytes', 2000],
      ]);
    });

    it('finds a cgroup that Slurm makes later, of version 1 too', async () => {
      const world = createWorld();
      const { discovery, jobs } = await follow(world, 7);
      await pass(world, discovery, 5);
      addFiles(world, createVersion1('slurm/uid_1000/job_7'));
      await pass(world, discovery, 20);
      expect(jobs[0]?.rows).toHaveLength(1);
    });

    it('adds nothing to jobs whose owners have not opted in', async () => {
      const world = createWorld();
      addFiles(world, createVersion2(`${scope}/job_1`));
      world.queue = ok([queueJob(1, 'RUNNING')]);
      const discovery = world.start();
      await pass(world, discovery, 30);
      expect(world.said).toEqual([]);
    });

    it('says once what fails, and follows the jobs all the same', async () => {
      const world = createWorld();
      addFiles(world, createVersion2(`${scope}/job_1`));
      const { discovery, jobs } = await follow(world, 1);
      const { list } = world.files;
      world.files.list = () => {
        throw new Error('EIO');
      };
      await pass(world, discovery, 30);
      expect(world.said).toEqual(['--metrics: what job 1 uses is not known: EIO; it is tried again']);
      const { length } = jobs[0]?.rows ?? [];
      world.files.list = list;
      await pass(world, discovery, 30);
      expect(jobs[0]?.rows.length).toBeGreaterThan(length);
      world.queue = ok([queueJob(1, 'COMPLETED')]);
      await pass(world, discovery, 5);
      expect(jobs[0]?.states.at(-1)).toContain('RUNNING>COMPLETED');
    });
  });

  it.each([
    [1001, 'bob'],
    [1002, 'user 1002'],
  ])('asks accounting who cancelled a job (%d), and how much memory it used', async (uid, cancelledBy) => {
    const world = createWorld();
    world.queue = ok([queueJob(1, 'RUNNING')]);
    const discovery = world.start();
    const [job] = await discovery.poll();
    const written = createWriter();
    job?.onPipeline?.(written.writer);
    world.queue = ok([queueJob(1, 'CANCELLED', { time_limit: 60, memory_per_node: 12_288 })]);
    world.accounting = ok(endLines('1', `CANCELLED by ${uid}`, '1024K'));
    await pollNow(discovery, world);
    const known = { timeLimitMs: 3_600_000, requestedBytes: 12 * 2 ** 30, node: 'n1' };
    expect(written.ends[0]).toEqual(known);
    expect(written.ends.at(-1)).toEqual({ ...known, cancelledBy, usedBytes: 2 ** 20 });
    const calls = world.calls.filter((command) => command === 'sacct').length;
    for (let polls = 0; polls < 5; polls += 1) await pollNow(discovery, world);
    expect(world.calls.filter((command) => command === 'sacct').length).toBeLessThanOrEqual(calls + 2);
  });

  it('asks accounting once for all jobs that have completed, and what they used of their memory', async () => {
    const world = createWorld();
    const ids = [1, 2, 3];
    world.queue = ok(ids.map((id) => queueJob(id, 'RUNNING')));
    const discovery = world.start();
    const written = (await discovery.poll()).map((job) => {
      const writer = createWriter();
      job.onPipeline?.(writer.writer);
      return writer;
    });
    world.queue = ok(ids.map((id) => queueJob(id, 'COMPLETED')));
    world.accounting = ok(ids.map((id) => endLines(String(id), 'COMPLETED', `${id}024K`)).join(''));
    const asked = world.calls.length;
    await pollNow(discovery, world);
    const calls = world.calls.slice(asked);
    expect(calls.filter((command) => command === 'sacct').length).toBeLessThanOrEqual(
      calls.filter((command) => command === 'squeue').length
    );
    expect(written.map(({ ends }) => ends.at(-1))).toEqual(
      ids.map((id) => expect.objectContaining({ usedBytes: (id * 1000 + 24) * 1024 }) as unknown)
    );
    for (let polls = 0; polls < 5; polls += 1) await pollNow(discovery, world);
    expect(world.calls.filter((command) => command === 'sacct').length).toBeLessThanOrEqual(3);
  });

  it('asks for no ends once accounting has said that it is off', async () => {
    const world = createWorld();
    world.queue = ok([queueJob(1, 'RUNNING')]);
    const discovery = world.start();
    const [job] = await discovery.poll();
    job?.onPipeline?.(createWriter().writer);
    world.queue = ok([queueJob(1, 'COMPLETED')]);
    for (let polls = 0; polls < 5; polls += 1) await pollNow(discovery, world);
    expect(world.calls.filter((command) => command === 'sacct')).toHaveLength(1);
  });

  it('lists jobs that have started, with their owner, their files, and when they write', async () => {
    const world = createWorld();
    world.queue = ok([
      queueJob(1, 'RUNNING'),
      queueJob(2, 'PENDING'),
      queueJob(3, 'CANCELLED', { nodes: '' }),
      queueJob(4, 'COMPLETED', { standard_output: '/w/shared.log', standard_error: '/w/err.log' }),
    ]);
    const [sinceMs, knownMs] = [(START_S + 1) * 1000, world.nowMs];
    const discovery = world.start({ idPrefix: 'alpha/' });
    const jobs = await discovery.poll();
    for (const job of jobs) job.onPipeline?.(createWriter().writer);
    expect(jobs).toMatchObject([
      {
        ...{ id: 'alpha/1', name: 'train', owner: { uid: 1000, name: 'ann' }, isEnded: false },
        ...{ files: [{ path: '/w/slurm-1.out', stream: 'stdout', isShared: false }], startedMs: sinceMs },
        writing: { sinceMs, knownMs },
      },
      {
        id: 'alpha/4',
        files: [
          { path: '/w/shared.log', stream: 'stdout' },
          { path: '/w/err.log', stream: 'stderr' },
        ],
        writing: { sinceMs, untilMs: (START_S + 10) * 1000, knownMs },
      },
    ]);
    expect(jobs[0]?.writing).not.toHaveProperty('untilMs');
  });

  it.each([
    ['a job that waits', queueJob(2, 'PENDING', { standard_output: '/w/%x.log' }), true],
    ['a job that runs', queueJob(2, 'RUNNING', { standard_error: '/w/train.log' }), true],
    ['the tasks of an array that wait', queueJob(2, 'PENDING', { array_job_id: 2, array_task_string: '2-9%1' }), true],
    ['nobody: the other has ended', queueJob(2, 'COMPLETED', { standard_output: '/w/train.log' }), false],
    ['nobody: the other has a file of its own', queueJob(2, 'PENDING', { standard_output: '/w/%j.log' }), false],
  ])('says that a file is shared with %s', async (_, other, isShared) => {
    const world = createWorld();
    const output = other['array_task_string'] === undefined ? {} : { standard_output: 'train.log' };
    world.queue = ok([queueJob(1, 'RUNNING', { standard_output: '/w/train.log' }), { ...other, ...output }]);
    const [job] = await world.start().poll();
    expect(job?.files).toEqual([{ path: '/w/train.log', stream: 'stdout', isMerged: true, isShared }]);
  });

  it('shows those who are not root their own jobs only', async () => {
    const world = createWorld();
    world.queue = ok([queueJob(1, 'RUNNING'), queueJob(2, 'RUNNING', { user_id: 1001 })]);
    expect((await world.start({ uid: 1001 }).poll()).map(({ id }) => id)).toEqual(['2']);
  });

  it('writes each change of state once, at the time that Slurm gives, and the end before the job is ended', async () => {
    const world = createWorld();
    const { states, writer } = createWriter();
    world.queue = ok([queueJob(1, 'RUNNING')]);
    const discovery = world.start();
    for (const job of await discovery.poll()) job.onPipeline?.(writer);
    await pollNow(discovery, world);
    world.queue = ok([queueJob(1, 'SUSPENDED', { suspend_time: START_S + 6 })]);
    await pollNow(discovery, world);
    world.queue = ok([queueJob(1, 'CANCELLED', { suspend_time: START_S + 6, exit_code: 15 })]);
    expect(await pollNow(discovery, world)).toMatchObject([{ isEnded: false }]);
    expect(states).toEqual(['>PENDING +0', 'PENDING>RUNNING +1', 'RUNNING>SUSPENDED +6', 'SUSPENDED>CANCELLED +10']);
    // The last bytes of its files may come late.
    world.nowMs = (START_S + 15) * 1000;
    for (let i = 0; i < 31; i += 1) expect(await discovery.poll()).toMatchObject([{ isEnded: true }]);
    expect(await discovery.poll()).toEqual([]);
    expect(await pollNow(discovery, world)).toEqual([]);
    expect(states).toHaveLength(4);
  });

  it('goes on with a requeued job under its id', async () => {
    const world = createWorld();
    const { states, writer } = createWriter();
    world.queue = ok([queueJob(1, 'RUNNING')]);
    const discovery = world.start();
    for (const job of await discovery.poll()) job.onPipeline?.(writer);
    world.queue = ok([queueJob(1, 'PENDING', { restart_cnt: 1, submit_time: START_S + 8, start_time: START_S + 120 })]);
    const again = world.queue;
    // While its processes end, Slurm counts the restart, and tells the old times.
    world.queue = ok([queueJob(1, 'COMPLETING', { restart_cnt: 1 })]);
    await pollNow(discovery, world);
    expect(states).toHaveLength(2);
    world.queue = again;
    const waiting = await pollNow(discovery, world);
    // The output of the first attempt ends there: another job may write to the same file in the meantime.
    const writing = { sinceMs: (START_S + 1) * 1000, untilMs: (START_S + 8) * 1000 };
    expect(waiting).toMatchObject([{ id: '1', isEnded: false, writing }]);
    world.queue = ok([queueJob(1, 'RUNNING', { restart_cnt: 1, submit_time: START_S + 8, start_time: START_S + 120 })]);
    await pollNow(discovery, world);
    expect(states.slice(2)).toEqual(['RUNNING>REQUEUED +8', 'REQUEUED>PENDING +8', 'PENDING>RUNNING +120']);
  });

  it('gives the same list while nothing changes, and else only what has changed as new', async () => {
    const world = createWorld();
    const shared = { standard_output: '/w/shared (a) "b".out' };
    const listQueue = (state: string): Record<string, unknown>[] => [
      ...[queueJob(1, 'RUNNING'), queueJob(2, state), queueJob(3, 'SUSPENDED')],
      queueJob(4, 'PENDING', { start_time: 0 }),
    ];
    world.queue = ok(listQueue('RUNNING'));
    const discovery = world.start();
    const first = await discovery.poll();
    for (const job of first) job.onPipeline?.(createWriter().writer);
    const knownMs = first[0]?.writing?.knownMs ?? 0;
    expect(await pollNow(discovery, world)).toBe(first);
    expect(first[0]?.writing?.knownMs).toBe(knownMs + 2000);

    world.queue = ok(listQueue('COMPLETED'));
    const second = await pollNow(discovery, world);
    expect(second).not.toBe(first);
    expect(second.map((job, i) => job === first[i])).toEqual([true, false, true]);

    world.queue = ok([
      ...listQueue('COMPLETED').slice(1),
      queueJob(1, 'RUNNING', shared),
      queueJob(5, 'RUNNING', shared),
    ]);
    const third = await pollNow(discovery, world);
    expect(third.find(({ id }) => id === '1')?.files).toEqual([expect.objectContaining({ isShared: true })]);
    expect(third.find(({ id }) => id === '3')).toBe(first[2]);
  });

  it('looks for no files of a job whose owner has not opted in', async () => {
    const world = createWorld();
    world.queue = ok([queueJob(1, 'RUNNING')]);
    const discovery = world.start();
    expect(await discovery.poll()).toMatchObject([{ files: [{ path: '/w/slurm-1.out' }] }]);
    expect(await discovery.poll()).toMatchObject([{ id: '1', files: [] }]);
    // But for one that the next job writes to: nothing of this one must come into its log.
    world.queue = ok([queueJob(1, 'RUNNING'), queueJob(2, 'PENDING', { standard_output: 'slurm-1.out' })]);
    expect(await pollNow(discovery, world)).toMatchObject([{ id: '1', files: [{ path: '/w/slurm-1.out' }] }]);
  });

  it('takes a job that is requeued after its end for a new one', async () => {
    const world = createWorld();
    world.nowMs = (START_S + 60) * 1000;
    world.queue = ok([queueJob(1, 'COMPLETED')]);
    const discovery = world.start();
    expect(await pollToEnd(discovery, world)).toMatchObject([{ isEnded: true }]);
    world.queue = ok([queueJob(1, 'PENDING', { restart_cnt: 1, submit_time: START_S + 61 })]);
    expect(await pollNow(discovery, world)).toEqual([]);
    expect(await discovery.poll()).toMatchObject([{ id: '1', isEnded: false }]);
  });

  it('asks squeue once in an interval, less and less often when it does not answer, and says why', async () => {
    const world = createWorld();
    world.queue = err('Unable to contact slurm controller (connect failure)');
    const discovery = world.start();
    await expect(discovery.poll()).rejects.toThrow(
      'cannot ask Slurm for its jobs: Unable to contact slurm controller (connect failure)'
    );
    const askedAt: number[] = [];
    for (let second = 0; second < 200; second += 1) {
      world.nowMs += 1000;
      const before = world.calls.length;
      await expect(discovery.poll()).rejects.toThrow('cannot ask Slurm');
      if (world.calls.length > before) askedAt.push(second + 1);
    }
    expect(askedAt).toEqual([4, 12, 28, 60, 120, 180]);
    world.queue = ok([queueJob(1, 'RUNNING', { end_time: 0 })]);
    world.nowMs += 60_000;
    expect(await discovery.poll()).toHaveLength(1);
  });

  it('never asks while squeue has not answered', async () => {
    const world = createWorld();
    let answer: (result: Result<string, string>) => void = () => undefined;
    const run: RunProgram = (command) => {
      world.calls.push(command);
      return world.calls.length === 1
        ? Promise.resolve(ok('{"jobs":[]}'))
        : new Promise((resolve) => (answer = resolve));
    };
    const discovery = new SlurmDiscovery({
      ...{ run, runForBytes: toBytesRunner(run) },
      clock: { nowMs: () => world.nowMs, monotonicMs: () => world.nowMs },
      report: { error: jest.fn(), warn: jest.fn(), info: jest.fn(), debug: jest.fn() },
      faults: new SourceFaults({ faults: 0 }, { error: jest.fn() }),
      memory: { queue: { append: () => true }, states: world.states, restored: new Map() },
      findUser: () => Promise.resolve({ name: 'ann' }),
      hooks: new HooksInUse({ read: () => [], warn: jest.fn() }),
      uid: 0,
    });
    for (let i = 0; i < 5; i += 1) {
      world.nowMs += 10_000;
      expect(await discovery.poll()).toEqual([]);
    }
    expect(world.calls).toHaveLength(2);
    answer(ok('{"jobs":[]}'));
  });

  describe('a job that squeue lists no more', () => {
    it('ends as accounting says', async () => {
      const world = createWorld();
      const { states, writer } = createWriter();
      world.queue = ok([queueJob(1, 'RUNNING')]);
      world.accounting = ok(accountingLine(1, 'RUNNING', 'Unknown'));
      const discovery = world.start();
      for (const job of await discovery.poll()) job.onPipeline?.(writer);
      world.queue = ok([]);
      expect(await pollNow(discovery, world)).toMatchObject([{ isEnded: false }]);
      world.accounting = ok(accountingLine(1, 'COMPLETED', START_S + 7));
      await pollNow(discovery, world);
      expect(states.slice(2)).toEqual(['RUNNING>COMPLETED +7']);
      world.nowMs += 5000;
      expect(await discovery.poll()).toMatchObject([{ isEnded: true }]);
    });

    it('ends as unknown, when it was last seen, where there is no accounting', async () => {
      const world = createWorld();
      const { states, notices, writer } = createWriter();
      world.queue = ok([queueJob(1, 'RUNNING')]);
      const discovery = world.start();
      for (const job of await discovery.poll()) job.onPipeline?.(writer);
      world.queue = ok([]);
      await pollNow(discovery, world);
      expect(states.slice(2)).toEqual(['RUNNING>UNKNOWN +5']);
      expect(notices).toEqual(['how this job ended is not known: Slurm forgot it before its end was seen']);
      expect(world.said).toContain('job 1: Slurm no longer lists it, and how it ended is not known');
    });
  });

  describe('after a restart', () => {
    /** Runs a daemon that sees these jobs and stops. Returns the states that it left in the spool. */
    async function leave(world: World, jobs: readonly Record<string, unknown>[]): Promise<Map<string, string[]>> {
      world.queue = ok(jobs);
      const discovery = world.start();
      for (const job of await discovery.poll()) job.onPipeline?.(createWriter().writer);
      await pollNow(discovery, world);
      await discovery.close?.();
      return new Map([['slurm', world.records.flatMap(({ states }) => states.map(({ value }) => value))]]);
    }

    it('learns from accounting how jobs ended, and of jobs that came and went meanwhile', async () => {
      const world = createWorld();
      const restored = await leave(world, [queueJob(1, 'RUNNING')]);
      world.nowMs += 3_600_000;
      world.queue = ok([]);
      world.accounting = ok(
        accountingLine(1, 'TIMEOUT', START_S + 90) +
          accountingLine(2, 'COMPLETED', START_S + 400, 1000, START_S + 300) +
          accountingLine(3, 'RUNNING', 'Unknown', 1000, START_S + 300)
      );
      const discovery = world.start({ restored });
      const written = (await discovery.poll()).map((job) => {
        const { states, ends, writer } = createWriter();
        job.onPipeline?.(writer);
        return { job, seen: [job.id, job.isEnded, job.files.map(({ path }) => path), states], ends };
      });
      expect(written.map(({ seen }) => seen)).toEqual([
        ['1', false, ['/w/slurm-1.out'], ['>PENDING +0', 'PENDING>RUNNING +1', 'RUNNING>TIMEOUT +90']],
        ['2', false, ['/w/slurm-2.out'], ['>PENDING +300', 'PENDING>RUNNING +301', 'RUNNING>COMPLETED +400']],
      ]);
      // The logs stay open until accounting has told what it knows about the ends.
      world.accounting = ok(endLines('1', 'TIMEOUT', '1024K') + endLines('2', 'COMPLETED', '2048K'));
      expect(await pollNow(discovery, world)).toMatchObject([{ isEnded: true }, { isEnded: true }]);
      expect(written.map(({ ends }) => ends.at(-1))).toMatchObject([{ usedBytes: 2 ** 20 }, { usedBytes: 2 ** 21 }]);
    });

    it.each([1, 3])('asks accounting again, for the same time, when it failed %d times', async (failures) => {
      const world = createWorld();
      const restored = await leave(world, [queueJob(1, 'RUNNING')]);
      world.nowMs += 3_600_000;
      world.queue = ok([]);
      const discovery = world.start({ restored });
      world.accounting = err('Connection refused');
      for (let i = 0; i < failures; i += 1) {
        expect(await pollNow(discovery, world, i === 0 ? 0 : 60_000)).toMatchObject([{ id: '1', isEnded: false }]);
      }
      // A daemon that is started anew meanwhile does not know more.
      await discovery.close?.();
      const states = world.records.flatMap((record) => record.states.map(({ value }) => value));
      const next = world.start({ restored: new Map([['slurm', states]]) });
      world.accounting = ok(
        accountingLine(1, 'TIMEOUT', START_S + 90) + accountingLine(2, 'COMPLETED', START_S + 400, 1000, START_S + 300)
      );
      expect((await pollNow(next, world, 0)).map(({ id }) => id)).toEqual(['1', '2']);
      const asked = world.asked
        .map((args) => /uts(\d+)/.exec(args.join(' '))?.[1])
        .filter((since) => since !== undefined);
      expect(new Set(asked).size).toBe(1);
    });

    it('says a fault of each kind once until it is over', async () => {
      const world = createWorld();
      const restored = await leave(world, [queueJob(1, 'RUNNING')]);
      world.said.length = 0;
      const discovery = world.start({ restored });
      world.queue = ok([{ job_id: 'odd' }]);
      const said = (kind: RegExp): number => world.said.filter((message) => kind.test(message)).length;
      for (let round = 1; round <= 2; round += 1) {
        world.accounting = err('Connection refused');
        for (let i = 0; i < 3; i += 1) await pollNow(discovery, world, 60_000);
        expect([said(/could not be read/), said(/missed jobs: Connection refused/)]).toEqual([1, round]);
        world.accounting = ok('');
        await pollNow(discovery, world, 120_000);
        world.queue = ok([{ job_id: 'odd' }, queueJob(round + 1, 'RUNNING')]);
        await pollNow(discovery, world, 2000);
        world.queue = ok([{ job_id: 'odd' }]);
      }
      await discovery.close?.();
    });

    it('learns of the attempts of a requeued job that came and went', async () => {
      const world = createWorld();
      const restored = await leave(world, []);
      world.nowMs += 3_600_000;
      // Slurm submits a job again only when its processes are gone.
      world.accounting = ok(
        accountingLine(1, 'REQUEUED', START_S + 50) + accountingLine(1, 'COMPLETED', START_S + 90, 1000, START_S + 55)
      );
      const [job] = await world.start({ restored }).poll();
      const { states, writer } = createWriter();
      job?.onPipeline?.(writer);
      expect([...new Set(states)]).toEqual([
        ...['>PENDING +0', 'PENDING>RUNNING +1', 'RUNNING>REQUEUED +55'],
        ...['REQUEUED>PENDING +55', 'PENDING>RUNNING +56', 'RUNNING>COMPLETED +90'],
      ]);
    });

    it('does not read again what had ended and was read', async () => {
      const world = createWorld();
      world.nowMs = (START_S + 60) * 1000;
      const restored = await leave(world, [queueJob(1, 'COMPLETED')]);
      expect(await world.start({ restored }).poll()).toEqual([]);
      // Its log is still in the spool: not all of it was read.
      restored.set(formatJobKey({ job: '1', user: 'ann' }), ['{}']);
      expect(await world.start({ restored }).poll()).toMatchObject([{ id: '1', isEnded: true }]);
    });

    it('knows that a job has ended before the watcher can forget it', async () => {
      const world = createWorld();
      world.nowMs = (START_S + 60) * 1000;
      world.queue = ok([queueJob(1, 'COMPLETED')]);
      expect(await pollToEnd(world.start(), world)).toMatchObject([{ isEnded: true }]);
      const kept = world.records.at(-1)?.states[0]?.value ?? '[]';
      expect(JSON.parse(kept)).toContainEqual(['1', expect.objectContaining({ phase: 'ended' })]);
    });

    it('goes on with a job that still runs, and writes attempts that it missed', async () => {
      const world = createWorld();
      const restored = await leave(world, [queueJob(1, 'RUNNING')]);
      world.nowMs += 600_000;
      world.queue = ok([
        queueJob(1, 'RUNNING', { restart_cnt: 2, submit_time: START_S + 200, start_time: START_S + 320 }),
      ]);
      world.accounting = ok(
        accountingLine(1, 'REQUEUED', START_S + 50) +
          accountingLine(1, 'NODE_FAIL', START_S + 200, 1000, START_S + 50) +
          accountingLine(1, 'RUNNING', 'Unknown', 1000, START_S + 200)
      );
      const [job] = await world.start({ restored }).poll();
      const { states, writer } = createWriter();
      job?.onPipeline?.(writer);
      expect([...new Set(states)]).toEqual([
        ...['>PENDING +0', 'PENDING>RUNNING +1', 'RUNNING>REQUEUED +50'],
        ...['REQUEUED>PENDING +50', 'PENDING>RUNNING +51', 'RUNNING>REQUEUED +200'],
        ...['REQUEUED>PENDING +200', 'PENDING>RUNNING +320'],
      ]);
    });

    it('keeps the whole state in one piece, too', async () => {
      const world = createWorld();
      await leave(world, [queueJob(1, 'RUNNING'), queueJob(2, 'RUNNING')]);
      world.queue = ok([queueJob(1, 'RUNNING')]);
      const discovery = world.start();
      for (const job of await discovery.poll()) job.onPipeline?.(createWriter().writer);
      const [source] = [...world.states];
      expect(source?.key).toBe('slurm');
      const calls = world.calls.length;
      const restored = new Map([['slurm', [source?.takeWholeState() ?? '']]]);
      expect((await world.start({ restored }).poll()).map(({ id }) => id)).toEqual(['1']);
      expect(world.calls.slice(calls)).toEqual(['squeue', 'sacct']);
    });
  });
});
