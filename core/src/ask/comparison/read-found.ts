import type { SelectStatement } from '../../influxql/nodes.js';
import type { ResultSeries } from '../../influxql/response.js';
import { NS_PER_MS } from '../../numbers/time-units.js';
import { formatJobKey, type FoundJob } from '../heartbeats/find-jobs.js';
import { findDescribedSinceNs } from '../jobs/describe-jobs.js';
import { jobsQuery, type JobsRequest, readJobs, readTablesByJob } from '../jobs/jobs.js';
import { readToldJobs } from '../jobs/told-jobs.js';
import { askApart, type Reading } from '../reading/reading.js';
import { listSeries, type ReadableResult, readTag } from '../reading/result-rows.js';
import {
  createTimeConditions,
  MAX_NAMED_JOBS,
  type NameSelection,
  type TimeSelection,
  whereAll,
} from '../reading/selection.js';
import { tablesQuery } from '../tables/tables.js';
import type { ComparedJob } from './compare-jobs.js';
import { cutRange, livingQueries } from './range-parts.js';
import { ungroup } from './regroup.js';

/** The facts that cost most, where they are wanted. */
export interface ComparedParts {
  /** What a run was: some kilobytes a job. */
  readonly manifest: boolean;
}

/** InfluxDB compares each job with each name: with 500 names it takes twice as long. */
const JOBS_OF_STATEMENT = 100;
/** An answer must not get too long. */
const JOBS_AT_ONCE = 5000;
/** Fewer are asked for by their names without a look at how many others there are. */
const FEWEST_OF_RANGE = 300;

/**
 * Found jobs with what is compared of them, in no order: at most two requests after another, however many they are, if
 * most of what ran since the first of them is theirs. Else they are named, and that costs more time.
 */
export function* readFound(found: readonly FoundJob[], parts: ComparedParts): Reading<readonly ComparedJob[]> {
  const wanted = new Set(found.map(formatJobKey));
  const along = found.length < FEWEST_OF_RANGE ? undefined : yield* readAlongRange(found, parts);
  const known = (along ?? []).filter(({ record }) => wanted.has(formatJobKey(record)));
  const done = new Set(known.map(({ record }) => formatJobKey(record)));
  const rest = found.filter((job) => !done.has(formatJobKey(job)));
  const named = yield* readByName([...new Set(rest.map(({ job }) => job))], { ...parts, areFound: true });
  return [...known, ...named.filter(({ record }) => wanted.has(formatJobKey(record)))];
}

interface NamedRequest extends ComparedParts {
  readonly user?: NameSelection;
  /** Nobody asks for other jobs of these names than those that were found. */
  readonly areFound?: boolean;
}

/** Jobs of any time by their names. */
export function* readByName(
  names: readonly string[],
  { user, areFound = false, ...parts }: NamedRequest
): Reading<readonly ComparedJob[]> {
  const compared: ComparedJob[] = [];
  for (const some of splitEach(names, JOBS_AT_ONCE)) {
    const named = splitEach(some, JOBS_OF_STATEMENT).map((job) => ({ job, user }));
    const results = yield named.flatMap((one) => [describe({ ...one, ...parts }), tablesQuery(one)]);
    const described = join(results);
    const known = described.map(({ record }) => record);
    const told = yield* readToldJobs(
      { job: areFound ? listMissing(some, known) : chooseUntold(some, known), user },
      known
    );
    compared.push(...described, ...told.map((record) => ({ record, tables: [] })));
  }
  return compared;
}

/** Where few are named, another user's job of the same name may be one of which events alone tell. */
function chooseUntold(names: readonly string[], known: ReadonlyArray<{ readonly job: string }>): readonly string[] {
  return names.length <= MAX_NAMED_JOBS ? names : listMissing(names, known);
}

function listMissing(names: readonly string[], known: ReadonlyArray<{ readonly job: string }>): readonly string[] {
  const described = new Set(known.map(({ job }) => job));
  return names.filter((name) => !described.has(name));
}

/** All jobs since the first of those that were found; undefined where naming these costs less, or all is too much. */
function* readAlongRange(
  found: readonly FoundJob[],
  parts: ComparedParts
): Reading<readonly ComparedJob[] | undefined> {
  const ranges = cutRange(found, yield livingQueries(found));
  if (ranges.length === 0) return undefined;
  const statements = ranges.flatMap((range) =>
    [describe(parts), tablesQuery({ job: undefined })].map((all) => ungroup(within(all, range)))
  );
  try {
    const results = yield askApart(statements.map(({ statement }) => statement));
    const grouped = statements.map(({ regroup }, at) => regroup(results[at]));
    return join(grouped).filter(isWhole(findDescribedSinceNs(found)));
  } catch {
    // An answer was too long.
    return undefined;
  }
}

function describe(request: JobsRequest): SelectStatement {
  return jobsQuery({ ...request, values: false, config: true, resources: true })[0];
}

function within(statement: SelectStatement, range: TimeSelection): SelectStatement {
  return { ...statement, ...whereAll(statement.where, ...createTimeConditions(range)) };
}

/**
 * Whether all that was written of a job is known: that of a job which waited for weeks began before it was looked for.
 */
function isWhole(sinceNs: bigint): (job: ComparedJob) => boolean {
  const sinceMs = Number(sinceNs / NS_PER_MS);
  return ({ record: { name, command, submittedMs, startedMs } }) =>
    (name ?? command ?? submittedMs) !== undefined && (submittedMs ?? startedMs ?? 0) >= sinceMs;
}

/** Descriptions and summaries alternate. */
function join(results: readonly ReadableResult[]): readonly ComparedJob[] {
  const described = results.flatMap((result, at) => (at % 2 === 0 ? listSeries(result) : []));
  const summaries = mergeSeries(results.flatMap((result, at) => (at % 2 === 1 ? listSeries(result) : [])));
  const records = readJobs([asResult(described)]);
  const known = new Set(records.map(formatJobKey));
  // Another writer may have told of rows alone.
  const others = summaries.filter((series) => !known.has(keyOf(series)));
  const tables = readTablesByJob(asResult(summaries));
  return [...records, ...readJobs([undefined, undefined, undefined, asResult(others)])].map((record) => ({
    record,
    tables: tables.get(formatJobKey(record)) ?? [],
  }));
}

function asResult(series: readonly ResultSeries[]): ReadableResult {
  return { statement_id: 0, series };
}

function keyOf(series: ResultSeries): string {
  return formatJobKey({ job: readTag(series, 'job') ?? '', user: readTag(series, 'user') ?? '' });
}

/** A table that was begun again has points in several parts. */
function mergeSeries(all: readonly ResultSeries[]): readonly ResultSeries[] {
  const merged = new Map<string, ResultSeries>();
  for (const series of all) {
    const key = JSON.stringify(series.tags);
    const known = merged.get(key);
    merged.set(key, known === undefined ? series : { ...known, values: [...known.values, ...series.values] });
  }
  return [...merged.values()];
}

function splitEach<T>(items: readonly T[], size: number): ReadonlyArray<readonly T[]> {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, at) => items.slice(at * size, (at + 1) * size));
}
