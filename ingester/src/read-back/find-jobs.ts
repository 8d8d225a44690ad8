import {
  chooseGrid,
  findJobsQuery,
  type FindRequest,
  FINEST_GRID,
  formatJobKey,
  type FoundJob,
  isLimitedFind,
  readFoundJobs,
} from '@joblens/core/queries/find-jobs';
import {
  addJobBounds,
  compareJobs,
  jobBoundsQuery,
  type JobRecord,
  jobsQuery,
  type JobsRequest,
  readJobs,
} from '@joblens/core/queries/jobs';
import { ok, type Result } from '@joblens/core/result/result';
import { describeJobsQuery } from '@joblens/core/queries/describe-jobs';
import { findOtherJobsQuery, heartbeatEraQuery, isHeartbeatEra } from '@joblens/core/queries/find-other-jobs';
import { findNamedRowJobs, findRowJobs, rowJobNamesQueries } from '@joblens/core/queries/find-row-jobs';
import { addLastLife, findLostJobs } from '@joblens/core/queries/lost-jobs';
import type { AskStore } from './ask-store.js';
import { readSteps } from './read-steps.js';
import { runReading } from './run-reading.js';

/** Descriptions are asked for by name, so many jobs at once. */
const DESCRIBED_AT_ONCE = 500;

interface ListRequest extends Pick<JobsRequest, 'config'> {
  readonly isWanted: (job: JobRecord) => boolean;
  readonly limit: number;
}

export interface JobList {
  /** Running jobs first, then the newest. */
  readonly jobs: readonly JobRecord[];
  /** Whether the list ends at the limit, though there may be more jobs. */
  readonly isCut: boolean;
}

/** The jobs that lived in a range and match, at most `limit`. Their cost is that of the jobs of the range. */
export async function listJobs(
  ask: AskStore,
  range: FindRequest,
  { isWanted, limit, config = false }: ListRequest
): Promise<Result<JobList, string>> {
  const found = await findJobs(ask, range);
  if (!found.ok) return found;
  const jobs: JobRecord[] = [];
  for (let at = 0; at < found.value.length && jobs.length <= limit; at += DESCRIBED_AT_ONCE) {
    const described = await describeJobs(ask, found.value.slice(at, at + DESCRIBED_AT_ONCE), { ...range, config });
    if (!described.ok) return described;
    jobs.push(...described.value.filter(isWanted));
  }
  return ok({ jobs: jobs.sort(compareJobs).slice(0, limit), isCut: jobs.length > limit });
}

/** The jobs that lived in a range, running ones first, then the newest. */
export async function findJobs(ask: AskStore, range: FindRequest): Promise<Result<readonly FoundJob[], string>> {
  const found = await findByHeartbeats(ask, range);
  if (!found.ok) return found;
  const others = await findOthers(ask, range, found.value.length > 0);
  if (!others.ok) return others;
  const known = new Set(found.value.map(formatJobKey));
  return ok([...found.value, ...others.value.filter((job) => !known.has(formatJobKey(job)))]);
}

/** On the finest grid, the newest jobs are among the newest heartbeats, however many there are. */
async function findByHeartbeats(ask: AskStore, range: FindRequest): Promise<Result<readonly FoundJob[], string>> {
  const grid = chooseGrid(range);
  const coarse = await ask([findJobsQuery(range, grid)]);
  if (!coarse.ok || !isLimitedFind(coarse.value)) return coarse.ok ? ok(readFoundJobs(coarse.value, grid)) : coarse;
  const fine = await ask([findJobsQuery(range, FINEST_GRID)]);
  return fine.ok ? ok(readFoundJobs(fine.value, FINEST_GRID)) : fine;
}

/** The jobs without heartbeats, where there may be any (docs/schema.md, "Jobs without heartbeats"). */
async function findOthers(
  ask: AskStore,
  range: FindRequest,
  hasFound: boolean
): Promise<Result<readonly FoundJob[], string>> {
  if (hasFound) {
    const era = await ask([heartbeatEraQuery(range)]);
    if (!era.ok) return era;
    if (isHeartbeatEra(era.value[0])) return ok([]);
  }
  const others = await ask(findOtherJobsQuery(range));
  if (!others.ok) return others;
  const rows = await askForRowJobs(ask, range);
  if (!rows.ok) return rows;
  const found = readFoundJobs(others.value);
  const known = new Set(found.map(formatJobKey));
  return ok([...found, ...rows.value.filter((job) => !known.has(formatJobKey(job)))]);
}

/** The jobs of other writers that have rows alone. */
async function askForRowJobs(ask: AskStore, range: FindRequest): Promise<Result<readonly FoundJob[], string>> {
  const names = await ask(rowJobNamesQueries(range));
  if (!names.ok) return names;
  const rows = await readSteps(ask, findRowJobs(range, names.value));
  return rows.ok ? ok(rows.value.jobs) : rows;
}

async function describeJobs(
  ask: AskStore,
  found: readonly FoundJob[],
  { config = false, ...range }: FindRequest & Pick<JobsRequest, 'config'>
): Promise<Result<readonly JobRecord[], string>> {
  const described = await ask([describeJobsQuery(found, { config })]);
  return described.ok ? addBounds(ask, readJobs(described.value, range, found), range) : described;
}

/** All that is known of the named jobs, at any time; of one user, or of all. */
export async function readNamedJobs(
  ask: AskStore,
  {
    values = false,
    resources = false,
    config = false,
    ...names
  }: Pick<JobsRequest, 'job' | 'user' | 'values' | 'resources' | 'config'>
): Promise<Result<readonly JobRecord[], string>> {
  const request = { ...names, values, resources, config };
  const results = await ask(jobsQuery(request));
  if (!results.ok) return results;
  const found = readJobs(results.value, request);
  const known = new Set(found.map(({ job }) => job));
  const missing = [names.job ?? []].flat().filter((job) => !known.has(job));
  if (missing.length === 0) return ok(found);
  const rows = await readSteps(ask, findNamedRowJobs({ ...names, job: missing }));
  return rows.ok ? ok([...found, ...readJobs([], request, rows.value.jobs)]) : rows;
}

/** The same jobs, with the last sign of life of those whose end nobody wrote. */
export async function markLostJobs(
  ask: AskStore,
  jobs: readonly JobRecord[],
  nowMs: number
): Promise<Result<readonly JobRecord[], string>> {
  const lost = await runReading(ask, findLostJobs(jobs, nowMs));
  return lost.ok ? ok(addLastLife(jobs, lost.value)) : lost;
}

/** A job that says no state has its log lines alone to tell when it ran. */
async function addBounds(
  ask: AskStore,
  jobs: readonly JobRecord[],
  range: FindRequest
): Promise<Result<readonly JobRecord[], string>> {
  const results = await ask(jobBoundsQuery(jobs, range));
  if (!results.ok) return results;
  return ok(results.value.length === 0 ? jobs : addJobBounds(jobs, results.value));
}
