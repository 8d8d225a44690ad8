import { inferXAxis } from '@joblens/core/axis/x-axis';
import { formatPoint } from '@joblens/core/point/line-protocol';
import type { Point } from '@joblens/core/point/point';
import { createJobPoint, type JobDescription } from '@joblens/core/schema/job-point';
import { createLogPoints } from '@joblens/core/schema/log-point';
import type { JobSource, Stream } from '@joblens/core/schema/measurements';
import { createMetadataPoints, createSeriesPoint } from '@joblens/core/schema/metadata-point';
import { createSeriesName } from '@joblens/core/schema/series-name';
import { createTableStats, foldRow } from '@joblens/core/table/table-stats';

/** The moment at which the demo jobs are looked at. */
export const DEMO_NOW_MS = Date.UTC(2026, 2, 12, 14, 30);

const MINUTE_MS = 60_000;
const minutesAgo = (minutes: number): number => DEMO_NOW_MS - minutes * MINUTE_MS;
const toNs = (ms: number): bigint => BigInt(Math.round(ms * 1000)) * 1000n;

/** Numbers between 0 and 1, the same in each run. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296;
    return state / 4_294_967_296;
  };
}

type Row = Readonly<Record<string, number>>;

interface DemoTable {
  readonly rows: readonly Row[];
  readonly fromMs: number;
  readonly stepMs: number;
}

interface DemoLine {
  readonly ms: number;
  readonly text: string;
  readonly stream?: Stream;
}

interface DemoJob {
  readonly source: JobSource;
  readonly description?: JobDescription;
  readonly tables?: readonly DemoTable[];
  readonly lines?: readonly DemoLine[];
}

const round = (value: number): number => Number(value.toPrecision(4));

/** Rows as a training prints them: a loss that falls, a norm with spikes, a throughput a thousand times larger. */
function createTraining(count: number, seed: number): readonly Row[] {
  const random = createRandom(seed);
  return Array.from({ length: count }, (_, at) => {
    const share = (at + 1) / 480;
    return {
      step: 50 * (at + 1),
      loss: round(0.35 + 2.4 * Math.exp(-5 * share) + 0.12 * (random() - 0.5)),
      grad_norm: round(0.8 + 0.5 * random() + (at % 97 === 60 ? 3 : 0)),
      throughput: round(1180 + 60 * random()),
    };
  });
}

function createEpochs(count: number, seed: number): readonly Row[] {
  const random = createRandom(seed);
  return Array.from({ length: count }, (_, at) => ({
    epoch: at + 1,
    loss: round(0.4 + 2 * Math.exp(-0.4 * at) + 0.02 * random()),
    val_loss: round(0.48 + 1.9 * Math.exp(-0.36 * at) + 0.05 * random()),
    accuracy: round(0.94 - 0.6 * Math.exp(-0.4 * at) + 0.01 * random()),
  }));
}

const BAR = '█'.repeat(31) + '▍' + ' '.repeat(18);

function createTrainingLog(fromMs: number, untilMs: number): readonly DemoLine[] {
  const lines: DemoLine[] = [
    { ms: fromMs, text: '\u001b[1mLoading\u001b[0m 128 shards from /data/corpus-v3' },
    {
      ms: fromMs + 900,
      text: '\u001b[33mwarning: flash attention is off, using the slow path\u001b[0m',
      stream: 'stderr',
    },
    { ms: fromMs + 4000, text: 'model: 1.3 B parameters, 24 layers, bf16' },
  ];
  const stepMs = (untilMs - fromMs - 5000) / 40;
  for (let at = 1; at < 40; at += 1) {
    const ms = fromMs + 5000 + at * stepMs;
    lines.push({ ms, text: `[rank 0] step ${600 * at} | tokens ${(0.31 * at).toFixed(2)} B | 412 ms a step` });
    if (at % 8 === 0)
      lines.push({
        ms: ms + 100,
        text: `\u001b[32m✓\u001b[0m checkpoint \u001b[36mckpt-${600 * at}.pt\u001b[0m written in 8.4 s`,
      });
    if (at % 13 === 0)
      lines.push({ ms: ms + 200, text: 'WARNING loader: worker 3 was late by 1.2 s', stream: 'stderr' });
  }
  lines.push({ ms: untilMs - 500, text: `training:  62%|${BAR}| 24000/38700 [1:36:12<59:02, 4.15it/s]` });
  return lines;
}

