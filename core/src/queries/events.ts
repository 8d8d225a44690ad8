import { createColumn, createMeasurement, createSelect } from '../influxql/build.js';
import type { SelectStatement } from '../influxql/nodes.js';
import { compareNatural } from '../rows/natural-order.js';
import { STATE_TOPIC } from '../schema/job-point.js';
import { MEASUREMENT } from '../schema/measurements.js';
import type { EventFilter } from './event-filter.js';
import { planRounds, type Round } from './event-rounds.js';
import { createEventConditions, createTransitionConditions, type EventSources, findSources } from './event-sources.js';
import { formatJobKey } from './find-jobs.js';
import { IS_REMEMBERED } from './forgotten-jobs.js';
import { type JobLabels, jobLabelsQuery, matchesLabels, needsLabels, readJobLabels } from './job-labels.js';
import type { ReadStep } from './read-step.js';
import { decodeTag, listRows, listSeries, type ReadableResult } from './result-rows.js';
import { MAX_NAMED_JOBS, whereAll } from './selection.js';

export interface EventsRequest {
  readonly filter: EventFilter;
  readonly order: 'newest-first' | 'oldest-first';
  readonly limit: number;
  /** With it, a text is searched for in parts of the filter's range, until there are enough events. */
  readonly nowNs?: bigint;
  /** Where jobs must be looked up, events are read in pages of this many; 5,000 by default. */
  readonly pageSize?: number;
}

/** One stored event. */
export interface EventRecord {
  /** For a change of state that was found over all jobs, exact to the millisecond. */
  readonly timeNs: bigint;
  readonly job: string;
  readonly user: string;
  readonly topic: string;
  readonly fromState?: string;
  readonly toState?: string;
  /** JSON, as stored. */
  readonly data: string;
}

export interface FoundEvents {
  readonly kind: 'events';
  /** In the order that was asked for. */
  readonly events: readonly EventRecord[];
  /** Whether there are more, or may be. */
  readonly isCut: boolean;
}

const PAGE = 5_000;
/** Where jobs must be looked up, at most so many events are read. */
const MAX_READ = 200_000;

/**
 * The events that a filter finds. The store filters by everything but tags of jobs and ids of schedulers: for those,
 * events are read in pages, and the descriptions of their jobs.
 */
export function readEvents(request: EventsRequest): ReadStep<FoundEvents> {
  return findSources(request.filter, (sources) =>
    needsLabels(request.filter) ? readPages(request, sources, begin(request)) : readOnce(request, sources)
  );
}

interface EventPart {
  readonly fromNs: bigint;
  readonly toNs: bigint;
  readonly limit: number;
}

/** A measurement that holds events of a filter. */
export interface EventPlace {
  /** Its newest events in a part of the range. */
  readonly select: (part: EventPart) => SelectStatement;
  /** A field that each of its events has. */
  readonly counted: string;
}

export interface EventPlaces {
  readonly kind: 'places';
  readonly places: readonly EventPlace[];
}

/** Finds out where the events of a filter without tags and ids of schedulers are, for who reads the newest again. */
export function findEventPlaces(filter: EventFilter): ReadStep<EventPlaces> {
  const narrow = ({ fromNs, toNs }: EventPart): EventFilter => ({ ...filter, afterNs: fromNs, beforeNs: toNs });
  const newest = ({ limit }: EventPart): Listing => ({ order: 'newest-first', limit });
  return findSources(filter, (sources) => {
    const ofEvents: EventPlace = {
      select: (part) => selectEvents(narrow(part), sources, newest(part)),
      counted: 'data',
    };
    const ofTransitions: EventPlace = {
      select: (part) => selectTransitions(narrow(part), sources, newest(part)),
      counted: 'job',
    };
    const places = [ofEvents, ...(sources.transitions === undefined ? [] : [ofTransitions])];
    return { kind: 'places', places };
  });
}

