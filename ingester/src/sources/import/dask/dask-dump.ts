import { isObject } from '@joblens/core/json/is-object';
import { NS_PER_MS_FLOAT, SECOND_MS } from '@joblens/core/numbers/time-units';
import type { JsonValue } from '@joblens/core/schema/job-point';
import type { ImportRequest, ReadSource } from '../job/importer.js';
import { readTime } from '../job/read-time.js';
import { readDump, type Unknown } from './dump.js';
import { WorkerLog } from './worker-log.js';

const TRANSITIONS_TOPIC = 'transitions';
/** How many events are made before there may have to be a wait for room. */
const EVENTS_AT_ONCE = 1000;
/** What is told of the scheduler in the configuration. */
const FACTS = ['id', 'address', 'n_workers', 'total_threads', 'total_memory'] as const;

/** Reads a dump of a Dask cluster: transitions and events of its scheduler, and spans of tasks of its workers. */
export const readDaskDump: ReadSource = async (request) => {
  const dump = await readDump(request);
  const scheduler = dump['scheduler'] as Unknown;
  const { job } = request;
  await addTransitions(request, listOf(scheduler['transition_log']));
  await addEvents(request, scheduler['events']);
  await addWorkers(request, dump['workers'], scheduler['tasks']);
  const started = scheduler['started'];
  if (typeof started === 'number') job.describeUnlessTold({ startedMs: Math.floor(started * SECOND_MS) });
  job.describeUnlessTold({ config: JSON.stringify(describeCluster(scheduler, dump['versions'])) });
};

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as readonly unknown[]) : [];
}

/** Rows are (key, start, finish, recommendations, [stimulus], time). */
async function addTransitions(request: ImportRequest, rows: readonly unknown[]): Promise<void> {
  for (const [i, row] of rows.entries()) {
    const time: unknown = listOf(row).at(-1);
    const timeNs = typeof time === 'number' ? readTime(time, request.offsetNs) : undefined;
    if (timeNs === undefined) request.leftOut.add('transitions without a time', `row ${i + 1}`);
    else request.job.addEvent({ topic: TRANSITIONS_TOPIC, data: row as JsonValue }, timeNs);
    if (i % EVENTS_AT_ONCE === 0) await request.advance(1, 1);
    if (request.signal.aborted) return;
  }
}

/** By topic, (time, message). Newer versions dump the name of an object in place of the events. */
async function addEvents(request: ImportRequest, topics: unknown): Promise<void> {
  for (const [topic, events] of Object.entries(isObject(topics) ? topics : {})) {
    if (!Array.isArray(events)) request.leftOut.add('topics whose events this version of Dask does not dump', topic);
    for (const event of listOf(events)) {
      const [time, message] = listOf(event);
      const timeNs = typeof time === 'number' ? readTime(time, request.offsetNs) : undefined;
      if (timeNs === undefined) request.leftOut.add('events without a time', `topic ${topic}`);
      else request.job.addEvent({ topic, data: (message ?? null) as JsonValue }, timeNs);
    }
    await request.advance(1, 1);
    if (request.signal.aborted) return;
  }
}

async function addWorkers(request: ImportRequest, workers: unknown, tasks: unknown): Promise<void> {
  const { job, offsetNs, leftOut } = request;
  const endNs = BigInt(Math.round((job.range?.toMs ?? 0) * NS_PER_MS_FLOAT));
  const groupOf = (key: string): string => findGroup(isObject(tasks) ? tasks[key] : undefined) ?? splitKey(key);
  for (const [worker, state] of Object.entries(isObject(workers) ? workers : {})) {
    const rows = isObject(state) ? state['log'] : undefined;
    if (!Array.isArray(rows)) leftOut.add('workers without a log', worker);
    const log = new WorkerLog({ job, worker, groupOf, offsetNs });
    for (const row of listOf(rows)) log.add(row);
    log.end(endNs);
    await request.advance(1, 1);
    if (request.signal.aborted) return;
  }
}

function findGroup(task: unknown): string | undefined {
  const group = isObject(task) ? task['group_key'] : undefined;
  return typeof group === 'string' ? group : undefined;
}

/** The part of a key that tasks of one kind share: `inc` of `inc-9f6b7f0a1b2c3d4e`. */
function splitKey(key: string): string {
  return key.replace(/-[\da-f]{8,}$/, '');
}

function describeCluster(scheduler: Unknown, versions: unknown): Unknown {
  const facts = FACTS.filter((fact) => scheduler[fact] !== undefined).map((fact) => [fact, scheduler[fact]]);
  const ofScheduler = isObject(versions) ? versions['scheduler'] : undefined;
  const packages = isObject(ofScheduler) ? ofScheduler['packages'] : undefined;
  return { ...(Object.fromEntries(facts) as Unknown), ...(isObject(packages) && { packages }) };
}