const TRACEBACK = [
  'Traceback (most recent call last):',
  '  File "/home/bob/diffusion/train.py", line 214, in <module>',
  '    main(parse_arguments())',
  '  File "/home/bob/diffusion/train.py", line 187, in main',
  '    loss = step(model, batch, scaler)',
  '  File "/home/bob/diffusion/train.py", line 121, in step',
  '    scaler.scale(loss).backward()',
  '\u001b[01;31mRuntimeError: CUDA error: an illegal memory access was encountered\u001b[0m',
];

const LLM_COMMAND =
  'torchrun --nnodes 4 --nproc-per-node 8 train.py --config configs/llm-1b3.yaml --data /data/corpus-v3 ' +
  '--sequence-length 4096 --global-batch-size 1024 --learning-rate 3e-4 --warmup-steps 2000 --checkpoint-every 4800 ' +
  '--output /scratch/ann/llm-1b3/run-812';

function createRunning(): DemoJob[] {
  const llm: JobSource = { job: '48213', user: 'ann' };
  const started = minutesAgo(96);
  return [
    {
      source: llm,
      description: {
        ...{ name: 'llm-1b3', state: 'RUNNING', nodes: 4, queue: 'gpu', host: 'gpu[012-015]' },
        ...{ progress: 0.62, remainingS: 3542 },
        ...{
          command: LLM_COMMAND,
          workdir: '/home/ann/llm',
          startedMs: started,
          submittedMs: started - 11 * MINUTE_MS,
        },
        tags: { model: 'llm-1b3', purpose: 'ablation', seed: '812' },
        config: JSON.stringify({
          model: { layers: 24, width: 2048 },
          optimizer: { name: 'adamw', lr: 0.0003, betas: [0.9, 0.95] },
        }),
      },
      tables: [
        { rows: createTraining(300, 1), fromMs: started + 6000, stepMs: 19_000 },
        { rows: createEpochs(9, 2), fromMs: started + 600_000, stepMs: 600_000 },
      ],
      lines: createTrainingLog(started, DEMO_NOW_MS - 2000),
    },
    {
      source: { job: 'cfd/wing-7', user: 'dora' },
      description: {
        ...{ name: 'wing at 12 degrees', state: 'RUNNING', nodes: 16, queue: 'batch' },
        ...{ progress: 0.18, remainingS: 11_200 },
        ...{ command: 'mpirun solver wing.cfg', startedMs: minutesAgo(41), tags: { mesh: 'fine' } },
      },
      tables: [
        {
          rows: Array.from({ length: 120 }, (_, at) => ({ iteration: at, residual: round(10 ** (-at / 40)) })),
          fromMs: minutesAgo(40),
          stepMs: 20_000,
        },
      ],
      lines: [{ ms: minutesAgo(40), text: 'mesh: 48 M cells on 16 nodes' }],
    },
    {
      source: { job: '48220', user: 'eve' },
      description: {
        name: 'preprocess',
        state: 'RUNNING',
        nodes: 1,
        startedMs: minutesAgo(1),
        command: './preprocess.sh',
      },
      lines: [
        { ms: minutesAgo(0.9), text: 'reading 2,400 files' },
        { ms: minutesAgo(0.2), text: 'files:  11%|█████▌     | 264/2400 [00:41<05:32, 6.4it/s]' },
      ],
    },
    {
      source: { job: '48221', user: 'ann' },
      description: {
        name: 'llm-1b3-eval',
        state: 'PENDING',
        reason: 'Dependency',
        nodes: 1,
        submittedMs: minutesAgo(10),
      },
    },
  ];
}

function createFailed(): DemoJob[] {
  const started = minutesAgo(200);
  return [
    {
      source: { job: '48190', user: 'bob' },
      description: {
        ...{ name: 'diffusion', state: 'FAILED', exitCode: 1, nodes: 1, queue: 'gpu', host: 'gpu007' },
        reason: 'exit code 1: RuntimeError: CUDA error: an illegal memory access was encountered (train.py:121)',
        ...{ command: 'python train.py --resolution 256', startedMs: started, endedMs: started + 22 * MINUTE_MS },
        tags: { model: 'unet' },
      },
      tables: [{ rows: createTraining(110, 5), fromMs: started + 5000, stepMs: 11_000 }],
      lines: [
        { ms: started, text: 'starting on gpu007' },
        ...Array.from({ length: 20 }, (_, at) => ({
          ms: started + (at + 1) * MINUTE_MS,
          text: `step ${275 * (at + 1)} ok`,
        })),
        ...TRACEBACK.map((text, at) => ({ ms: started + 22 * MINUTE_MS - 900 + at, text, stream: 'stderr' as const })),
      ],
    },
    {
      source: { job: 'gromacs-9', user: 'carl' },
      description: {
        ...{ name: 'membrane', state: 'OUT_OF_MEMORY', exitCode: 137, nodes: 2, queue: 'batch' },
        reason: 'killed for memory (64 of 64 GB)',
        ...{ command: 'gmx mdrun', startedMs: minutesAgo(340), endedMs: minutesAgo(301) },
      },
      lines: [
        {
          ms: minutesAgo(302),
          text: 'slurmstepd: error: Detected 1 oom_kill event in StepId=gromacs-9.0',
          stream: 'stderr',
        },
      ],
    },
  ];
}

