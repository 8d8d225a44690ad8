import { escapeRegex } from '../../words/escape-regex.js';
import { parseJson } from '../../json/bounded-json.js';
import {
  createColumn,
  createMeasurement,
  createOr,
  createRef,
  createSelect,
  createTagEquals,
  freezeNode,
} from '../../influxql/build.js';
import type { Condition, SelectStatement } from '../../influxql/nodes.js';
import { MEASUREMENT } from '../../schema/measurements.js';
import type { EventFilter } from './event-filter.js';
import { createEventConditions } from './event-sources.js';
import { decodeTag, listRows, listSeries, type ReadableResult } from '../reading/result-rows.js';
import { whereAll } from '../reading/selection.js';

/** The topic of transitions of tasks, as Dask names it. */
export const TRANSITIONS_TOPIC = 'transitions';

export interface StoryRequest {
  /** Keys of tasks, or ids of stimuli. */
  readonly keys: readonly string[];
  /** Its topics and text do not count. */
  readonly filter?: EventFilter;
  /** The most transitions to read; Infinity: no limit. */
  readonly limit: number;
}

/** One transition of a task within a job. */
export interface TaskTransition {
  readonly timeNs: bigint;
  readonly job: string;
  readonly user: string;
  readonly key: string;
  readonly start: string;
  readonly finish: string;
  /** The transitions of other keys that this one asks for: key to state. */
  readonly recommendations: Readonly<Record<string, string>>;
  readonly stimulusId?: string;
}

/** The transitions that may name one of the keys, oldest first; readStory picks those that do. */
export function storyQuery({ keys, filter = {}, limit }: StoryRequest): SelectStatement {
  const { text: _text, topics: _topics, ...rest } = filter;
  return createSelect({
    columns: ['data', 'job', 'user'].map((name) => createColumn(name)),
    from: [createMeasurement(MEASUREMENT.event)],
    ...whereAll(
      createTagEquals('topic', TRANSITIONS_TOPIC),
      createOr(keys.map(createKeySearch)),
      ...createEventConditions(rest, { events: undefined })
    ),
    orderBy: 'ASC',
    ...(Number.isFinite(limit) && { limit }),
  });
}

/** The key is in the data as JSON. */
function createKeySearch(key: string): Condition {
  const source = escapeRegex(JSON.stringify(key));
  return freezeNode({ kind: 'match', left: createRef('data'), operator: '=~', source });
}

/**
 * The story of keys, oldest first: their own transitions, those that recommend them, and those of a stimulus of this id
 * (as Dask's `story`). Data of other forms is left out.
 */
export function readStory(result: ReadableResult, keys: readonly string[]): TaskTransition[] {
  const wanted = new Set(keys);
  return listSeries(result)
    .flatMap((series) =>
      listRows(series).flatMap((row) => {
        const transition = parseTransition(row.text('data'));
        if (transition === undefined) return [];
        const [job, user] = [decodeTag(row.text('job')) ?? '', decodeTag(row.text('user')) ?? ''];
        return { timeNs: row.timeNs, job, user, ...transition };
      })
    )
    .filter(
      ({ key, recommendations, stimulusId }) =>
        wanted.has(key) ||
        Object.keys(recommendations).some((each) => wanted.has(each)) ||
        (stimulusId !== undefined && wanted.has(stimulusId))
    );
}

type Transition = Omit<TaskTransition, 'timeNs' | 'job' | 'user'>;

/** An object, or Dask's own list: key, start, finish, recommendations, [stimulus_id,] time. */
function parseTransition(json: string | undefined): Transition | undefined {
  const parsed = parseJson(json ?? '');
  const value = parsed.ok ? parsed.value : undefined;
  if (typeof value !== 'object' || value === null) return undefined;
  const [key, start, finish, recommendations, stimulusId] = Array.isArray(value)
    ? (value as unknown[])
    : ['key', 'start', 'finish', 'recommendations', 'stimulus_id'].map(
        (name) => (value as Record<string, unknown>)[name]
      );
  if (typeof key !== 'string' || typeof start !== 'string' || typeof finish !== 'string') return undefined;
  return {
    ...{ key, start, finish, recommendations: readRecommendations(recommendations) },
    ...(typeof stimulusId === 'string' && { stimulusId }),
  };
}

/** Dask gives a mapping; an old one is a list of keys. */
function readRecommendations(value: unknown): Readonly<Record<string, string>> {
  if (typeof value !== 'object' || value === null) return {};
  const entries = Array.isArray(value)
    ? value.filter((key) => typeof key === 'string').map((key) => [key, ''])
    : // An object may have a toString that is none.
      Object.entries(value).map(([key, state]) => [key, typeof state === 'string' ? state : JSON.stringify(state)]);
  return Object.fromEntries(entries) as Record<string, string>;
}
