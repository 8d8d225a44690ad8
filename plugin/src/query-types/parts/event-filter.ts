import { dateTimeParse, type ScopedVars } from '@grafana/data';
import type { EventFilter } from '@joblens/core/ask/events/event-filter';
import { toNs } from '../../frames/times.js';
import { interpolateValues, type TemplateSource } from '../../template/template.js';
import { changeQuery, fillInFields } from './change-query.js';
import { fillIn, type JoblensQuery, type RunContext } from './query-type.js';

/**
 * The parts of a query that say which events count; every text may hold variables. Beside these, `job` and `user` of
 * the query name one more each, or several by a variable.
 */
export interface EventFilterQuery extends JoblensQuery {
  jobs?: string[];
  users?: string[];
  /** `KEY=VALUE`; all must match. */
  tags?: string[];
  topics?: string[];
  fromStates?: string[];
  toStates?: string[];
  schedulerIds?: string[];
  /** A time as Grafana writes it: `now-1h`, ISO 8601, or milliseconds. Inclusive. */
  after?: string;
  before?: string;
  /** A part of the data, in any case. */
  text?: string;
}

const LISTS = ['jobs', 'users', 'tags', 'topics', 'fromStates', 'toStates', 'schedulerIds'] as const;
const TEXTS = ['job', 'user', 'task', 'after', 'before', 'text'] as const;

/** The filter with its variables filled in, within the time range of the panel. Throws RangeError, which says why. */
export function createEventFilter(query: EventFilterQuery, context: RunContext): EventFilter {
  const [afterNs, beforeNs] = [readTime('after', query.after, context), readTime('before', query.before, context)];
  const text = readOne('text', query.text, context);
  return {
    jobs: readNames([query.job, ...(query.jobs ?? [])], context),
    users: readNames([query.user, ...(query.users ?? [])], context),
    tags: Object.fromEntries((query.tags ?? []).flatMap((tag) => readTag(tag, context))),
    topics: readNames(query.topics, context),
    fromStates: readNames(query.fromStates, context),
    toStates: readNames(query.toStates, context),
    schedulerIds: readNames(query.schedulerIds, context),
    afterNs: afterNs !== undefined && afterNs > context.fromNs ? afterNs : context.fromNs,
    beforeNs: beforeNs !== undefined && beforeNs < context.toNs ? beforeNs : context.toNs,
    ...(text !== undefined && { text }),
  };
}

/** The names of all texts. One that is a variable set to "All" means all, whatever the others name. */
function readNames(texts: ReadonlyArray<string | undefined> = [], context: RunContext): string[] {
  const named = texts.filter((text) => text !== undefined && text.trim() !== '');
  const lists = named.map((text) => fillIn(text, context));
  return lists.some((list) => list.length === 0) ? [] : [...new Set(lists.flat())];
}

/** `undefined` without a text, and where it is a variable without one. */
function readOne(part: string, text: string | undefined, context: RunContext): string | undefined {
  const values = fillIn(text, context);
  if (values.length > 1) throw new RangeError(`${part}: ${text ?? ''} has ${values.length} values; choose one`);
  return values[0];
}

/** No value means any: the condition is left out. */
function readTag(tag: string, context: RunContext): (readonly [string, string])[] {
  const at = tag.indexOf('=');
  if (tag.trim() === '') return [];
  if (at < 1) throw new RangeError(`tag ${tag}: write KEY=VALUE, such as experiment=warmup`);
  const key = readOne('tag', tag.slice(0, at), context);
  const value = readOne(`tag ${key ?? ''}`, tag.slice(at + 1), context);
  return key === undefined || value === undefined ? [] : [[key, value]];
}

function readTime(part: string, text: string | undefined, context: RunContext): bigint | undefined {
  const written = readOne(part, text, context)?.trim();
  if (written === undefined) return undefined;
  const timeMs = /^\d+$/.test(written) ? Number(written) : dateTimeParse(written).valueOf();
  if (Number.isNaN(timeMs)) {
    throw new RangeError(`${part}: ${written} is no time; write now-1h, 2026-11-23T08:00:00Z or milliseconds`);
  }
  return toNs(timeMs);
}

/** The same query without variables; one set to "All" takes its condition along. */
export function fillInEventFilter<Q extends EventFilterQuery>(
  query: Q,
  scopedVars: ScopedVars,
  templates: TemplateSource
): Q {
  const lists = LISTS.flatMap((key) => {
    const texts = query[key];
    if (texts === undefined) return [];
    const filled = texts.map((text) => interpolateValues(text, scopedVars, templates));
    return [[key, filled.some((values) => values.length === 0) ? undefined : filled.flat()] as const];
  });
  const changed = changeQuery<EventFilterQuery>(query, Object.fromEntries(lists));
  return fillInFields(changed as Q, TEXTS, scopedVars, templates);
}

/** The parts that narrow a query, in a few words. */
export function listFilterParts(query: EventFilterQuery): string[] {
  const { job, user, after, before, text } = query;
  const lists = LISTS.flatMap((key) => query[key] ?? []);
  return [job, user, ...lists, after && `after ${after}`, before && `before ${before}`, text && `"${text}"`].filter(
    (part): part is string => part !== undefined && part !== ''
  );
}
