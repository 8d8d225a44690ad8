import {
  createColumn,
  createComparison,
  createMeasurement,
  createOr,
  createRef,
  createSelect,
  createStringLiteral,
  createTagEquals,
} from '../influxql/build.js';
import type { Condition, SelectStatement } from '../influxql/nodes.js';
import { ORIGIN_TAG, STATE_TOPIC } from '../schema/job-point.js';
import { MEASUREMENT } from '../schema/measurements.js';
import { createDataSearch } from './data-search.js';
import type { EventFilter } from './event-filter.js';
import type { ReadStep } from './read-step.js';
import { listSeries } from './result-rows.js';
import { createTagCondition, createTimeConditions, whereAll } from './selection.js';

const IS_NO_STATE = createComparison(createRef('topic'), '!=', createStringLiteral(STATE_TOPIC));
/** A change of state that no job_transition tells of. The store's index finds them among any number of others. */
export const IS_UNTOLD = createTagEquals(ORIGIN_TAG, '');

/** Where events are asked for: those of jobs, and the changes of state of all jobs, which are few series. */
export interface EventSources {
  /** `but-told`: of the changes of state, only those that no transition tells of. */
  readonly events: 'all' | 'but-told';
  readonly transitions: 'all' | 'but-slurm-jobs' | 'none';
}

/** Asks, where states of all jobs are wanted, whether the store has them in few series, and who tells them. */
export function findSources<Done>(
  filter: EventFilter,
  read: (sources: EventSources) => ReadStep<Done>
): ReadStep<Done> {
  const { jobs = [], topics = [] } = filter;
  const wantsStates = topics.length === 0 || topics.includes(STATE_TOPIC);
  if (jobs.length > 0 || !wantsStates) return read({ events: 'all', transitions: 'none' });
  const one = (condition?: Condition): SelectStatement =>
    createSelect({
      columns: [createColumn('job')],
      from: [createMeasurement(MEASUREMENT.transition)],
      ...whereAll(condition, ...createRange(filter)),
      limit: 1,
    });
  return {
    kind: 'ask',
    statements: [one(), one(createTagEquals('source', 'slurm'))],
    read: ([any, ofSlurm]) => {
      if (listSeries(any).length === 0) return read({ events: 'all', transitions: 'none' });
      return read({
        events: 'but-told',
        transitions: listSeries(ofSlurm).length > 0 ? 'but-slurm-jobs' : 'all',
      });
    },
  };
}

/** The conditions of `job_event`. */
export function createEventConditions(
  filter: EventFilter,
  events: EventSources['events']
): ReadonlyArray<Condition | undefined> {
  const { jobs, topics } = filter;
  return [
    createTagCondition('job', jobs),
    createTagCondition('topic', topics),
    events === 'but-told' ? createOr([IS_NO_STATE, IS_UNTOLD]) : undefined,
    ...createSharedConditions(filter),
  ];
}

/** The conditions of `job_transition`. */
export function createTransitionConditions(
  filter: EventFilter,
  transitions: EventSources['transitions']
): ReadonlyArray<Condition | undefined> {
  const isSlurms = transitions === 'but-slurm-jobs';
  return [
    isSlurms ? createComparison(createRef('source'), '!=', createStringLiteral('slurm-job')) : undefined,
    ...createSharedConditions(filter),
  ];
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
