import { suggestNearest } from '@joblens/core/console/find-nearest';
import type { EventFilter } from '@joblens/core/ask/events/event-filter';
import { type EventRecord, type EventsRequest, formatEventKey, readEvents } from '@joblens/core/ask/events/events';
import { readTopics, type TopicCount } from '@joblens/core/ask/events/topics';
import { NS_PER_MS } from '@joblens/core/numbers/time-units';
import { type JsonValue, STATE_TOPIC } from '@joblens/core/schema/job-point';
import { parseJson } from '@joblens/core/json/bounded-json';
import { formatPrintedJson, readPrintedJson } from '@joblens/core/json/printed-json';
import { parseKeyValue } from '../../config/value-types.js';
import { askUntilAnswered } from '../shell/ask-again.js';
import { type Column, createTimeColumn } from '../shell/column.js';
import { needsCutNote } from '../shell/cut-list.js';
import { createRangeFilter } from './event-options.js';
import type { PointInTime } from '../shell/point-in-time.js';
import type { RowPrinter } from '../shell/print-rows.js';
import { runReading } from '../shell/run-reading.js';
import { listStateCases } from '../shell/state-cases.js';
import type { Reading } from '../shell/reading.js';

export interface EventsCommand {
  readonly job: readonly string[];
  readonly user: readonly string[];
  /** `key=value` each. */
  readonly tag: readonly string[];
  readonly schedulerId: readonly string[];
  readonly topic: readonly string[];
  readonly fromState: readonly string[];
  readonly toState: readonly string[];
  readonly after: PointInTime | undefined;
  readonly before: PointInTime | undefined;
  readonly text: string | undefined;
  readonly limit: number;
  readonly order: 'newest' | 'oldest' | undefined;
  readonly follow: boolean;
  readonly topics: boolean;
}

const FOLLOW_MS = 2000;
/** An event may arrive so much later than its time says: Slurm tells whole seconds, and a store may be away. */
const LATE_NS = 600_000_000_000n;

/** Prints the events that the options ask for, or their topics. Returns the exit code. */
export async function printEvents(reading: Reading, command: EventsCommand): Promise<number> {
  const { ask, createPrinter, fail, refuse, report, host } = reading;
  const nowMs = host.clock.nowMs();
  const range = createRangeFilter(command, nowMs);
  if (!range.ok) return refuse(range.error);
  const filter = { ...range.value, ...createFilter(command) };
  if (command.topics) return printTopics(reading, filter);
  const printer = createPrinter(createColumns(command));
  const order = command.order === 'oldest' ? 'oldest-first' : 'newest-first';
  const request: EventsRequest = { filter, order, limit: command.limit, nowNs: BigInt(nowMs) * NS_PER_MS };
  const found = await runReading(ask, readEvents(request));
  if (!found.ok) return fail(found.error);
  const { events, isCut } = found.value;
  // A topic is read like a log: the newest of it, in order as logged.
  const isLog = command.order === undefined && (command.topic.length > 0 || command.follow);
  const shown = isLog ? [...events].reverse() : events;
  const isRead = await printer.print(shown);
  if (command.follow)
    return isRead ? follow(reading, filter, { events, isCut: isCut && order === 'newest-first' }, printer) : 0;
  const advice = shown.length > 0 ? undefined : await suggestTopic(reading, range.value, command);
  if (advice !== undefined) report.warn(advice);
  else sayLength(reading, command, { events, isCut });
  return 0;
}

/** Says to people how long the list is, and to programs that it is not whole. */
function sayLength({ output, report }: Reading, command: EventsCommand, { events, isCut }: FollowedList): void {
  const isCutForAll = needsCutNote({ isCut, limit: command.limit, isTerminal: false });
  if (output.isTerminal || isCutForAll) report.info(describeList(command, events.length, isCut));
}

async function printTopics({ ask, createPrinter, fail, report }: Reading, filter: EventFilter): Promise<number> {
  const found = await runReading(ask, readTopics(filter));
  if (!found.ok) return fail(found.error);
  await createPrinter(TOPIC_COLUMNS).print(found.value.topics);
  if (found.value.isCut)
    report.info('there are more events than can be read, and older ones are not counted; choose a shorter range');
  return 0;
}

/** Suggests a topic of the range for one of which there is no event. */
async function suggestTopic(
  { ask }: Reading,
  range: EventFilter,
  { topic: [unknown, ...others] }: EventsCommand
): Promise<string | undefined> {
  if (unknown === undefined || others.length > 0) return undefined;
  const found = await runReading(ask, readTopics(range));
  const topics = found.ok ? found.value.topics.map(({ topic }) => topic) : [];
  const meant = topics.includes(unknown) ? '' : suggestNearest(unknown, topics);
  return meant === '' ? undefined : `no event has the topic ${unknown}${meant}`;
}

function createFilter(command: EventsCommand): EventFilter {
  return {
    tags: Object.fromEntries(command.tag.map(parseKeyValue)),
    schedulerIds: command.schedulerId,
    topics: command.topic,
    fromStates: listStateCases(command.fromState),
    toStates: listStateCases(command.toState),
    ...(command.text !== undefined && { text: command.text }),
  };
}

