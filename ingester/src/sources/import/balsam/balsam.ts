import { isObject } from '@joblens/core/json/is-object';
import { toSpanMs } from '@joblens/core/ask/spans/single-spans';
import type { JobDescription, JsonValue } from '@joblens/core/schema/job-point';
import type { ImportedJob } from '../job/imported-job.js';
import type { ImportRequest, ReadSource } from '../job/importer.js';
import { readTime } from '../job/read-time.js';
import { JobRun, type StateEvent } from './job-run.js';
import { readRecords, type Unknown } from './records.js';

/** How many events are made before there may have to be a wait for room. */
const EVENTS_AT_ONCE = 1000;

interface TimedEvent extends StateEvent {
  readonly job: string;
  readonly id: number;
}

/** Reads the events, jobs and batch jobs of Balsam: each job is a job, and a batch job holds nodes. */
export const readBalsam: ReadSource = async (request) => {
  const { events, batchJobs, jobs } = await readRecords(request, request.environment['BALSAM_TOKEN']);
  const openJob = (id: string): ImportedJob => request.openJob(`${request.job.source.job}/${id}`);
  for (const job of jobs) openJob(readId(job['id'])).describe(describeJob(job));
  const runs = new Map<string, JobRun>();
  for (const [i, event] of sortEvents(request, events).entries()) {
    const run = runs.get(event.job) ?? new JobRun(openJob(event.job));
    runs.set(event.job, run);
    run.add(event);
    if (i % EVENTS_AT_ONCE === 0) await request.advance(1, 1);
    if (request.signal.aborted) return;
  }
  for (const batchJob of batchJobs) {
    const name = `batch-${readId(batchJob['id'])}`;
    addAllocation(openJob(name), batchJob, request);
    await request.advance(1, 1);
    if (request.signal.aborted) return;
  }
};

/** A page may come in any order, and two changes at one time are in the order in which they were logged. */
function sortEvents(request: ImportRequest, events: readonly Unknown[]): readonly TimedEvent[] {
  const timed = events.flatMap((event, i) => {
    const [job, toState] = [readId(event['job_id']), readText(event['to_state'])];
    const timeNs = readTimestamp(event['timestamp'], request);
    if (timeNs === undefined || toState === undefined || job === '') {
      request.leftOut.add('events without a job, a state or a time', `event ${i + 1}`);
      return [];
    }
    const data = (isObject(event['data']) ? event['data'] : {}) as Unknown & JsonValue;
    const nodes = readNumber(data['num_nodes']);
    const id = readNumber(event['id']) ?? i;
    return [{ id, job, timeNs, fromState: readText(event['from_state']), toState, data, nodes }];
  });
  return timed.sort((a, b) => (a.timeNs < b.timeNs ? -1 : a.timeNs > b.timeNs ? 1 : a.id - b.id));
}

/** Balsam knows when a batch job began and ended once it is over; before, its available_nodes leaves it out too. */
function addAllocation(job: ImportedJob, batchJob: Unknown, request: ImportRequest): void {
  const [startNs, endNs] = ['start_time', 'end_time'].map((key) => readTimestamp(batchJob[key], request));
  const nodes = readNumber(batchJob['num_nodes']);
  if (startNs === undefined || endNs === undefined || endNs < startNs) {
    request.leftOut.add('batch jobs without a start and an end', `batch job ${readId(batchJob['id'])}`);
    return;
  }
  const [startedMs, endedMs] = [toSpanMs(startNs), toSpanMs(endNs)];
  const change = { origin: 'allocation', nodes, account: readText(batchJob['project']) } as const;
  job.addChange({ ...change, toState: 'RUNNING', data: {} }, startNs);
  const runtimeS = (endedMs - startedMs) / 1000;
  job.addChange({ ...change, fromState: 'RUNNING', toState: 'COMPLETED', startedMs, runtimeS, data: {} }, endNs);
  job.describe({
    ...{ name: 'batch job', state: 'COMPLETED', startedMs: Math.floor(startedMs), endedMs: Math.ceil(endedMs) },
    ...keepKnown({ nodes, queue: readText(batchJob['queue']), account: readText(batchJob['project']) }),
    ...keepKnown({ schedulerId: readId(batchJob['scheduler_id']) || undefined }),
  });
}

function describeJob(job: Unknown): JobDescription {
  const tags = isObject(job['tags']) ? Object.entries(job['tags']).map(([key, value]) => [key, String(value)]) : [];
  const parameters = job['parameters'];
  return keepKnown({
    ...{ workdir: readText(job['workdir']), nodes: readNumber(job['num_nodes']) },
    exitCode: readNumber(job['return_code']),
    schedulerId: readId(job['batch_job_id']) === '' ? undefined : `batch-${readId(job['batch_job_id'])}`,
    tags: tags.length === 0 ? undefined : (Object.fromEntries(tags) as Readonly<Record<string, string>>),
    config: isObject(parameters) && Object.keys(parameters).length > 0 ? JSON.stringify(parameters) : undefined,
  });
}

function keepKnown(parts: { readonly [K in keyof JobDescription]?: JobDescription[K] | undefined }): JobDescription {
  return Object.fromEntries(Object.entries(parts).filter(([, value]) => value !== undefined));
}

/** Balsam's times are UTC without saying so. */
function readTimestamp(value: unknown, { offsetNs }: ImportRequest): bigint | undefined {
  return typeof value === 'string' ? readTime(value, offsetNs) : undefined;
}

function readId(value: unknown): string {
  return typeof value === 'number' || typeof value === 'string' ? String(value) : '';
}

function readText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function readNumber(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}
