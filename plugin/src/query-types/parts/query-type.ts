import type { DataFrame, ScopedVars } from '@grafana/data';
import type { DataQuery } from '@grafana/schema';
import { type NamedJob, parseNamedJob } from '@joblens/core/ask/reading/named-job';
import type { Statement } from '@joblens/core/influxql/nodes';
import { printStatement } from '@joblens/core/influxql/print';
import type React from 'react';
import type { Observable } from 'rxjs';
import type { InfluxdbClient } from '../../store/influxdb-client.js';
import type { NewestRowsReader } from '../../store/newest-rows.js';
import type { TagFilter } from '../../store/tag-filters.js';
import type { AnsweredQuestions } from '../memory/answered-questions.js';
import type { DescribedJobs } from '../memory/described-jobs.js';
import type { JobRangeMemory } from '../memory/job-range-memory.js';
import type { TableMemory } from '../memory/table-memory.js';
import { interpolateValues, type TemplateSource } from '../../template/template.js';

/**
 * The fields that queries of all types share. `job`, `user` and `task` may hold template variables; empty means all.
 */
export interface JoblensQuery extends DataQuery {
  queryType?: string;
  job?: string;
  user?: string;
  task?: string;
  /** `KEY=VALUE`, for types that find jobs by a tag: those with it, where `job` names none. May hold variables. */
  tag?: string;
  /** Only points that pass all of these: clicks in Explore set them. */
  filters?: TagFilter[];
  /** Lines of a log, rows of each table, or jobs; the newest are taken. */
  limit?: number;
}

/** Everything a query needs to run, beside the query itself. */
export interface RunContext {
  readonly client: InfluxdbClient;
  /** For rows that a refresh asks for again: it reads only what is new. */
  readonly newestRows: NewestRowsReader;
  /** For tables that a refresh reads again: it continues from here. */
  readonly tables: TableMemory;
  /** For links to jobs: those that have ended are described once. */
  readonly jobRanges: JobRangeMemory;
  /** For named jobs: a refresh asks for their descriptions alone. */
  readonly describedJobs: DescribedJobs;
  /** Questions whose last answer stays on the page until the next one comes. */
  readonly answered: AnsweredQuestions;
  readonly templates: TemplateSource;
  readonly scopedVars: ScopedVars;
  readonly fromNs: bigint;
  readonly toNs: bigint;
  /** The range ends now: what a clock that is ahead wrote belongs to it. */
  readonly isOpen?: boolean;
  /** The wall clock, for times that are stored or shown. */
  readonly nowMs: number;
  /** Since the page was opened, by a clock that is never set: for the ages of answers. */
  readonly monotonicMs: number;
  /** The width of the panel, or the most points that it is set to show; undefined if the host does not say it. */
  readonly widthPx: number | undefined;
  /** Programs that leave no heartbeats write jobs, too: the setting of the data source. */
  readonly hasOtherWriters: boolean;
}

export const VARIABLE_KINDS = [
  ...(['jobs', 'users', 'series', 'fields', 'topics', 'states', 'categories', 'workers'] as const),
] as const;
export type VariableKind = (typeof VARIABLE_KINDS)[number];

/** Names for a list to choose from. */
export interface FoundNames {
  readonly names: readonly string[];
  /** Whether the store may have more than these. */
  readonly isLimited: boolean;
  /** How often each of them occurs, where that is known. */
  readonly counts?: ReadonlyMap<string, number>;
}

export interface EditorProps<Q extends JoblensQuery> {
  readonly query: Q;
  /** Saves these parts and runs the query; `undefined` takes a part away. */
  readonly change: (changes: { readonly [K in keyof Q]?: Q[K] | undefined }) => void;
  readonly loadNames: (kind: VariableKind) => (search: string) => Promise<FoundNames>;
}

/**
 * One type of query: what it asks the store, the frames it makes of the answer, and the fields that edit it.
 * The parts of Q beyond JoblensQuery are optional, since a query that changes its type keeps what it has.
 */
export interface QueryType<Q extends JoblensQuery = JoblensQuery> {
  readonly label: string;
  readonly description: string;
  /** False when there is nothing to ask. Default: there is. */
  isRunnable?(query: Q): boolean;
  /** Errors with StoreError, and with RangeError where a variable has values that the query cannot take. */
  run(query: Q, context: RunContext): Observable<DataFrame[]>;
  /** The query in one line. */
  describe(query: Q): string;
  /** The query with the variables of its own fields filled in. */
  fillIn(query: Q, scopedVars: ScopedVars, templates: TemplateSource): Q;
  readonly Editor: (props: EditorProps<Q>) => React.ReactElement;
}

/** The values of a query field. A list, which a view may ask for, holds names as they are. */
export function fillIn(text: string | readonly string[] | undefined, { scopedVars, templates }: RunContext): string[] {
  if (typeof text === 'object') return [...text];
  return interpolateValues(text, scopedVars, templates);
}

/**
 * The jobs that a query names, some perhaps with their users. A list, which a view may ask for, holds ids as they are;
 * and beside chosen users, what names somebody else is an id.
 */
export function fillInJobs(query: Pick<JoblensQuery, 'job' | 'user'>, context: RunContext): readonly NamedJob[] {
  const names = fillIn(query.job, context);
  if (typeof query.job === 'object') return names.map((job) => ({ job }));
  const users = fillIn(query.user, context);
  return names.map((name) => {
    const named = parseNamedJob(name);
    const isOther = named.user !== undefined && users.length > 0 && !users.includes(named.user);
    return isOther ? { job: name } : named;
  });
}

/** The text of a frame's `executedQueryString`. */
export function printAll(statements: readonly Statement[]): string {
  return statements.map(printStatement).join(';\n');
}

export function readLimit(limit: number | undefined, fallback: number): number {
  return limit !== undefined && Number.isFinite(limit) && limit >= 1 ? Math.floor(limit) : fallback;
}

export function describeParts(...parts: ReadonlyArray<string | undefined>): string {
  return parts.filter((part) => part !== undefined && part !== '').join(' · ');
}
