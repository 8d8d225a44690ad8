import {
  createColumn,
  createComparison,
  createMeasurement,
  createOr,
  createRef,
  createSelect,
  createStringLiteral,
  createTagEquals,
  freezeNode,
} from '../../influxql/build.js';
import type { Condition, SelectStatement, Statement } from '../../influxql/nodes.js';
import { ORIGIN_TAG, STATE_TOPIC } from '../../schema/job-point.js';
import { MEASUREMENT } from '../../schema/measurements.js';
import { createDataSearch } from './data-search.js';
import type { EventFilter } from './event-filter.js';
import { createOwnCondition, createToldCondition, findOwnChanges, findToldJobs, IN_SLURM } from './own-changes.js';
import type { Reading } from '../reading/reading.js';
import { listSeries, type ReadableResult } from '../reading/result-rows.js';
import { createTagCondition, createTimeConditions, whereAll } from '../reading/selection.js';

const IS_NO_STATE = createComparison(createRef('topic'), '!=', createStringLiteral(STATE_TOPIC));
/** A change of state that no job_transition tells of. The store's index finds them among any number of others. */
const IS_UNTOLD = createTagEquals(ORIGIN_TAG, '');
const EVENT_TAGS: Statement = freezeNode({ kind: 'showTagKeys', from: [createMeasurement(MEASUREMENT.event)] });

/**
 * Finds the condition of changes of state that no job_transition tells of. Undefined while no event has the tag that
 * says so: openGemini finds no points that lack a tag which no point has.
 */
export function* findUntold(): Reading<Condition | undefined> {
  const [tags] = yield [EVENT_TAGS];
  return hasOriginTag(tags) ? IS_UNTOLD : undefined;
}

function hasOriginTag(result: ReadableResult): boolean {
  return listSeries(result).some(({ values }) => values.some((row) => row.includes(ORIGIN_TAG)));
}

/** Where events are asked for, and which of them count. */
export interface EventSources {
  readonly events: Condition | undefined;
  /** Where the changes of state of all jobs are, which are few series; left out where events tell of them all. */
  readonly transitions?: { readonly counted: Condition | undefined };
}

/** Asks, where states are wanted, whether the store has them in few series, and which of them two writers tell of. */
export function* findSources(filter: EventFilter): Reading<EventSources> {
  const { jobs = [], topics = [], users } = filter;
  if (topics.length > 0 && !topics.includes(STATE_TOPIC)) return { events: undefined };
  if (jobs.length > 0) return { events: createToldCondition(yield* findToldJobs(jobs)) };
  const one = (condition?: Condition): SelectStatement =>
    createSelect({
      columns: [createColumn('job')],
      from: [createMeasurement(MEASUREMENT.transition)],
      ...whereAll(condition, ...createRange(filter)),
      limit: 1,
    });
  const [any, inSlurm, tags] = yield [one(), one(createTagEquals('source', IN_SLURM)), EVENT_TAGS];
  if (listSeries(any).length === 0) return { events: undefined };
  const events = hasOriginTag(tags) ? createOr([IS_NO_STATE, IS_UNTOLD]) : undefined;
  if (listSeries(inSlurm).length === 0) return { events, transitions: { counted: undefined } };
  const own = yield* findOwnChanges([createTagCondition('user', users), ...createRange(filter)], []);
  return { events, transitions: { counted: createOwnCondition(own) } };
}

/** The conditions of `job_event`. */
export function createEventConditions(
  filter: EventFilter,
  { events }: EventSources
): ReadonlyArray<Condition | undefined> {
  const { jobs, topics } = filter;
  return [
    createTagCondition('job', jobs),
    createTagCondition('topic', topics),
    events,
    ...createSharedConditions(filter),
  ];
}

/** The conditions of `job_transition`. */
export function createTransitionConditions(
  filter: EventFilter,
  { transitions }: EventSources
): ReadonlyArray<Condition | undefined> {
  return [transitions?.counted, ...createSharedConditions(filter)];
}

function createSharedConditions(filter: EventFilter): ReadonlyArray<Condition | undefined> {
  const { users, fromStates, toStates, text = '' } = filter;
  return [
    createTagCondition('user', users),
    createTagCondition('from_state', fromStates),
    createTagCondition('to_state', toStates),
    text === '' ? undefined : createDataSearch(text),
    ...createRange(filter),
  ];
}

function createRange({ afterNs, beforeNs }: EventFilter): ReadonlyArray<Condition | undefined> {
  return createTimeConditions({ fromNs: afterNs, toNs: beforeNs });
}
