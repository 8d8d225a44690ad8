import { type DataFrame, FieldType, toDataFrame } from '@grafana/data';
import { type EventCounts, readEventCounts } from '@joblens/core/ask/events/event-counts';
import {
  type EventRecord,
  type EventsRequest,
  findEventPlaces,
  type FoundEvents,
  readEventPage,
  readEvents,
} from '@joblens/core/ask/events/events';
import { needsLabels } from '@joblens/core/ask/events/job-labels';
import type { Reading } from '@joblens/core/ask/reading/reading';
import { readTopics } from '@joblens/core/ask/events/topics';
import { map, type Observable, of, switchMap } from 'rxjs';
import type { PageRange } from '../../store/refresh-page.js';
import { createNotice } from '../../frames/notice.js';
import { createCustomMeta, type EventsMeta } from '../../frames/frame-meta.js';
import { createJobNamer } from '../../frames/job-name.js';
import { toMs } from '../../frames/times.js';
import { createEventsTable } from './event-frames.js';
import { createEventFilter, type EventFilterQuery } from '../parts/event-filter.js';
import { createMarksFrame, type JobMark } from './job-marks.js';
import { findJobRanges } from '../jobs/job-ranges.js';
import { printAll, type RunContext } from '../parts/query-type.js';
import { type RunAnswer, runReading, runRowsReading, type StoreAsk, withQuery } from '../parts/run-reading.js';
import { chooseStepMs } from '../parts/choose-step.js';

interface EventList extends EventFilterQuery {
  readonly order?: 'asc' | 'desc';
}

/** One row an event; for an annotation, one mark an event. */
export function readEventList(
  query: EventList,
  limit: number,
  context: RunContext,
  isAnnotation: boolean
): Observable<DataFrame[]> {
  const { refId } = query;
  const order = query.order === 'asc' ? 'oldest-first' : 'newest-first';
  return findEvents({ filter: createEventFilter(query, context), order, limit }, context).pipe(
    switchMap(({ answer: { events, isCut }, executedQuery }) => {
      if (isAnnotation) {
        const nameJob = createJobNamer(events);
        const found = events.map((event) => toMark(event, nameJob(event))).sort((a, b) => b.time - a.time);
        return of([createMarksFrame(refId, { found, isLimited: isCut, executedQuery }, true)]);
      }
      const [which, others] = order === 'newest-first' ? ['newest', 'older'] : ['oldest', 'newer'];
      const notice = isCut ? `The ${which} ${events.length} events; there are ${others} ones.` : undefined;
      return findJobRanges(events, context).pipe(
        map((readRange) => [createEventsTable({ refId, name: 'events', events, readRange, notice, executedQuery })])
      );
    })
  );
}

/** The newest events come again with each refresh, which asks for what is new alone. */
function findEvents(request: EventsRequest, context: RunContext): Observable<RunAnswer<FoundEvents>> {
  const { filter, order } = request;
  if (order !== 'newest-first' || needsLabels(filter)) {
    return runReading(() => withQuery(readEvents(request)), context);
  }
  const range = { fromNs: filter.afterNs ?? context.fromNs, toNs: filter.beforeNs ?? context.toNs };
  return runRowsReading(() => readNewestEvents(request, range), { ...context, ...range });
}

function* readNewestEvents(
  { filter, order, limit }: EventsRequest,
  range: PageRange
): Reading<RunAnswer<FoundEvents>, never, StoreAsk> {
  const places = yield* findEventPlaces(filter);
  const results = yield places.map(({ select, counted }) => ({ select, limit: limit + 1, counted: [counted] }));
  const executedQuery = printAll(places.map(({ select }) => select({ ...range, limit: limit + 1 })));
  return { answer: readEventPage(results, { order, limit }), executedQuery };
}

const MAX_MARK_CHARS = 200;

function toMark({ timeNs, job, user, topic, fromState, toState, data }: EventRecord, jobName: string): JobMark {
  const change = toState === undefined ? undefined : `${fromState === undefined ? '' : `${fromState} → `}${toState}`;
  const id = [timeNs, topic, job, user, fromState, toState].join('/');
  const text = `${jobName}: ${change ?? `${topic} ${data}`}`.slice(0, MAX_MARK_CHARS);
  return { id, time: toMs(timeNs), timeEnd: null, text, tags: [topic, jobName] };
}

/** One row a topic, the one with the most events first. */
export function readTopicList(query: EventFilterQuery, context: RunContext): Observable<DataFrame[]> {
  const filter = createEventFilter(query, context);
  return runReading(() => withQuery(readTopics(filter)), context).pipe(
    map(({ answer: { topics, isCut }, executedQuery }) => [
      toDataFrame({
        refId: query.refId,
        name: 'topics',
        meta: { ...createMeta(executedQuery, isCut), preferredVisualisationType: 'table' },
        fields: [
          { name: 'topic', type: FieldType.string, values: topics.map(({ topic }) => topic), config: {} },
          { name: 'events', type: FieldType.number, values: topics.map(({ events }) => events), config: {} },
        ],
      }),
    ])
  );
}

const MAX_BINS = 120;

/** The number of events in each bin of time, a column a topic. */
export function readCounts(query: EventFilterQuery, context: RunContext): Observable<DataFrame[]> {
  const filter = createEventFilter(query, context);
  const stepMs = chooseStepMs(context, MAX_BINS);
  return runReading(() => withQuery(readEventCounts({ filter, stepMs })), context).pipe(
    map(({ answer, executedQuery }) => [createCountsFrame(query.refId, answer, stepMs, executedQuery)])
  );
}

/** A bin holds its number until the next one begins; bins between those with events have none. */
function createCountsFrame(
  refId: string,
  { counts, isCut }: EventCounts,
  stepMs: number,
  executedQuery: string
): DataFrame {
  const edges = counts.flatMap(({ fromMs }) => [fromMs, fromMs + stepMs]);
  const timesMs = [...new Set(edges)].sort((a, b) => a - b);
  const rowOf = new Map(timesMs.map((timeMs, row) => [timeMs, row]));
  const columns = new Map<string, number[]>();
  for (const { fromMs, topic, events } of counts) {
    const column = columns.get(topic) ?? timesMs.map(() => 0);
    columns.set(topic, column);
    column[rowOf.get(fromMs) ?? -1] = events;
  }
  const topics = [...columns].sort(([a], [b]) => (a < b ? -1 : 1));
  return toDataFrame({
    refId,
    name: 'counts',
    meta: { ...createMeta(executedQuery, isCut), preferredVisualisationType: 'graph' },
    fields: [
      { name: 'time', type: FieldType.time, values: timesMs, config: { interval: stepMs } },
      ...topics.map(([topic, values]) => ({
        name: topic,
        type: FieldType.number,
        values,
        config: { min: 0, custom: COUNT_STYLE },
      })),
    ],
  });
}

const COUNT_STYLE = {
  ...{ lineInterpolation: 'stepAfter', showPoints: 'never', lineWidth: 1, fillOpacity: 60 },
  stacking: { mode: 'normal', group: 'A' },
};

function createMeta(executedQueryString: string, isCut: boolean) {
  const custom: EventsMeta = { kind: 'events', tsNs: [] };
  const notices = isCut ? [createNotice('The newest events are counted; there are more than can be read.')] : [];
  return { executedQueryString, custom: createCustomMeta(custom), notices };
}
