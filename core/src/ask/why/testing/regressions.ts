import type { ComparedFact, FactKind, FactValue, Risk } from '../../comparison/compare-jobs.js';

/** A job that failed after others of its name had not, and why. */
export interface Regression {
  readonly title: string;
  readonly reason: string;
  /** What is other in the job that failed. */
  readonly changed: Readonly<Record<string, FactValue>>;
  readonly packages?: Readonly<Record<string, string>>;
  /** A part of the line that tells it. */
  readonly tells: string;
}

const FAILED = 'exit code 1';

/** Planted, before anything was made to find them. Each job has differences that mean nothing beside them. */
export const REGRESSIONS: readonly Regression[] = [
  {
    title: 'a package one minor version up',
    reason: "exit code 1: AttributeError: module 'numpy' has no attribute 'bool' (data.py:7)",
    changed: { packages: 'bbbbbbbbbbbb, 120 packages' },
    packages: { numpy: '1.24.0' },
    tells: 'numpy 1.23.5 → 1.24.0',
  },
  {
    title: 'a learning rate',
    reason: 'exit code 1: loss is NaN',
    changed: { 'config.optimizer.lr': 10 },
    tells: 'config.optimizer.lr',
  },
  {
    title: 'a node with a broken card',
    reason: 'exit code 1: CUDA error: uncorrectable ECC error encountered',
    changed: { host: 'n17' },
    tells: 'host',
  },
  {
    title: 'a file of data',
    reason: "exit code 1: KeyError: 'label (a-1)' (data.py:30)",
    changed: { 'input./data/train (1).csv': 'bbbbbbbbbbbb, 2 GB' },
    tells: 'input./data/train (1).csv',
  },
  {
    title: 'a commit',
    reason: FAILED,
    changed: { 'git.commit': 'bbbbbbbbbbbb', 'git.tree': 'cccccccccccc' },
    tells: 'aaaaaaaaaaaa → bbbbbbbbbbbb',
  },
  {
    title: 'a change that was not committed',
    reason: FAILED,
    changed: { 'git.tree': 'cccccccccccc', 'git.dirty': 'yes', patch: 'dddddddddddd, 12 lines' },
    tells: '12 lines',
  },
  {
    title: 'another Python',
    reason: "exit code 1: ModuleNotFoundError: No module named 'imp'",
    changed: { interpreter: 'Python 3.12.1' },
    tells: 'Python 3.11.9 → Python 3.12.1',
  },
  {
    title: 'a lock file',
    reason: FAILED,
    changed: { 'lock.uv.lock': 'bbbbbbbbbbbb' },
    tells: 'uv.lock',
  },
  {
    title: 'a variable of NCCL',
    reason: 'exit code 1: NCCL error in: ProcessGroupNCCL.cpp:1269, unhandled system error',
    changed: { 'env.NCCL_SOCKET_IFNAME': 'eth1' },
    tells: 'env.NCCL_SOCKET_IFNAME',
  },
  {
    title: 'a driver',
    reason: 'exit code 1: CUDA error: no kernel image is available for execution on the device',
    changed: { driver: '535.10' },
    tells: 'driver',
  },
  {
    title: 'an image',
    reason: 'killed by SIGILL: Illegal instruction',
    changed: { container: 'sha256:bbbb' },
    tells: 'container',
  },
  {
    title: 'a module of the system',
    reason: 'exit code 127: error while loading shared libraries: libmpi.so.40',
    changed: { modules: 'gcc/13 openmpi/5' },
    tells: 'modules',
  },
  {
    title: 'less memory asked for',
    reason: 'killed for memory (15.9 of 16 GB)',
    changed: { asked_memory_bytes: 16e9, 'git.commit': 'bbbbbbbbbbbb' },
    tells: 'asked_memory_bytes',
  },
  {
    title: 'a shorter time limit',
    reason: 'time limit of 1h',
    changed: { time_limit_s: 3600, 'config.epochs': 20 },
    tells: 'time_limit_s',
  },
  {
    title: 'an argument',
    reason: "exit code 2: train.py: error: argument --model: invalid choice: 'resnet51'",
    changed: { command: 'python train.py --model resnet51' },
    tells: 'resnet51',
  },
  {
    title: 'a larger batch, in a new commit',
    reason: 'exit code 1: CUDA out of memory. Tried to allocate 9 GiB (train.py:9)',
    changed: { 'git.commit': 'bbbbbbbbbbbb', 'config.data.batch_size': 256, 'config.note': 'bigger (1)' },
    tells: 'config.data.batch_size',
  },
  {
    title: 'another partition',
    reason: 'exit code 1: CUDA error: no kernel image is available for execution on the device',
    changed: { queue: 'gpu-old', gpus: 'Tesla V100' },
    tells: 'gpus',
  },
  {
    title: 'a model of another tag',
    reason: FAILED,
    changed: { 'tag.model': 'vit (large)' },
    tells: 'tag.model',
  },
  {
    title: 'more nodes',
    reason: 'exit code 1: Watchdog caught collective operation timeout',
    changed: { nodes: 8 },
    tells: 'nodes',
  },
  {
    title: 'a path among many other changes',
    reason: "exit code 1: FileNotFoundError: [Errno 2] No such file or directory: '/data/v3/index.json'",
    changed: {
      ...{ 'git.commit': 'bbbbbbbbbbbb', 'config.optimizer.lr': 0.2, 'config.epochs': 11, 'config.width': 64 },
      ...{ 'config.depth': 5, 'config.data.path': '/data/v3', 'tag.model': 'vit', queue: 'gpu-2' },
    },
    tells: 'config.data.path',
  },
];