const NAMES = ['resnet50', 'bert-large', 'whisper-ft', 'unet-small', 'gnn-qm9', 'dqn-atari'];
const USERS = ['ann', 'bob', 'carl', 'dora', 'eve'];

function createEnded(): DemoJob[] {
  return Array.from({ length: 16 }, (_, at): DemoJob => {
    const started = minutesAgo(260 + 95 * at);
    const rows = createEpochs(12 + at, 20 + at);
    const lastsMs = (30 + 7 * at) * MINUTE_MS;
    const state = at % 7 === 5 ? 'CANCELLED' : 'COMPLETED';
    return {
      source: { job: String(48_180 - 3 * at), user: USERS[at % USERS.length] ?? 'ann' },
      description: {
        ...{ name: NAMES[at % NAMES.length] ?? '', state, nodes: 1 + (at % 4), queue: 'gpu', exitCode: 0 },
        ...{
          startedMs: started,
          endedMs: started + lastsMs,
          command: `python train.py --seed ${at}`,
        },
        tags: { seed: String(at) },
      },
      tables: [{ rows, fromMs: started + MINUTE_MS, stepMs: Math.floor((lastsMs - 2 * MINUTE_MS) / rows.length) }],
      lines: [
        { ms: started, text: 'training starts' },
        { ms: started + lastsMs - 1000, text: state === 'CANCELLED' ? 'cancelled' : '\u001b[32mdone\u001b[0m' },
      ],
    };
  });
}

/** Jobs of which little is stored. */
function createQuiet(): DemoJob[] {
  return [
    // Its owner allows no more than the state.
    { source: { job: '48188', user: 'carl' }, description: { state: 'RUNNING', startedMs: minutesAgo(75) } },
    {
      source: { job: 'build-log', user: 'eve' },
      lines: [{ ms: minutesAgo(30), text: 'only piped, without a description' }],
    },
  ];
}

function listPoints({ source, description, tables = [], lines = [] }: DemoJob): Point[] {
  const describedMs = description?.endedMs ?? description?.startedMs ?? description?.submittedMs ?? DEMO_NOW_MS;
  const alive = description?.endedMs === undefined ? DEMO_NOW_MS - 30_000 : describedMs;
  return [
    ...(description === undefined ? [] : [createJobPoint(source, description, toNs(Math.max(describedMs, alive)))]),
    ...tables.flatMap((table) => listTablePoints(source, table)),
    ...lines.flatMap(({ ms, text, stream = 'stdout' }) => {
      // eslint-disable-next-line no-control-regex -- SGR sequences begin with this character
      const line = text.replace(/\u001b\[[\d;]*m/g, '');
      const ansi = line === text ? {} : { ansi: text };
      return createLogPoints(source, { stream, line, ...ansi, kind: 'output', timeNs: toNs(ms) });
    }),
  ];
}

function listTablePoints(source: JobSource, { rows, fromMs, stepMs }: DemoTable): Point[] {
  const keys = Object.keys(rows[0] ?? {});
  const series = createSeriesName(keys);
  const stats = createTableStats();
  const points = rows.flatMap((row, at) => {
    const cells = new Map(Object.entries(row));
    foldRow(stats, cells);
    return createMetadataPoints(source, series, cells, toNs(fromMs + at * stepMs));
  });
  const x = inferXAxis(stats)?.key;
  return [...points, createSeriesPoint(source, { series, keys, stats, x, rows: rows.length, timeNs: toNs(fromMs) })];
}

/** Jobs in all states, as line protocol. */
export function createDemoData(): string {
  const jobs = [...createRunning(), ...createFailed(), ...createEnded(), ...createQuiet()];
  return jobs
    .flatMap(listPoints)
    .map((point) => formatPoint(point))
    .join('\n');
}
