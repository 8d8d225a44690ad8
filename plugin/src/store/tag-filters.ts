import {
  createAnd,
  createComparison,
  createOr,
  createRef,
  createStringLiteral,
  freezeNode,
} from '@joblens/core/influxql/build';
import { type Narrowing, narrowSelect, narrowStatement } from '@joblens/core/influxql/narrow';
import type { Condition, Source } from '@joblens/core/influxql/nodes';
import { MEASUREMENT } from '@joblens/core/schema/measurements';
import { encodeTagValue } from '@joblens/core/schema/name-transport';
import type { InfluxdbClient } from './influxdb-client.js';
import type { Kept } from './kept.js';
import type { NewestRowsReader } from './newest-rows.js';

/** A condition that a dashboard or a click in Explore adds: `=`, `!=`, `=~`, `!~`, `=|` (any of) or `!=|` (none of). */
export interface TagFilter {
  readonly key: string;
  readonly operator: string;
  readonly value: string;
  /** For `=|` and `!=|`. */
  readonly values?: readonly string[];
}

const OF_JOB = ['job', 'user'];
const OF_TABLE = [...OF_JOB, 'task', 'series'];

/** What a filter may name, by measurement. For others, the filter changes nothing. */
const KEYS: Readonly<Record<string, readonly string[]>> = {
  [MEASUREMENT.job]: OF_JOB,
  [MEASUREMENT.heartbeat]: OF_JOB,
  [MEASUREMENT.label]: OF_JOB,
  [MEASUREMENT.share]: OF_JOB,
  [MEASUREMENT.event]: [...OF_JOB, 'topic', 'from_state', 'to_state'],
  [MEASUREMENT.transition]: [...OF_JOB, 'from_state', 'to_state'],
  [MEASUREMENT.log]: [...OF_JOB, 'task', 'stream', 'kind', 'line'],
  [MEASUREMENT.series]: OF_TABLE,
  [MEASUREMENT.metadata]: OF_TABLE,
  [MEASUREMENT.metadataText]: OF_TABLE,
  [MEASUREMENT.metadataBucket]: OF_TABLE,
};

/** Fields of a log line; the others are tags, whose values are stored encoded. */
const FIELDS: ReadonlySet<string> = new Set(['kind', 'line']);

/** The tags that a list offers to filter by. */
export const FILTER_KEYS = ['job', 'user', 'task', 'stream', 'series'] as const;

/** More sets of filters at a time are not remembered. */
const MAX_FILTERED = 20;

const filteredClients = new WeakMap<InfluxdbClient, Map<string, InfluxdbClient>>();

/**
 * The same questions, each only of the points that pass all filters. The same filters give the same client: what was
 * read before is remembered by client.
 */
export function filterClient(client: InfluxdbClient, filters: readonly TagFilter[]): InfluxdbClient {
  if (filters.length === 0) return client;
  const clients = filteredClients.get(client) ?? new Map<string, InfluxdbClient>();
  filteredClients.set(client, clients);
  const key = JSON.stringify(filters);
  const filtered = clients.get(key) ?? narrowClient(client, filters);
  clients.delete(key);
  clients.set(key, filtered);
  const [oldest] = clients.keys();
  if (clients.size > MAX_FILTERED && oldest !== undefined) clients.delete(oldest);
  return filtered;
}

function narrowClient(client: InfluxdbClient, filters: readonly TagFilter[]): InfluxdbClient {
  return {
    ...client,
    query: (statements) => client.query(statements.map((one) => narrowStatement(one, narrowTo(filters)))),
  };
}

/** The same values, kept apart for different filters. */
export function filterKept<T>(kept: Kept<T>, filters: readonly TagFilter[]): Kept<T> {
  if (filters.length === 0) return kept;
  const prefix = JSON.stringify(filters);
  return {
    get: (key) => kept.get(prefix + key),
    set: (key, value) => {
      kept.set(prefix + key, value);
    },
  };
}

/** The same reader, which keeps rows of different filters apart. */
export function filterNewestRows(reader: NewestRowsReader, filters: readonly TagFilter[]): NewestRowsReader {
  if (filters.length === 0) return reader;
  return {
    read: (queries, range, monotonicMs) => {
      const filtered = queries.map((query) => ({
        ...query,
        select: (page: Parameters<typeof query.select>[0]) => narrowSelect(query.select(page), narrowTo(filters)),
      }));
      return reader.read(filtered, range, monotonicMs);
    },
  };
}

/** Filters of fields pass by where only names are read. */
function narrowTo(filters: readonly TagFilter[]): Narrowing {
  return (from, part) => {
    const known = listKeys(from);
    return filters.filter(({ key }) => known.has(key) && (part === 'points' || !FIELDS.has(key))).map(createCondition);
  };
}

function listKeys(from: readonly Source[]): ReadonlySet<string> {
  return new Set(from.flatMap((source) => (source.kind === 'measurement' ? (KEYS[source.name] ?? []) : [])));
}

function createCondition({ key, operator, value, values = [value] }: TagFilter): Condition | undefined {
  const left = createRef(key);
  const literal = (text: string) => createStringLiteral(FIELDS.has(key) ? text : encodeTagValue(text));
  switch (operator) {
    case '=':
      return createComparison(left, '=', literal(value));
    case '!=':
      return createComparison(left, '!=', literal(value));
    case '=|':
      return createOr(values.map((one) => createComparison(left, '=', literal(one))));
    case '!=|':
      return createAnd(values.map((one) => createComparison(left, '!=', literal(one))));
    case '=~':
    case '!~':
      return freezeNode({ kind: 'match', left, operator, source: value });
    default:
      throw new RangeError(`Joblens has no filter operator ${operator}: use =, !=, =~ or !~ for "${key}"`);
  }
}