type Known = readonly [kind: FactKind, risk: Risk, name: string, value: FactValue];

/** What is known of each job of this name, however it ended. */
const KNOWN: readonly Known[] = [
  ['code', 'code', 'git.commit', 'aaaaaaaaaaaa'],
  ['code', 'code', 'git.tree', 'aaaaaaaaaaaa'],
  ['code', 'code', 'git.dirty', 'no'],
  ['code', 'code', 'patch', ''],
  ['packages', 'packages', 'interpreter', 'Python 3.11.9'],
  ['packages', 'packages', 'packages', 'aaaaaaaaaaaa, 120 packages'],
  ['packages', 'packages', 'lock.uv.lock', 'aaaaaaaaaaaa'],
  ['config', 'config', 'config.optimizer.lr', 0.1],
  ['config', 'config', 'config.epochs', 10],
  ['config', 'config', 'config.width', 32],
  ['config', 'config', 'config.depth', 4],
  ['config', 'config', 'config.note', ''],
  ['config', 'config', 'config.data.batch_size', 32],
  ['config', 'config', 'config.data.path', '/data/v2'],
  ['tag', 'config', 'tag.model', 'resnet'],
  ['command', 'config', 'command', 'python train.py --model resnet50'],
  ['data', 'data', 'input./data/train (1).csv', 'aaaaaaaaaaaa, 2 GB'],
  ['machine', 'machine', 'queue', 'gpu'],
  ['machine', 'machine', 'nodes', 2],
  ['machine', 'machine', 'asked_memory_bytes', 64e9],
  ['machine', 'machine', 'time_limit_s', 14_400],
  ['machine', 'machine', 'container', 'sha256:aaaa'],
  ['machine', 'machine', 'modules', 'gcc/12 openmpi/4'],
  ['machine', 'machine', 'gpus', 'NVIDIA H200'],
  ['machine', 'machine', 'driver', '550.54'],
  ['machine', 'machine', 'env.NCCL_SOCKET_IFNAME', 'ib0'],
];

/** The values that are other in each job, whatever becomes of it. */
function listOfRun(at: number): readonly Known[] {
  return [
    ['seed', 'seeds', 'seed.train', String(at)],
    ['config', 'seeds', 'config.seed', at],
    ['config', 'config', 'config.output', `/out/run-${at}`],
    ['command', 'config', 'folder', `/home/ann/runs/${at}`],
    ['machine', 'machine', 'host', `n${at}`],
    ['machine', 'machine', 'env.SLURM_JOB_NODELIST', `n${at}`],
    ['outcome', 'outcome', 'took_s', 100 * at],
  ];
}

/** The facts of so many jobs that went well, the newest first, and of the one that failed, which is the last. */
export function createRegressionFacts({ changed }: Pick<Regression, 'changed'>, successes: number): ComparedFact[] {
  const runs = Array.from({ length: successes + 1 }, (_, at) => [...KNOWN, ...listOfRun(at + 1)]);
  const [first = []] = runs;
  return first.map(([kind, risk, name], place) => {
    const values = runs.map((run, at) => (at === successes ? changed[name] : undefined) ?? run[place]?.[3]);
    return { kind, risk, name, values, differs: new Set(values).size > 1 };
  });
}
