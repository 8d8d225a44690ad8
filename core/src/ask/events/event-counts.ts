import {
  createCallColumn,
  createMeasurement,
  createSelect,
  createTagDimension,
  freezeNode,
} from '../../influxql/build.js';
import type { Dimension } from '../../influxql/nodes.js';
import { NS_PER_MS } from '../../numbers/time-units.js';
import { STATE_TOPIC } from '../../schema/job-point.js';
import { MEASUREMENT } from '../../schema/measurements.js';
import type { EventFilter } from './event-filter.js';
import { createEventConditions, createTransitionConditions, findSources } from './event-sources.js';
import { readEvents } from './events.js';
import { needsLabels } from './job-labels.js';
import type { Reading } from '../reading/reading.js';
import { decodeTag, listRows, listSeries } from '../reading/result-rows.js';
import { whereAll } from '../reading/selection.js';

export interface EventCountsRequest {
  readonly filter: EventFilter;
  /** The length of a bin; bins begin at its multiples. */
  readonly stepMs: number;
}

/** How many events of a topic lie in the bin that begins at a time. */
export interface EventCount {
  readonly fromMs: number;
  readonly topic: string;
  readonly events: number;
}

export interface EventCounts {
  /** Without bins that have no events, in no order. */
  readonly counts: readonly EventCount[];
  /** There are older events than were read. */
  readonly isCut: boolean;
}

/** Counts the events that the filter finds, by topic and time. */
export function* readEventCounts(request: EventCountsRequest): Reading<EventCounts> {
  const { filter, stepMs } = request;
  if (!needsLabels(filter)) return { counts: yield* countInStore(request), isCut: false };
  const { events, isCut } = yield* readEvents({ filter, order: 'newest-first', limit: Infinity });
  const floor = (timeNs: bigint): number => Math.floor(Number(timeNs / NS_PER_MS) / stepMs) * stepMs;
  return { counts: addUp(events.map(({ timeNs, topic }) => ({ fromMs: floor(timeNs), topic, events: 1 }))), isCut };
}

function* countInStore({ filter, stepMs }: EventCountsRequest): Reading<readonly EventCount[]> {
  const sources = yield* findSources(filter);
  const bins: Dimension = freezeNode({ kind: 'time', intervalNs: BigInt(stepMs) * NS_PER_MS } as const);
  const ofEvents = createSelect({
    columns: [createCallColumn('count', 'data', 'events')],
    from: [createMeasurement(MEASUREMENT.event)],
    ...whereAll(...createEventConditions(filter, sources)),
    groupBy: { dimensions: [bins, createTagDimension('topic')], fill: 'none' },
  });
  const ofTransitions = createSelect({
    columns: [createCallColumn('count', 'job', 'events')],
    from: [createMeasurement(MEASUREMENT.transition)],
    ...whereAll(...createTransitionConditions(filter, sources)),
    groupBy: { dimensions: [bins], fill: 'none' },
  });
  const results = yield [ofEvents, ...(sources.transitions === undefined ? [] : [ofTransitions])];
  return addUp(
    results.flatMap(listSeries).flatMap((series) => {
      const topic = decodeTag(series.tags?.['topic']) ?? STATE_TOPIC;
      return listRows(series).map((row) => ({
        fromMs: Number(row.timeNs / NS_PER_MS),
        ...{ topic, events: row.number('events') ?? 0 },
      }));
    })
  );
}

function addUp(counts: readonly EventCount[]): EventCount[] {
  const sums = new Map<string, EventCount>();
  for (const count of counts) {
    const key = `${count.fromMs} ${count.topic}`;
    sums.set(key, { ...count, events: count.events + (sums.get(key)?.events ?? 0) });
  }
  return [...sums.values()].filter(({ events }) => events > 0);
}
