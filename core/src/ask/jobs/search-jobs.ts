import { escapeRegex } from '../../words/escape-regex.js';
import {
  createColumn,
  createMeasurement,
  createOr,
  createRef,
  createSelect,
  freezeNode,
} from '../../influxql/build.js';
import type { Condition, SelectStatement } from '../../influxql/nodes.js';
import { JOB_FIELDS } from '../../schema/job-point.js';
import { MEASUREMENT } from '../../schema/measurements.js';
import { formatJobKey } from '../heartbeats/find-jobs.js';
import { decodeTag, listRows, listSeries, type ReadableResult, readTag } from '../reading/result-rows.js';
import {
  createTagCondition,
  createTimeConditions,
  type NameSelection,
  type TimeSelection,
  whereAll,
} from '../reading/selection.js';

export interface JobSearch extends Pick<TimeSelection, 'fromNs' | 'beforeNs'> {
  /** A part of a text of the job, in any case of its letters. It must not be empty. */
  readonly word: string;
  readonly user?: NameSelection;
}

/** The most points with a text to search, newest first, so that the answer ends within the time that was asked for. */
export const MAX_SEARCHED_POINTS = 20_000;

const SEARCHED = (['name', 'reason', 'note', 'command', 'queue', 'host', 'workdir', 'schedulerId'] as const).map(
  (part) => JOB_FIELDS[part]
);

/** Asks for the points that describe jobs and have a word in them, newest first: name, tags, command, reason … */
export function searchJobsQuery({ word, user, ...time }: JobSearch): SelectStatement {
  const texts = SEARCHED.map((field) => createSearch(field, escapeRegex(word)));
  return createSelect({
    columns: ['job', 'user', ...SEARCHED, JOB_FIELDS.tags].map((name) => createColumn(name)),
    from: [createMeasurement(MEASUREMENT.job)],
    ...whereAll(
      createTagCondition('user', user),
      createOr([...texts, createSearch(JOB_FIELDS.tags, createTagsPattern(word))]),
      ...createTimeConditions(time)
    ),
    orderBy: 'DESC',
    limit: MAX_SEARCHED_POINTS,
  });
}

function createSearch(field: string, pattern: string): Condition {
  return freezeNode({ kind: 'match', left: createRef(field), operator: '=~', source: `(?i)${pattern}` });
}

/** Tags are stored as JSON and shown as `key=value`. */
function createTagsPattern(word: string): string {
  const inJson = JSON.stringify(word).slice(1, -1);
  return inJson.split('=').map(escapeRegex).join('(=|":")');
}

/**
 * The jobs in the answer to describeJobsQuery that have the word in them, by formatJobKey. Beside names of jobs, the
 * store would look at each job that it has for it.
 */
export function searchDescriptions(result: ReadableResult, word: string): string[] {
  const has = (text: string | undefined, part: string): boolean =>
    text?.toLowerCase().includes(part.toLowerCase()) === true;
  const inJson = JSON.stringify(word).slice(1, -1);
  return listSeries(result).flatMap((series) => {
    const isHit = listRows(series).some(
      (row) =>
        SEARCHED.some((field) => has(row.text(field), word)) ||
        has(row.text(JOB_FIELDS.tags)?.replaceAll('":"', '='), inJson)
    );
    if (!isHit) return [];
    return [formatJobKey({ job: readTag(series, 'job') ?? '', user: readTag(series, 'user') ?? '' })];
  });
}

export interface JobHits {
  /** By formatJobKey. */
  readonly keys: readonly string[];
  /** The time of the oldest point, where the answer ends there. */
  readonly endNs?: bigint;
}

/** The jobs in the answer to searchJobsQuery. */
export function readJobHits(result: ReadableResult): JobHits {
  const rows = listSeries(result).flatMap(listRows);
  const keys = rows.flatMap((row) => {
    const job = decodeTag(row.text('job'));
    return job === undefined ? [] : [formatJobKey({ job, user: decodeTag(row.text('user')) ?? '' })];
  });
  const last = rows.length < MAX_SEARCHED_POINTS ? undefined : rows.at(-1);
  return { keys: [...new Set(keys)], ...(last !== undefined && { endNs: last.timeNs }) };
}