/** The events in the results of all places, which were asked for one more than `limit`. */
export function readEventPage(
  results: readonly ReadableResult[],
  { order, limit }: Pick<EventsRequest, 'order' | 'limit'>
): FoundEvents {
  const events = results.flatMap(readEventRecords).sort(compareBy(order));
  return { kind: 'events', events: events.slice(0, limit), isCut: events.length > limit };
}

function readOnce(request: EventsRequest, sources: EventSources): ReadStep<FoundEvents> {
  return readRounds(request, sources, planRounds(request), []);
}

/** Reads parts of the range, those first where the list begins, until there are enough events. */
function readRounds(
  request: EventsRequest,
  sources: EventSources,
  [part, ...later]: readonly Round[],
  earlier: readonly ReadableResult[]
): ReadStep<FoundEvents> {
  const { filter, order, limit } = request;
  // One more tells whether there are more.
  const listing = { order, limit: Number.isFinite(limit) ? limit + 1 : undefined };
  return {
    kind: 'ask',
    statements: listEventStatements({ ...filter, ...part }, sources, listing),
    ...(filter.text !== undefined && { isSlow: true as const }),
    read: (results) => {
      const all = [...earlier, ...results];
      const page = readEventPage(all, request);
      return page.isCut || later.length === 0 ? page : readRounds(request, sources, later, all);
    },
  };
}

interface Progress {
  readonly found: readonly EventRecord[];
  readonly labels: ReadonlyMap<string, JobLabels>;
  /** Up to here everything is read, but for events at this instant that are not in `seen`. */
  readonly edgeNs?: bigint;
  readonly seen: ReadonlySet<string>;
  readonly read: number;
  readonly page: number;
}

function begin({ pageSize = PAGE }: EventsRequest): Progress {
  return { found: [], labels: new Map(), seen: new Set(), read: 0, page: pageSize };
}

function readPages(request: EventsRequest, sources: EventSources, progress: Progress): ReadStep<FoundEvents> {
  const { filter, order, limit } = request;
  const { edgeNs, page } = progress;
  const bound = edgeNs === undefined ? {} : order === 'newest-first' ? { beforeNs: edgeNs } : { afterNs: edgeNs };
  return {
    kind: 'ask',
    statements: listEventStatements({ ...filter, ...bound }, sources, { order, limit: page }),
    read: (results) => {
      const lists = results.map((result) => readEventRecords(result).sort(compareBy(order)));
      const edges = lists.flatMap((list) => (list.length < page ? [] : (list.at(-1)?.timeNs ?? [])));
      const edge = edges.length === 0 ? undefined : edges.reduce((a, b) => (isBefore(order, a, b) ? a : b));
      const fresh = lists
        .flat()
        .filter(({ timeNs }) => edge === undefined || timeNs === edge || isBefore(order, timeNs, edge))
        .sort(compareBy(order))
        .filter((event) => event.timeNs !== edgeNs || !progress.seen.has(formatEventKey(event)));
      return addLabels(progress, fresh, (labels) => {
        const isWanted = (event: EventRecord): boolean => matchesLabels(filter, labels.get(formatJobKey(event)));
        const found = [...progress.found, ...fresh.filter(isWanted)].sort(compareBy(order));
        const read = progress.read + fresh.length;
        if (edge === undefined || found.length > limit || read >= MAX_READ) {
          return { kind: 'events', events: found.slice(0, limit), isCut: edge !== undefined || found.length > limit };
        }
        const atEdge = fresh.filter(({ timeNs }) => timeNs === edge).map(formatEventKey);
        const isStuck = edge === edgeNs;
        const seen = new Set(isStuck ? [...progress.seen, ...atEdge] : atEdge);
        return readPages(request, sources, {
          found,
          labels,
          edgeNs: edge,
          seen,
          read,
          page: isStuck ? 2 * page : page,
        });
      });
    },
  };
}

