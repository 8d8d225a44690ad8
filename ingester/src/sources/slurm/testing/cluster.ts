import { copyFileSync, cpSync, existsSync, linkSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { execPath } from 'node:process';
import type { Point } from '@joblens/core/point/point';
import { querySeries } from '../../../../../test/influxdb.js';
import { type Slurm, startSlurm } from '../../../../../test/slurm.js';
import type { SlurmOptions } from '../../../../../test/slurm-config.js';
import { bundleJoblens, until } from '../../../testing/joblens.js';
import { readLog, storePoints } from '../../../testing/stored-points.js';

/** A real Slurm with `joblens` on the PATH of its jobs. */
export interface Cluster extends Slurm {
  /** The environment of a user who may submit jobs. */
  readonly userEnvironment: { readonly PATH: string };
  /** Waits for a job's end; resolves to its state. */
  untilEnded(job: string): Promise<string>;
  untilState(job: string, state: string): Promise<void>;
  /** Lets a requeued job, which Slurm would hold back for two minutes, start again. */
  startAgain(job: string): Promise<void>;
  /** A file in the jobs' folder; '' when there is none. */
  read(name: string): string;
}

const END = /^(COMPLETED|CANCELLED|FAILED|TIMEOUT|NODE_FAIL|OUT_OF_MEMORY)$/;

export async function startCluster(options: SlurmOptions = {}): Promise<Cluster> {
  const slurm = await startSlurm(options);
  const bin = join(slurm.folder, 'bin');
  mkdirSync(bin, { mode: 0o755 });
  // Where every user may read them: this Node may lie in a home that is closed to others.
  linkOrCopy(execPath, join(bin, 'node'));
  const command = dirname(dirname(bundleJoblens()));
  const isNode = (path: string): boolean => path === join(command, 'bin', 'node');
  cpSync(command, slurm.folder, { recursive: true, filter: (path) => !isNode(path) });
  const userEnvironment = { PATH: `${bin}:${slurm.environment.PATH}` };
  const untilState: Cluster['untilState'] = (job, state) => until(async () => (await stateOf(job)) === state);
  const stateOf = async (job: string): Promise<string> => (await slurm.states()).get(job) ?? '';
  return {
    ...slurm,
    userEnvironment,
    submit: (script, args, runOptions = {}) =>
      slurm.submit(script, args, {
        ...runOptions,
        environment: { ...userEnvironment, ...runOptions.environment },
      }),
    async untilEnded(job) {
      await until(async () => END.test(await stateOf(job)));
      return stateOf(job);
    },
    untilState,
    async startAgain(job) {
      // Its processes are gone then.
      await untilState(job, 'PENDING');
      // slurmd refuses what starts within the second of the requeue; Slurm 22.05 then says FAILED, exit code 1.
      await slurm.run('scontrol', ['update', `JobId=${job}`, 'StartTime=now+1']);
    },
    read(name) {
      const path = join(slurm.folder, name);
      return existsSync(path) ? readFileSync(path, 'utf8') : '';
    },
  };
}

/** The same file where the file system can, and where this user may. */
function linkOrCopy(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch {
    copyFileSync(from, to);
  }
}

/** The points that a store holds after the line protocol written so far. */
export function readPoints(text: string): Point[] {
  const whole = text.slice(0, text.lastIndexOf('\n') + 1);
  return storePoints(whole.split('\n').filter((line) => line !== ''));
}

/** One job's log in order. */
export function logOf(points: readonly Point[], job: string): string[] {
  return readLog(points.filter(({ tags }) => tags.get('job') === job));
}

/** One job's changes of state, `from>to`, in order. */
export function statesOf(points: readonly Point[], job: string): string[] {
  return points
    .filter(({ measurement, tags }) => measurement === 'job_event' && tags.get('job') === job)
    .filter(({ tags }) => tags.get('topic') === 'state')
    .map(({ tags }) => `${tags.get('from_state') ?? ''}>${tags.get('to_state') ?? ''}`);
}

/** The same, with how long it waited or ran, from `job_transition`. */
export function transitionsOf(points: readonly Point[], job: string): string[] {
  return points
    .filter(({ measurement, fields }) => measurement === 'job_transition' && fields.get('job') === job)
    .sort((a, b) => (a.timeNs < b.timeNs ? -1 : 1))
    .map(({ tags, fields }) => {
      const seconds = fields.get('wait_s') ?? fields.get('runtime_s') ?? '';
      return `${tags.get('source')} ${tags.get('from_state') ?? ''}>${tags.get('to_state')} ${seconds}`.trim();
    });
}

/** The lines of one job's log in InfluxDB, in order. */
export async function queryLines(url: string, job: string): Promise<string[]> {
  const [series] = await querySeries(url, `SELECT "line" FROM "job_log" WHERE "job" = '${job}'`);
  return series?.values.map(([, line]) => String(line)) ?? [];
}

/** InfluxDB's newest value of each field of one job. */
export async function queryJob(url: string, job: string): Promise<Record<string, unknown>> {
  const [series] = await querySeries(url, `SELECT last(*) FROM "job" WHERE "job" = '${job}'`);
  return Object.fromEntries(
    series?.columns.map((column, i) => [column.replace(/^last_/, ''), series.values[0]?.[i]]) ?? []
  );
}

/** One job's changes of state in InfluxDB, `from>to`, in order. */
export async function queryStates(url: string, job: string): Promise<string[]> {
  const statement = `SELECT "from_state", "to_state", "data" FROM "job_event" WHERE "job" = '${job}' AND "topic" = 'state'`;
  const [series] = await querySeries(url, statement);
  return series?.values.map(([, from, to]) => `${String(from ?? '')}>${String(to)}`) ?? [];
}
