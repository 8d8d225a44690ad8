import { createColumn, createMeasurement, createSelect } from '../../influxql/build.js';
import type { SelectStatement } from '../../influxql/nodes.js';
import { compareNatural } from '../../rows/natural-order.js';
import { STATE_TOPIC } from '../../schema/job-point.js';
import { MEASUREMENT } from '../../schema/measurements.js';
import type { EventFilter } from './event-filter.js';
import { planRounds } from './event-rounds.js';
import { createEventConditions, createTransitionConditions, type EventSources, findSources } from './event-sources.js';
import { formatJobKey } from '../heartbeats/find-jobs.js';
import { IS_REMEMBERED } from '../reading/forgotten-jobs.js';
import { findJobLabels, type JobLabels, matchesLabels, needsLabels } from './job-labels.js';
import { askApart, type Reading } from '../reading/reading.js';
import { decodeTag, listRows, listSeries, type ReadableResult } from '../reading/result-rows.js';
import { whereAll } from '../reading/selection.js';

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
export function* readEvents(request: EventsRequest): Reading<FoundEvents> {
  const sources = yield* findSources(request.filter);
  return yield* needsLabels(request.filter) ? readPages(request, sources) : readRounds(request, sources);
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

/** Finds out where the events of a filter without tags and ids of schedulers are, for who reads the newest again. */
export function* findEventPlaces(filter: EventFilter): Reading<readonly EventPlace[]> {
  const narrow = ({ fromNs, toNs }: EventPart): EventFilter => ({ ...filter, afterNs: fromNs, beforeNs: toNs });
  const newest = ({ limit }: EventPart): Listing => ({ order: 'newest-first', limit });
  const sources = yield* findSources(filter);
  const ofEvents: EventPlace = { select: (part) => selectEvents(narrow(part), sources, newest(part)), counted: 'data' };
  const ofTransitions: EventPlace = {
    select: (part) => selectTransitions(narrow(part), sources, newest(part)),
    counted: 'job',
  };
  return [ofEvents, ...(sources.transitions === undefined ? [] : [ofTransitions])];
}

/** The events in the results of all places, which were asked for one more than `limit`. */
export function readEventPage(
  results: readonly ReadableResult[],
  { order, limit }: Pick<EventsRequest, 'order' | 'limit'>
): FoundEvents {
  const events = results.flatMap(readEventRecords).sort(compareBy(order));
  return { events: events.slice(0, limit), isCut: events.length > limit };
}

/** Reads parts of the range, those first where the list begins, until there are enough events. */
function* readRounds(request: EventsRequest, sources: EventSources): Reading<FoundEvents> {
  const { filter, order, limit } = request;
  // One more tells whether there are more.
  const listing = { order, limit: Number.isFinite(limit) ? limit + 1 : undefined };
  const results: ReadableResult[] = [];
  let page: FoundEvents = { events: [], isCut: false };
  for (const round of planRounds(request)) {
    const statements = listEventStatements({ ...filter, ...round }, sources, listing);
    results.push(...(yield filter.text === undefined ? statements : askApart(statements)));
    page = readEventPage(results, request);
    if (page.isCut) break;
  }
  return page;
}

/** Reads all events in pages, and the labels of their jobs, until enough of them match. */
function* readPages(request: EventsRequest, sources: EventSources): Reading<FoundEvents> {
  const { filter, order, limit } = request;
  let { pageSize: page = PAGE } = request;
  let labels: ReadonlyMap<string, JobLabels> = new Map();
  let found: readonly EventRecord[] = [];
  // Up to the edge everything is read, but for events at this instant that were not seen.
  let edgeNs: bigint | undefined;
  let seen: ReadonlySet<string> = new Set();
  for (let read = 0; ;) {
    const bound = edgeNs === undefined ? {} : order === 'newest-first' ? { beforeNs: edgeNs } : { afterNs: edgeNs };
    const results = yield listEventStatements({ ...filter, ...bound }, sources, { order, limit: page });
    const { events, nextEdgeNs } = cutAtEdge(results, order, page);
    const fresh = events.filter((event) => event.timeNs !== edgeNs || !seen.has(formatEventKey(event)));
    labels = yield* addLabels(labels, fresh);
    const isWanted = (event: EventRecord): boolean => matchesLabels(filter, labels.get(formatJobKey(event)));
    found = [...found, ...fresh.filter(isWanted)].sort(compareBy(order));
    read += fresh.length;
    if (nextEdgeNs === undefined || found.length > limit || read >= MAX_READ) {
      return { events: found.slice(0, limit), isCut: nextEdgeNs !== undefined || found.length > limit };
    }
    const atEdge = fresh.filter(({ timeNs }) => timeNs === nextEdgeNs).map(formatEventKey);
    const isStuck = nextEdgeNs === edgeNs;
    seen = new Set(isStuck ? [...seen, ...atEdge] : atEdge);
    if (isStuck) page *= 2;
    edgeNs = nextEdgeNs;
  }
}

/** The events of all results, in order, up to where each of them is whole. */
function cutAtEdge(results: readonly ReadableResult[], order: EventsRequest['order'], page: number) {
  const lists = results.map((result) => readEventRecords(result).sort(compareBy(order)));
  const edges = lists.flatMap((list) => (list.length < page ? [] : (list.at(-1)?.timeNs ?? [])));
  const nextEdgeNs = edges.length === 0 ? undefined : edges.reduce((a, b) => (isBefore(order, a, b) ? a : b));
  const isWhole = ({ timeNs }: EventRecord): boolean =>
    nextEdgeNs === undefined || !isBefore(order, nextEdgeNs, timeNs);
  return { events: lists.flat().filter(isWhole).sort(compareBy(order)), nextEdgeNs };
}

/** Adds the labels of the jobs that are not known yet. */
function* addLabels(
  labels: ReadonlyMap<string, JobLabels>,
  events: readonly EventRecord[]
): Reading<ReadonlyMap<string, JobLabels>> {
  const unknown = events.filter((event) => !labels.has(formatJobKey(event))).map(({ job }) => job);
  return new Map([...labels, ...(yield* findJobLabels([...new Set(unknown)]))]);
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
