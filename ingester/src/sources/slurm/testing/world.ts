import { err, ok, type Result } from '@joblens/core/result/result';
import type { QueueRecord } from '../../../queue/point-queue.js';
import { StateRegistry } from '../../../queue/state-registry.js';
import type { GpuWatch } from '../../../usage/gpu-watch.js';
import { createFakeFiles, type FakeFiles } from '../../../usage/testing/fake-files.js';
import type { DiscoveredJob, FileDiscovery, JobWriter } from '../../file-discovery.js';
import { SourceFaults } from '../../guard/source-faults.js';
import type { HookEvent } from '../hook-events.js';
import { HooksInUse } from '../hooks-in-use.js';
import { NodeUsage } from '../node-usage.js';
import type { RunForBytes, RunProgram } from '../../../slurm/run-program.js';
import { SlurmDiscovery } from '../slurm-discovery.js';

export const START_S = 1_795_241_000;

/** A job as squeue 22.05 tells of it. */
export function queueJob(id: number, state: string, more: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    ...{ job_id: id, user_id: 1000, user_name: 'ann', name: 'train', partition: 'main', job_state: state },
    ...{ nodes: state === 'PENDING' ? '' : 'n1', node_count: 1, batch_flag: true, restart_cnt: 0 },
    ...{ current_working_directory: '/w', standard_output: '', standard_error: '', exit_code: 0 },
    ...{ submit_time: START_S, start_time: START_S + 1, end_time: START_S + 10 },
    ...more,
  };
}

/** A line of sacct in the order of its fields. */
export function accountingLine(
  id: number,
  state: string,
  end: number | 'Unknown',
  uid = 1000,
  submit = START_S
): string {
  const times = [submit, submit + 1, end];
  const fields = [
    id,
    id,
    state,
    uid,
    'ann',
    'main',
    ...times,
    '0:0',
    1,
    'n1',
    '/w',
    'train',
    '',
    60,
    1,
    'cpu=1,mem=2G',
  ];
  return `${fields.join('\x1f')}\n`;
}

/** What sacct says of an ended job and its script. */
export function endLines(id: string, state: string, memory: string): string {
  const times = [START_S + 1, START_S + 10];
  const job = [id, state, '', '', '12G', 1, ...times];
  const batch = [`${id}.batch`, state, memory, `cpu=00:00:01,mem=${memory}`, '', 1, ...times];
  return `${job.join('\x1f')}\n${batch.join('\x1f')}\n`;
}

export interface World {
  nowMs: number;
  /** By how much the wall clock was set. */
  steppedMs: number;
  queue: Result<readonly Record<string, unknown>[], string>;
  accounting: Result<string, string>;
  findUser: (uid: number) => Promise<{ readonly name: string }>;
  readonly calls: string[];
  /** The arguments of each. */
  readonly asked: (readonly string[])[];
  readonly said: string[];
  /** What slurmctld's hooks tell next. */
  readonly told: HookEvent[];
  readonly counters: { faults: number };
  readonly records: QueueRecord[];
  readonly states: StateRegistry;
  /** /sys/fs/cgroup of this node. */
  readonly files: FakeFiles;
  start(options?: {
    uid?: number;
    idPrefix?: string;
    restored?: ReadonlyMap<string, readonly string[]>;
  }): FileDiscovery;
}

const NODE_GPUS: GpuWatch = {
  isStarting: false,
  readings: new Map([0, 1, 2].map((index) => [index, { percent: 10 * index, memoryBytes: 1000 * index }])),
  close: () => undefined,
};

export function createWorld(): World {
  const world: World = {
    ...{ nowMs: (START_S + 5) * 1000, steppedMs: 0 },
    queue: ok([]),
    accounting: err('Slurm accounting storage is disabled'),
    ...{
      calls: [],
      asked: [],
      said: [],
      told: [],
      counters: { faults: 0 },
      records: [],
      states: new StateRegistry(),
      files: createFakeFiles(),
    },
    findUser: (userId) => Promise.resolve({ name: userId === 1001 ? 'bob' : String(userId) }),
    start({ uid = 0, idPrefix = '', restored = new Map() } = {}) {
      const say = (message: string): void => void world.said.push(message);
      const report = { error: say, warn: say, info: say, debug: say };
      const clock = { nowMs: () => world.nowMs + world.steppedMs, monotonicMs: () => world.nowMs };
      const append = (record: QueueRecord): boolean => world.records.push(record) > 0;
      const run: RunProgram = (command, args) => {
        world.calls.push(command);
        world.asked.push(args);
        if (command === 'sacct') {
          const delimiter = args.find((arg) => arg.startsWith('--delimiter='))?.slice('--delimiter='.length) ?? '';
          const { accounting } = world;
          return Promise.resolve(accounting.ok ? ok(accounting.value.replaceAll('\x1f', delimiter)) : accounting);
        }
        return Promise.resolve(world.queue.ok ? ok(JSON.stringify({ jobs: world.queue.value })) : world.queue);
      };
      return new SlurmDiscovery({
        run,
        runForBytes: toBytesRunner(run),
        clock,
        report,
        faults: new SourceFaults(world.counters, report),
        usage: new NodeUsage({ files: world.files, clock, report, intervalMs: 10_000, watchGpus: () => NODE_GPUS }),
        memory: { queue: { append }, states: world.states, restored },
        hooks: new HooksInUse({ read: () => world.told.splice(0), warn: say }),
        findUser: (userId) => world.findUser(userId),
        uid,
        idPrefix,
      });
    },
  };
  return world;
}

/** Gives the output as bytes. */
export function toBytesRunner(run: RunProgram): RunForBytes {
  return async (...call) => {
    const answer = await run(...call);
    return answer.ok ? ok(Buffer.from(answer.value)) : answer;
  };
}

/** The points written to a job: `state time` for each event, and its notices. */
export interface Written {
  readonly states: string[];
  readonly notices: string[];
  /** What is known about the end, each time that it is described. */
  readonly ends: unknown[];
  /** The rows added to its tables. */
  readonly rows: unknown[];
  readonly writer: JobWriter;
}

export function createWriter(): Written {
  const [states, notices, ends, rows]: [string[], string[], unknown[], unknown[]] = [[], [], [], []];
  const writer: JobWriter = {
    describe: () => undefined,
    describeEnd: (_description, facts) => void ends.push(facts),
    changeState: ({ fromState = '', toState }, timeNs) =>
      void states.push(`${fromState}>${toState} +${Number((timeNs ?? 0n) / 1_000_000_000n) - START_S}`),
    addNotice: (_stream, text) => void notices.push(text),
    addRow: (row) => void rows.push(row),
  };
  return { states, notices, ends, rows, writer };
}

/** Polls until squeue was asked again and its answer is taken in. */
export async function pollNow(
  discovery: FileDiscovery,
  world: World,
  afterMs = 2000
): Promise<readonly DiscoveredJob[]> {
  world.nowMs += afterMs;
  await discovery.poll().catch(() => []);
  await new Promise((resolve) => setImmediate(resolve));
  return discovery.poll();
}

/** The second list of a job that had ended: accounting was asked meanwhile, or its owner has not opted in. */
export async function pollToEnd(discovery: FileDiscovery, world: World): Promise<readonly DiscoveredJob[]> {
  await discovery.poll();
  return pollNow(discovery, world);
}
