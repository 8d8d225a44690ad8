// A store with very many jobs: their points as line protocol, and what a list of jobs and a job's page ask for.
import { performance } from 'node:perf_hooks';
import { URLSearchParams } from 'node:url';
import { printStatement } from '../../../core/dist/influxql/print.js';
import { formatPoint } from '../../../core/dist/point/line-protocol.js';
import { describeJobsQuery, findDescribedSinceNs } from '../../../core/dist/ask/jobs/describe-jobs.js';
import { findJobsQuery, readFoundJobs } from '../../../core/dist/ask/heartbeats/find-jobs.js';
import { findOtherJobsQuery, heartbeatEraQuery, isHeartbeatEra } from '../../../core/dist/ask/jobs/find-other-jobs.js';
import { jobsQuery, jobValuesQuery, readJobs } from '../../../core/dist/ask/jobs/jobs.js';
import { logQuery } from '../../../core/dist/ask/log/log.js';
import { recentNamesQuery } from '../../../core/dist/ask/jobs/names.js';
import { rowsQueries } from '../../../core/dist/ask/tables/rows.js';
import { readTables, tablesQuery } from '../../../core/dist/ask/tables/tables.js';
import { createHeartbeatPoint, findSlotStartMs, HEARTBEAT_GRIDS } from '../../../core/dist/schema/heartbeat-point.js';
import { createJobPoint } from '../../../core/dist/schema/job-point.js';
import { createLogPoints } from '../../../core/dist/schema/log-point.js';
import { createMetadataPoints, createSeriesPoint } from '../../../core/dist/schema/metadata-point.js';
import { createTableStats, foldRow } from '../../../core/dist/table/table-stats.js';
import { send } from '../../influxdb.mjs';

const END_MS = Date.UTC(2026, 10, 22, 16);
const HOUR_MS = 3_600_000;
const WEEK_MS = 7 * 24 * HOUR_MS;
const YEAR_MS = 365 * 24 * HOUR_MS;
const RUN_MS = 20 * 60_000;
/** Between two starts in a year of 1,000,000 jobs. The newest jobs of every store have it, the older fill the year. */
const GAP_MS = YEAR_MS / 1_000_000;
const DENSE_JOBS = 400;
const JOBS_A_REQUEST = 2000;
const WRITE_TRIES = 5;
const USERS = 200;
const SERIES = 'loss,step';
const LISTED_JOBS = 200;
const LOG_LINES = 5000;

const FIRST_NUMBER = 9_000_000;
export const LAST_HOUR = { fromMs: END_MS - HOUR_MS, toMs: END_MS };
export const LAST_YEAR = { fromMs: END_MS - YEAR_MS, toMs: END_MS };
/** The id of the job that is `age` jobs older than the newest. */
export const nameJob = (age) => String(FIRST_NUMBER - age);
/** With the time range that a link to its page has. */
export const NEWEST_JOB = { job: nameJob(0), fromMs: END_MS - RUN_MS, toMs: END_MS + 2000 };

/**
 * A database that speaks InfluxDB's HTTP API.
 * @typedef {{ url: string, database: string, headers?: Record<string, string> }} Store
 */

/**
 * Writes jobs of 20 minutes over a year, the oldest first. Each has 4 series: its description, two log lines and a table
 * of two rows; and its heartbeats.
 */
export async function writeJobs({ url, database, headers }, count) {
  const path = `/write?db=${database}&precision=ns`;
  let sent;
  for (let first = count - 1; first >= 0; first -= JOBS_A_REQUEST) {
    let body = '';
    for (let age = first; age >= 0 && age > first - JOBS_A_REQUEST; age--) {
      for (const point of createPoints(age, count)) body += `${formatPoint(point)}\n`;
    }
    // The next request is made while the store takes this one.
    await sent;
    sent = sendPatiently(url, path, { method: 'POST', body, headers });
  }
  await sent;
}

/** On a busy machine, InfluxDB may give up a write with "timeout"; the same points may come again. */
async function sendPatiently(...request) {
  for (let tries = WRITE_TRIES; tries > 1; tries--) {
    try {
      return await send(...request);
    } catch (error) {
      if (!/timeout/.test(error.message)) throw error;
    }
  }
  return send(...request);
}

/** The points of the job that is `age` jobs older than the newest. */
function* createPoints(age, count) {
  const source = { job: nameJob(age), user: `user${age % USERS}` };
  const startedMs = Math.floor(findStartMs(age, count));
  const endedMs = startedMs + RUN_MS;
  const command = `python train.py --seed ${age}`;
  yield createJobPoint(
    source,
    { name: `train-${age % 50}`, state: 'RUNNING', command, nodes: 1, submittedMs: startedMs, startedMs },
    toNs(startedMs)
  );
  yield createJobPoint(source, { state: 'COMPLETED', exitCode: 0, endedMs }, toNs(endedMs));
  const stats = createTableStats();
  for (const [step, timeMs] of [startedMs + 1000, endedMs - 1000].entries()) {
    const row = new Map(Object.entries({ step, loss: 1 / (1 + step) }));
    foldRow(stats, row);
    yield* createLogPoints(source, { stream: 'stdout', line: `step ${step}`, kind: 'output', timeNs: toNs(timeMs) });
    yield* createMetadataPoints(source, SERIES, row, toNs(timeMs));
  }
  const table = { series: SERIES, keys: ['step', 'loss'], stats, x: 'step', rows: 2, timeNs: toNs(startedMs + 1000) };
  yield createSeriesPoint(source, table);
  for (const grid of HEARTBEAT_GRIDS) {
    for (let slot = findSlotStartMs(startedMs, grid); slot <= endedMs; slot += grid.slotMs) {
      yield createHeartbeatPoint(source, grid, slot, { state: 'COMPLETED', startedMs });
    }
  }
}