/** What was printed first; cut where there are older ones. */
interface FollowedList {
  readonly events: readonly EventRecord[];
  readonly isCut: boolean;
}

/** Prints what comes, until nobody reads any more or the process is interrupted. */
async function follow(
  reading: Reading,
  filter: EventFilter,
  { events: printed, isCut }: FollowedList,
  printer: RowPrinter<EventRecord>
): Promise<number> {
  const { clock } = reading.host;
  const startNs = BigInt(clock.nowMs()) * NS_PER_MS;
  const sinceMs = clock.monotonicMs();
  const seen = new Map(printed.map((event) => [formatEventKey(event), event.timeNs]));
  let newestNs = printed.reduce((newest, { timeNs }) => (timeNs > newest ? timeNs : newest), startNs - LATE_NS);
  const { afterNs = 0n } = filter;
  // Events that the limit has left out are not new.
  const oldestNs = isCut ? findOldestNs(printed) : 0n;
  for (let isFirst = true; ; isFirst = false) {
    if (!isFirst || !isCut) await clock.sleep(FOLLOW_MS);
    // What was seen is known of the time behind this edge only, so a clock that is set back must not move it back.
    const nowNs = startNs + BigInt(Math.round((clock.monotonicMs() - sinceMs) * 1e6));
    const fromNs = findEdgeNs(newestNs, nowNs, afterNs);
    const request: EventsRequest = { filter: { ...filter, afterNs: fromNs }, order: 'oldest-first', limit: Infinity };
    const found = await askUntilAnswered(reading, () => runReading(reading.ask, readEvents(request)), FOLLOW_MS);
    const fresh = found.events.filter((event) => !seen.has(formatEventKey(event)));
    for (const [key, timeNs] of seen) if (timeNs < fromNs) seen.delete(key);
    for (const event of fresh) {
      seen.set(formatEventKey(event), event.timeNs);
      if (event.timeNs > newestNs) newestNs = event.timeNs;
    }
    const news = isFirst ? fresh.filter(({ timeNs }) => timeNs >= oldestNs) : fresh;
    if (!(await printer.print(news))) return 0;
  }
}

/** From when on events may still come. One whose time is ahead must not hide those that come before that time. */
function findEdgeNs(newestNs: bigint, nowNs: bigint, afterNs: bigint): bigint {
  const edgeNs = (newestNs < nowNs ? newestNs : nowNs) - LATE_NS;
  return edgeNs > afterNs ? edgeNs : afterNs;
}

function findOldestNs(events: readonly EventRecord[]): bigint {
  const [first, ...rest] = events.map(({ timeNs }) => timeNs);
  return rest.reduce((oldest, timeNs) => (timeNs < oldest ? timeNs : oldest), first ?? 0n);
}

function describeList({ job, after, before, limit }: EventsCommand, count: number, isCut: boolean): string {
  const isDefault = job.length === 0 && after === undefined && before === undefined;
  const advice = isDefault ? '; give --after 7d, for example, to look further back' : '';
  if (isCut && count < limit) return `these are ${count}, and there are more than can be read; choose a shorter range`;
  if (isCut) return `these are ${count}, and there are more; give --limit 0 for all`;
  const events = count === 0 ? 'no event' : count === 1 ? 'one event' : `${count} events`;
  return `${events}${isDefault ? ' of the last 24 hours' : ''}${advice}`;
}

/** The events of one topic are a log of times and messages. */
function createColumns({ topic, follow }: EventsCommand): readonly Column<EventRecord>[] {
  const isLog = topic.length === 1 && topic[0] !== STATE_TOPIC;
  const detail = isLog ? { isDetail: true as const } : {};
  // On a narrow terminal, what happened says more than a few letters of the data.
  const minor = (rank: number) => ({ isMinor: true as const, rank, mayFill: follow });
  return [
    createTimeColumn('time', ({ timeNs }) => timeNs),
    { name: 'job', value: ({ job }) => job, ...detail },
    { name: 'user', value: ({ user }) => user, ...detail, ...minor(3) },
    {
      name: 'topic',
      value: (event) => event.topic,
      // A table has one column for what happened; from a change of state, its topic is clear.
      head: 'EVENT',
      shown: (event) => event.toState ?? event.topic,
      ...detail,
    },
    { name: 'from_state', value: ({ fromState }) => fromState, ...detail, ...minor(2) },
    { name: 'to_state', value: ({ toState }) => toState, shown: () => '', ...detail, isMinor: true },
    {
      name: 'data',
      value: ({ data }) => parseData(data),
      json: ({ data }) => (parseJson(data).ok ? formatPrintedJson(readPrintedJson(data)) : undefined),
      shown: ({ data }) => (data === '{}' ? '' : data),
      shrinks: true,
      ...(!isLog && minor(1)),
    },
  ];
}

/** Another writer may store what is no JSON, or is nested so deeply that it could not be printed as a value. */
function parseData(json: string): JsonValue {
  const parsed = parseJson(json);
  return parsed.ok ? (parsed.value as JsonValue) : json;
}

const TOPIC_COLUMNS: readonly Column<TopicCount>[] = [
  { name: 'topic', value: ({ topic }) => topic },
  { name: 'events', value: ({ events }) => events, align: 'right' },
];
