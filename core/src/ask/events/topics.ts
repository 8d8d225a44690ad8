import { createCallColumn, createMeasurement, createSelect, createTagDimension } from '../../influxql/build.js';
import { STATE_TOPIC } from '../../schema/job-point.js';
import { MEASUREMENT } from '../../schema/measurements.js';
import type { EventFilter } from './event-filter.js';
import { createEventConditions, createTransitionConditions, findSources } from './event-sources.js';
import { readEvents } from './events.js';
import { needsLabels } from './job-labels.js';
import type { Reading } from '../reading/reading.js';
import { decodeTag, listRows, listSeries } from '../reading/result-rows.js';
import { whereAll } from '../reading/selection.js';

/** How many events a topic has. */
export interface TopicCount {
  readonly topic: string;
  readonly events: number;
}

export interface FoundTopics {
  /** The most frequent first. */
  readonly topics: readonly TopicCount[];
  /** There are more events than were read, so that the counts are too small. */
  readonly isCut: boolean;
}

/** All topics with events that the filter finds, and their counts. */
export function* readTopics(filter: EventFilter): Reading<FoundTopics> {
  if (!needsLabels(filter)) return { topics: yield* countInStore(filter), isCut: false };
  const { events, isCut } = yield* readEvents({ filter, order: 'newest-first', limit: Infinity });
  return { topics: addUp(events.map(({ topic }) => ({ topic, events: 1 }))), isCut };
}

function* countInStore(filter: EventFilter): Reading<readonly TopicCount[]> {
  const sources = yield* findSources(filter);
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
  const results = yield [ofEvents, ...(sources.transitions === undefined ? [] : [ofTransitions])];
  return addUp(
    results.flatMap(listSeries).flatMap((series) => {
      const topic = decodeTag(series.tags?.['topic']) ?? STATE_TOPIC;
      return listRows(series).map((row) => ({ topic, events: row.number('events') ?? 0 }));
    })
  );
}

function addUp(counts: readonly TopicCount[]): readonly TopicCount[] {
  const sums = new Map<string, number>();
  for (const { topic, events } of counts) sums.set(topic, (sums.get(topic) ?? 0) + events);
  const topics = [...sums].map(([topic, events]) => ({ topic, events })).filter(({ events }) => events > 0);
  return topics.sort((a, b) => b.events - a.events || (a.topic < b.topic ? -1 : 1));
}