function findStartMs(age, count) {
  if (age < DENSE_JOBS) return END_MS - RUN_MS - age * GAP_MS;
  const denseMs = findStartMs(DENSE_JOBS - 1, count);
  const oldestMs = END_MS - YEAR_MS;
  return denseMs - ((age - DENSE_JOBS + 1) * (denseMs - oldestMs)) / Math.max(1, count - DENSE_JOBS);
}

const toNs = (ms) => BigInt(ms) * 1_000_000n;

/**
 * Asks what the pages ask, in the same order, but without a browser.
 * @param {Store} store
 * @returns {Promise<{ jobs: number, listMs: number, restMs: number, othersMs: number, pickerMs: number,
 *   searchMs: number, pageMs: number }>} the jobs of an hour's list; until they are described; from then until it is
 *   complete (what is older of the descriptions, values, and whether jobs without heartbeats are to be looked for); the search for such jobs, which only
 *   stores of older or other writers need; the picker of a job's page, and a search in it; the page of the first one
 */
export async function measureAnswers(store) {
  const hour = { fromNs: toNs(END_MS - HOUR_MS), toNs: toNs(END_MS) };
  const week = { fromNs: toNs(END_MS - WEEK_MS), toNs: toNs(END_MS) };
  const list = await measure(async () => {
    const [results] = await Promise.all([
      ask(store, [findJobsQuery(hour)]),
      ask(store, [recentNamesQuery({ kind: 'users', ...hour })]),
    ]);
    const found = readFoundJobs(results).slice(0, LISTED_JOBS);
    const sinceNs = findDescribedSinceNs(found);
    const described = await ask(store, [describeJobsQuery(found, { fromNs: sinceNs })]);
    return { found, sinceNs, jobs: readJobs(described, hour, found) };
  });
  const { found, sinceNs, jobs } = list.result;
  const rest = await measure(async () => {
    await ask(store, [describeJobsQuery(found, { beforeNs: sinceNs })]);
    const [era] = await ask(store, [heartbeatEraQuery(hour)]);
    if (!isHeartbeatEra(era)) throw new Error('no heartbeats in the week before the last');
    await ask(store, [jobValuesQuery(jobs)]);
  });
  const others = await measure(() => ask(store, findOtherJobsQuery(hour)));
  const othersFound = readFoundJobs(others.result).length;
  if (othersFound < jobs.length / 2) throw new Error(`only ${othersFound} jobs have points in the hour`);
  const search = await measure(() => ask(store, [recentNamesQuery({ kind: 'jobs', ...week }, '8999777')]));
  const picker = await measure(() => ask(store, [recentNamesQuery({ kind: 'jobs', ...week })]));
  const page = await measure(() => askPage(store, { ...hour, job: jobs[0].job }));
  return {
    ...{ jobs: jobs.length, listMs: list.ms, restMs: rest.ms, othersMs: others.ms },
    ...{ pickerMs: picker.ms, searchMs: search.ms, pageMs: page.ms },
  };
}

/** The header, the table and the log of a job's page. */
async function askPage(store, request) {
  const { job } = request;
  const readRows = async () => {
    const [table] = readTables((await ask(store, [tablesQuery({ job })]))[0]);
    const { fromNs, toNs } = request;
    return ask(store, [...rowsQueries({ table, fromNs, toNs, order: 'desc', limit: LOG_LINES })]);
  };
  const [header, [rows], [lines]] = await Promise.all([
    ask(store, jobsQuery({ ...request, values: false, config: true })),
    readRows(),
    ask(store, [logQuery({ ...request, order: 'desc', limit: LOG_LINES })]),
  ]);
  const found = [readJobs(header, request), rows.series?.[0].values, lines.series?.[0].values].map(
    (one) => one?.length
  );
  if (found.join() !== '1,2,2')
    throw new Error(`job ${job} has ${found.join()} descriptions, rows and lines, not 1,2,2`);
}

async function measure(work) {
  const startMs = performance.now();
  const result = await work();
  return { result, ms: performance.now() - startMs };
}

async function ask({ url, database, headers }, statements) {
  const body = new URLSearchParams({ q: statements.map(printStatement).join('; '), db: database }).toString();
  const type = { 'Content-Type': 'application/x-www-form-urlencoded' };
  const answer = await send(url, '/query', { method: 'POST', body, headers: { ...headers, ...type } });
  const { results } = JSON.parse(answer.body);
  const failed = results.find(({ error }) => error !== undefined);
  if (failed !== undefined) throw new Error(`a statement failed: ${failed.error}`);
  return results;
}