/** Asks for the labels of the jobs that are not known yet. */
function addLabels(
  { labels }: Progress,
  events: readonly EventRecord[],
  read: (labels: ReadonlyMap<string, JobLabels>) => ReadStep<FoundEvents>
): ReadStep<FoundEvents> {
  const unknown = events.filter((event) => !labels.has(formatJobKey(event))).map(({ job }) => job);
  const names = [...new Set(unknown)];
  const next = (at: number, known: ReadonlyMap<string, JobLabels>): ReadStep<FoundEvents> => {
    if (at >= names.length) return read(known);
    return {
      kind: 'ask',
      statements: [jobLabelsQuery(names.slice(at, at + MAX_NAMED_JOBS))],
      read: ([result]) => next(at + MAX_NAMED_JOBS, new Map([...known, ...readJobLabels(result)])),
    };
  };
  return next(0, labels);
}

interface Listing {
  readonly order: EventsRequest['order'];
  readonly limit: number | undefined;
}

function listEventStatements(filter: EventFilter, sources: EventSources, listing: Listing): SelectStatement[] {
  return [
    selectEvents(filter, sources, listing),
    ...(sources.transitions === undefined ? [] : [selectTransitions(filter, sources, listing)]),
  ];
}

function selectEvents(filter: EventFilter, sources: EventSources, listing: Listing): SelectStatement {
  return createSelect({
    columns: ['data', 'job', 'user', 'topic', 'from_state', 'to_state'].map((name) => createColumn(name)),
    from: [createMeasurement(MEASUREMENT.event)],
    ...whereAll(...createEventConditions(filter, sources)),
    ...createOrder(listing),
  });
}

function selectTransitions(filter: EventFilter, sources: EventSources, listing: Listing): SelectStatement {
  return createSelect({
    columns: ['job', 'data', 'user', 'from_state', 'to_state'].map((name) => createColumn(name)),
    from: [createMeasurement(MEASUREMENT.transition)],
    ...whereAll(...createTransitionConditions(filter, sources), IS_REMEMBERED),
    ...createOrder(listing),
  });
}

function createOrder({ order, limit }: Listing): Pick<SelectStatement, 'orderBy' | 'limit'> {
  return { orderBy: order === 'newest-first' ? 'DESC' : 'ASC', ...(limit !== undefined && { limit }) };
}

/** The events in the result of one statement, of `job_event` or of `job_transition`. */
function readEventRecords(result: ReadableResult): EventRecord[] {
  return listSeries(result).flatMap((series) =>
    listRows(series).map((row) => {
      const [fromState, toState] = [decodeTag(row.text('from_state')), decodeTag(row.text('to_state'))];
      return {
        timeNs: row.timeNs,
        job: decodeTag(row.text('job')) ?? '',
        user: decodeTag(row.text('user')) ?? '',
        topic: decodeTag(row.text('topic')) ?? STATE_TOPIC,
        ...(fromState !== undefined && { fromState }),
        ...(toState !== undefined && { toState }),
        data: row.text('data') ?? '{}',
      };
    })
  );
}

function isBefore(order: EventsRequest['order'], a: bigint, b: bigint): boolean {
  return order === 'newest-first' ? a > b : a < b;
}

/** By time, then by job, so that events of one instant have an order. */
function compareBy(order: EventsRequest['order']): (a: EventRecord, b: EventRecord) => number {
  const sign = order === 'newest-first' ? -1 : 1;
  return (a, b) =>
    sign *
    (a.timeNs === b.timeNs ? compareNatural(a.job, b.job) : isBefore('oldest-first', a.timeNs, b.timeNs) ? -1 : 1);
}

/** Tells events apart, also where they have the same time. */
export function formatEventKey({ timeNs, job, user, topic, fromState, toState }: EventRecord): string {
  return JSON.stringify([String(timeNs), job, user, topic, fromState, toState]);
}
