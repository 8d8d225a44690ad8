import type { DataFrame, ScopedVars } from '@grafana/data';
import type { DataQuery } from '@grafana/schema';
import { printStatement, type Statement } from '@joblens/core';
import type React from 'react';
import type { Observable } from 'rxjs';
import type { InfluxdbClient } from '../store/influxdb-client.js';
import { interpolateValues, type TemplateSource } from '../template/template.js';

/**
 * The fields that queries of all types share. `job`, `user` and `task` may hold template variables; empty means all.
 */
export interface JoblensQuery extends DataQuery {
  queryType?: string;
  job?: string;
  user?: string;
  task?: string;
  /** Lines of a log, rows of each table, or jobs; the newest are taken. */
  limit?: number;
}

/** Everything a query needs to run, beside the query itself. */
export interface RunContext {
  readonly client: InfluxdbClient;
  readonly templates: TemplateSource;
  readonly scopedVars: ScopedVars;
  readonly fromNs: bigint;
  readonly toNs: bigint;
  readonly nowMs: number;
  /** A newer request with the same id aborts this one. */
  readonly requestId: string;
}

export type VariableKind = 'jobs' | 'users' | 'series' | 'fields';

export interface EditorProps<Q extends JoblensQuery> {
  readonly query: Q;
  /** Saves these parts and runs the query; `undefined` takes a part away. */
  readonly change: (changes: { readonly [K in keyof Q]?: Q[K] | undefined }) => void;
  readonly loadNames: (kind: VariableKind) => () => Promise<readonly string[]>;
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

/** The values of a query field. */
export function fillIn(text: string | undefined, { scopedVars, templates }: RunContext): string[] {
  return interpolateValues(text, scopedVars, templates);
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
