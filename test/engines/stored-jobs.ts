import { formatPoint } from '@joblens/core/point/line-protocol';
import { createEventPoint } from '@joblens/core/schema/job-point';
import { createLogPoints } from '@joblens/core/schema/log-point';
import { createMetadataPoints } from '@joblens/core/schema/metadata-point';
import { createSeriesName } from '@joblens/core/schema/series-name';
import { createTransitionPoint } from '@joblens/core/schema/transition-point';
import type { Point } from '@joblens/core/point/point';
import type { JobSource } from '@joblens/core/schema/measurements';
import { EVENT_POINTS, atNs } from '../events/stored-events.js';
import { joblens } from '../joblens-command.js';
import { createPoints, createStoredSpans } from '../stored-spans.js';

/** A database for each state in which a store may be. */
export const DATABASE = {
  /** Jobs that Joblens logged, and others. */
  full: 'joblens',
  /** Nobody has written anything. */
  fresh: 'fresh',
  /** Other programs wrote rows and events, and nobody anything else: no point has a tag that they do not know. */
  others: 'others',
} as const;

export type DatabaseName = (typeof DATABASE)[keyof typeof DATABASE];

/** When the job `bare` began. */
const BARE_FROM_NS = 1_710_000_000_000_000_000n;
const BARE_ROWS = 17_000;
const BARE: JobSource = { job: 'bare', user: 'bob' };
const ROW_NS = 2_000_000n;

/** Prints a table that is read in buckets, another one with texts, an event and a tag; and fails with a reason. */
const PROGRAM = `
  const print = (row) => console.log(JSON.stringify(row));
  console.log('/LOGCOMMAND {"tags": {"experiment": "real"}}');
  console.log('/LOGCOMMAND {"event": {"topic": "runtimes", "data": {"step": 7, "seconds": 2.5}}}');
  for (let step = 0; step < 20000; step++) {
    print({ epoch: Math.floor(step / 1000), loss: step % 700 === 9 ? 'NaN' : 1 / (step + 1), lr: step % 7 });
    if (step % 1000 === 999) {
      print({ val_loss: step / 7, note: 'after ' + step });
      console.log('step ' + step);
    }
  }
  console.error('RuntimeError: CUDA out of memory');
  process.exitCode = 3;
`;

interface StoredJobs {
  /** Writes more rows of the job `bare`. */
  writeLaterRows(): Promise<void>;
}

/** Fills the databases of an InfluxDB; `url` is where the command writes to: the InfluxDB, or what stands before it. */
export async function writeStoredJobs(influxdbUrl: string, url: string): Promise<StoredJobs> {
  for (const name of Object.values(DATABASE)) {
    await fetch(`${influxdbUrl}/query`, {
      method: 'POST',
      body: new URLSearchParams({ q: `CREATE DATABASE ${name}` }),
    });
  }
  const options = '--mode enabled --job train --user ann --tag team=a --name resnet --drain-timeout 120'.split(' ');
  const { code, stderr } = await joblens(['run', ...options, '--', process.execPath, '-e', PROGRAM], url);
  if (code !== 3) throw new Error(`joblens run ended with ${String(code)}: ${stderr}`);
  await write(influxdbUrl, DATABASE.full, [...EVENT_POINTS, ...createTasks(), ...createBareRows()]);
  await write(influxdbUrl, DATABASE.full, createPoints(createStoredSpans()));
  await write(influxdbUrl, DATABASE.others, [...createEventsAlone(), ...createRows({ job: 'rows', user: 'bob' }, 5)]);
  const later = createRows(BARE, 5, BARE_FROM_NS + BigInt(BARE_ROWS) * ROW_NS);
  return { writeLaterRows: () => write(influxdbUrl, DATABASE.full, later) };
}

async function write(url: string, database: DatabaseName, points: readonly Point[]): Promise<void> {
  const body = points.map(formatPoint).join('\n');
  const answer = await fetch(`${url}/write?db=${database}&precision=ns`, { method: 'POST', body });
  if (answer.status !== 204) throw new Error(`Cannot write: ${String(answer.status)} ${await answer.text()}`);
}

/** A job of two tasks, each with lines and rows, and rows without a task beside them. It waited for its nodes. */
function createTasks(): Point[] {
  const source = { job: 'mpi', user: 'ann' };
  const ranks = ['0', '1'].map((task) => ({ ...source, task }));
  const lines = ranks.flatMap((rank) =>
    createLogPoints(rank, { stream: 'stdout', kind: 'output', line: `rank ${rank.task}`, timeNs: atNs(1) })
  );
  const origin = 'slurm';
  return [
    ...lines,
    ...[...ranks, source].flatMap((one) => createRows(one, 3)),
    createTransitionPoint(source, { origin, fromState: 'PENDING', toState: 'RUNNING', waitS: 20, nodes: 2 }, atNs(1)),
    createTransitionPoint(source, { origin, fromState: 'RUNNING', toState: 'COMPLETED', runtimeS: 9 }, atNs(10)),
  ];
}

function createRows(source: JobSource, count: number, fromNs = atNs(5), keys = ['loss', 'step']): Point[] {
  const series = createSeriesName(keys);
  return Array.from({ length: count }, (_, at) =>
    createMetadataPoints(source, series, new Map(keys.map((key) => [key, at])), fromNs + BigInt(at) * ROW_NS)
  ).flat();
}

/** Rows of other programs, of which nothing tells how many there are. */
function createBareRows(): Point[] {
  return [...createRows(BARE, BARE_ROWS, BARE_FROM_NS), ...createRows(BARE, 3, BARE_FROM_NS + 1n, ['other'])];
}

/** The changes of state of a program that knows job_event alone. */
function createEventsAlone(): Point[] {
  const source = { job: 'events', user: 'bob' };
  const data = { nodes: 2, reason: 'disk full' };
  return [
    createEventPoint(source, { topic: 'state', toState: 'RUNNING', data }, atNs(0)),
    createEventPoint(source, { topic: 'state', fromState: 'RUNNING', toState: 'FAILED', data }, atNs(60)),
    createEventPoint(source, { topic: 'runtimes', data: { step: 1 } }, atNs(30)),
  ];
}
