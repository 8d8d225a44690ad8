import { createCallColumn, createMeasurement, createSelect, createTagDimension } from '../influxql/build.js';
import { STATE_TOPIC } from '../schema/job-point.js';
import { MEASUREMENT } from '../schema/measurements.js';
import type { EventFilter } from './event-filter.js';
import { createEventConditions, createTransitionConditions, type EventSources, findSources } from './event-sources.js';
import { type FoundEvents, readEvents } from './events.js';
import { needsLabels } from './job-labels.js';
import type { ReadStep } from './read-step.js';
import { decodeTag, listRows, listSeries } from './result-rows.js';
import { whereAll } from './selection.js';

/** How many events a topic has. */
export interface TopicCount {
  readonly topic: string;
  readonly events: number;
}

export interface FoundTopics {
  readonly kind: 'topics';
  /** The most frequent first. */
  readonly topics: readonly TopicCount[];
}

/** All topics with events that the filter finds, and their counts. */
export function readTopics(filter: EventFilter): ReadStep<FoundTopics> {
  return needsLabels(filter)
    ? countRead(readEvents({ filter, order: 'newest-first', limit: Infinity }))
    : findSources(filter, (sources) => countInStore(filter, sources));
}

function countRead(step: ReadStep<FoundEvents>): ReadStep<FoundTopics> {
  if (step.kind === 'ask') return { ...step, read: (results) => countRead(step.read(results)) };
  return listTopics(step.events.map(({ topic }) => ({ topic, events: 1 })));
}

function countInStore(filter: EventFilter, sources: EventSources): ReadStep<FoundTopics> {
  const ofEvents = createSelect({
    columns: [createCallColumn('count', 'data', 'events')],
    from: [createMeasurement(MEASUREMENT.event)],
    ...whereAll(...createEventConditions(filter, sources)),
    groupBy: { dimensions: [createTagDimension('topic')] },
  });
  const ofTransitions = createSelect({
    columns: [createCallColumn('count', 'job', 'events')],
    from: [createMeasurement(MEASUREMENT.transition)],
    ...whereAll(...createTransitionConditions(filter, sources)),
  });
  return {
    kind: 'ask',
    statements: [ofEvents, ...(sources.transitions === undefined ? [] : [ofTransitions])],
    read: (results) =>
      listTopics(
        results.flatMap(listSeries).flatMap((series) => {
          const topic = decodeTag(series.tags?.['topic']) ?? STATE_TOPIC;
          return listRows(series).map((row) => ({ topic, events: row.number('events') ?? 0 }));
        })
      ),
  };
}

function listTopics(counts: readonly TopicCount[]): FoundTopics {
  const sums = new Map<string, number>();
  for (const { topic, events } of counts) sums.set(topic, (sums.get(topic) ?? 0) + events);
  const topics = [...sums].map(([topic, events]) => ({ topic, events })).filter(({ events }) => events > 0);
  return { kind: 'topics', topics: topics.sort((a, b) => b.events - a.events || (a.topic < b.topic ? -1 : 1)) };
}
