import { inferXAxis } from '@joblens/core/axis/x-axis';
import { formatManifest, type Manifest } from '@joblens/core/experiment/manifest';
import { DAY_MS, HOUR_MS, NS_PER_MS } from '@joblens/core/numbers/time-units';
import { formatPoint } from '@joblens/core/point/line-protocol';
import type { Point } from '@joblens/core/point/point';
import { createHeartbeatPoint, findSlotStartMs, HEARTBEAT_GRIDS } from '@joblens/core/schema/heartbeat-point';
import { createJobPoint } from '@joblens/core/schema/job-point';
import { createLabelPoint } from '@joblens/core/schema/label-point';
import { createLogPoints } from '@joblens/core/schema/log-point';
import type { JobSource } from '@joblens/core/schema/measurements';
import { createMetadataPoints, createSeriesPoint } from '@joblens/core/schema/metadata-point';
import { createSeriesName } from '@joblens/core/schema/series-name';
import { createTableStats, foldRow } from '@joblens/core/table/table-stats';
import { createRandom } from './demo-cluster.js';

/** One of the configurations that the experiment tries, and how well it does. */
interface Variant {
  readonly group: string;
  readonly optimizer: string;
  readonly learningRate: number;
  /** The loss that it comes down to, and in how many epochs most of the way. */
  readonly floor: number;
  readonly epochs: number;
  readonly commit: string;
}

const [COMMIT, NEXT_COMMIT] = ['5f0c1de9a4b72e6c8d3f10a9b5e47c2d8810fa36', 'c81a77e3d09b4f52a6e8b3c7d1f24096a5e3b8d4'];

/** Two with different numbers, and one with other code. */
const VARIANTS: readonly Variant[] = [
  { group: 'sgd', optimizer: 'sgd', learningRate: 0.1, floor: 0.31, epochs: 11, commit: COMMIT },
  { group: 'adam', optimizer: 'adam', learningRate: 0.003, floor: 0.22, epochs: 7, commit: COMMIT },
  { group: 'adam-warmup', optimizer: 'adam', learningRate: 0.01, floor: 0.19, epochs: 8, commit: NEXT_COMMIT },
];

const SEEDS = [1, 2, 3];
const EPOCHS = 40;
const EPOCH_MS = 6000;
const EXPERIMENT = 'two-moons-sweep';
const NOTICE = '(demo: this job never ran; its points are made up, to fill the dashboard Compare)';

interface Run {
  readonly source: JobSource;
  readonly variant: Variant;
  readonly seed: number;
  readonly startedMs: number;
}

/** An experiment of the last day as line protocol: configurations with several seeds each, to compare. */
export function createDemoExperiment(nowMs: number): string {
  // The same runs at every start of a day.
  const fromMs = Math.floor((nowMs - 4 * HOUR_MS) / DAY_MS) * DAY_MS + HOUR_MS;
  const day = new Date(fromMs).toISOString().slice(5, 10);
  return VARIANTS.flatMap((variant, at) =>
    SEEDS.flatMap((seed, order) => {
      const source = { job: `sweep-${day}-${at * SEEDS.length + order + 1}`, user: 'ann' };
      const startedMs = fromMs + (at * SEEDS.length + order) * 5 * 60_000;
      return listPoints({ source, variant, seed, startedMs });
    })
  )
    .map((point) => formatPoint(point))
    .join('\n');
}

function toNs(timeMs: number): bigint {
  return BigInt(Math.round(timeMs)) * NS_PER_MS;
}

function listPoints(run: Run): Point[] {
  const { source, variant, seed, startedMs } = run;
  const endedMs = startedMs + (EPOCHS + 1) * EPOCH_MS;
  const tags = { experiment: EXPERIMENT, group: variant.group, purpose: 'demo', cluster: 'simulated' };
  const { optimizer, learningRate } = variant;
  const config = { optimizer: { name: optimizer, lr: learningRate }, hidden: [16, 16], epochs: EPOCHS, seed };
  const described = {
    ...{ name: 'sweep', command: 'python train.py config.json', workdir: '/home/ann/two-moons', nodes: 1 },
    ...{ host: seed === 2 ? 'n-07' : 'n-03', state: 'COMPLETED', exitCode: 0, startedMs, endedMs, tags },
    ...{ config: JSON.stringify(config), manifest: formatManifest(createManifest(variant, seed)) },
  };
  return [
    createJobPoint(source, described, toNs(endedMs)),
    ...Object.entries(tags).map(([key, value]) => createLabelPoint(source, { key, value }, startedMs)),
    ...listHeartbeats(source, startedMs, endedMs),
    ...createLogPoints(source, { line: NOTICE, kind: 'notice', stream: 'stdout', timeNs: toNs(startedMs) }),
    ...listTable(run),
  ];
}

function createManifest({ commit, group }: Variant, seed: number): Manifest {
  const isPatched = group === 'adam-warmup';
  return {
    command: { argv: ['python', 'train.py', 'config.json'], interpreter: 'Python 3.12.1' },
    git: { commit, branch: isPatched ? 'warmup' : 'main', dirty: isPatched },
    packages: { count: 41, sha256: 'a3'.repeat(32) },
    seeds: { seed: String(seed) },
    machine: { cpu: 'AMD EPYC 9554', cpus: 64 },
    environment: { OMP_NUM_THREADS: '8' },
    ...(isPatched && { texts: { patch: { sha256: '7d'.repeat(32), lines: 23 } } }),
  };
}

function listHeartbeats(source: JobSource, startedMs: number, endedMs: number): Point[] {
  return HEARTBEAT_GRIDS.flatMap((grid) => {
    const slotMs = findSlotStartMs(startedMs, grid);
    const state = slotMs + grid.slotMs > endedMs ? 'COMPLETED' : 'RUNNING';
    return [createHeartbeatPoint(source, grid, slotMs, { state, startedMs })];
  });
}

/** A loss that falls, and an accuracy that grows. */
function listTable({ source, variant, seed, startedMs }: Run): Point[] {
  const random = createRandom(1000 * seed + Math.round(variant.learningRate * 1e6));
  // The first numbers of neighbouring seeds are alike.
  for (let i = 0; i < 8; i += 1) random();
  const floor = variant.floor * (0.95 + 0.1 * random());
  const stats = createTableStats();
  const keys = ['epoch', 'loss', 'accuracy'];
  const series = createSeriesName(keys);
  const points = Array.from({ length: EPOCHS }, (_, at) => {
    const loss = (floor + (0.7 - floor) * Math.exp(-at / variant.epochs)) * (0.97 + 0.06 * random());
    const row = new Map([
      ['epoch', at + 1],
      ['loss', Number(loss.toPrecision(4))],
      ['accuracy', Number(Math.min(0.99, 1.02 - 0.7 * loss).toPrecision(4))],
    ]);
    foldRow(stats, row);
    return createMetadataPoints(source, series, row, toNs(startedMs + (at + 1) * EPOCH_MS));
  });
  const x = inferXAxis(stats)?.key;
  const summary = { series, keys, stats, x, rows: EPOCHS, timeNs: toNs(startedMs + EPOCH_MS) };
  return [...points.flat(), createSeriesPoint(source, summary)];
}
