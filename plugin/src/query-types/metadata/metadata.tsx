import type { DataFrame } from '@grafana/data';
import { InlineFieldRow } from '@grafana/ui';
import type { MetadataKind } from '@joblens/core/lines/metadata-kind';
import { createNamedTest, type NamedJob, selectNamed } from '@joblens/core/ask/reading/named-job';
import type { FindTablesRequest } from '@joblens/core/ask/tables/find-tables';
import { together } from '@joblens/core/ask/reading/reading';
import { findRowTables, joinTables } from '@joblens/core/ask/tables/row-tables';
import { readTables, tablesQuery, type TableSummary } from '@joblens/core/ask/tables/tables';
import React from 'react';
import { combineLatest, concat, defer, distinctUntilChanged, map, type Observable, of, switchMap, tap } from 'rxjs';
import { createJobPrefixer } from '../../frames/job-name.js';
import { createNotice } from '../../frames/notice.js';
import { askAhead } from './ask-ahead.js';
import { fillInFields } from '../parts/change-query.js';
import { JobFields, LimitField, NameField, TagField, TextField } from '../parts/editor-fields.js';
import { createOwnerNamer } from './metadata-frames.js';
import {
  parseFilters,
  readCount,
  readFoundRows,
  readSortColumn,
  readTimes,
  type SortQuestion,
  type TypedFilters,
} from './found-rows.js';
import { readRowsPage, readWhole, type RowsPage, type TableOfQuery, type TableReading } from './metadata-reading.js';
import { NameMultiSelect } from '../parts/NameSelect.js';
import { limitPieces } from './piece-limit.js';
import {
  describeParts,
  type EditorProps,
  fillIn,
  fillInJobs,
  type JoblensQuery,
  type QueryType,
  readLimit,
  type RunContext,
} from '../parts/query-type.js';
import { readRuleRows, type RuleRequest } from './rule-rows.js';
import { groupFrames, readGroups } from './run-groups.js';
import { runReading, runRowsReading } from '../parts/run-reading.js';
import { chooseJobs } from '../parts/tagged-jobs.js';
import type { ReadTable } from '../memory/table-memory.js';
import { readTrend, type TrendQuestion } from './trend-reading.js';

export interface MetadataQuery extends JoblensQuery {
  /** A table; may hold variables, empty means all. */
  series?: string;
  /** Keys of metadata lines; none means all, in the order printed. */
  fields?: string[];
  /**
   * The key of the configurations, or the tag, whose values make groups of the jobs in a graph; where its variable has
   * no value, the likeliest. Needs named jobs or a tag.
   */
  by?: string;
  /** A page of rows instead of whole tables. A view asks for it; it is never saved. */
  page?: MetadataPage;
  /** The course of the main number of each table instead. A view asks for it; it is never saved. */
  trend?: TrendQuestion;
  /** Makes the tables of lines of the log instead, both streams. A view asks for it; it is never saved. */
  rule?: MetadataKind;
}

/**
 * Rows one by one, as many as the query's `limit`, always oldest first in the frame. Without a page and without a
 * limit, a query gives each table whole in the time range: its rows, or, where they are too many, buckets of rows
 * (`folded` in the frame's meta), which the graph draws. A view of rows then asks for pages: the newest with
 * `{ page: {} }`, the one before with the `beforeNs` of the oldest row at hand, whose exact time is in the meta's
 * `tsNs`. The meta's `limited` says whether there are more.
 */
export interface MetadataPage {
  /** `desc` (default): the rows before `beforeNs`, or the newest. `asc`: those after `afterNs`, or the oldest. */
  readonly order?: 'asc' | 'desc';
  /** Nanoseconds in decimal: a number has too few digits. */
  readonly beforeNs?: string;
  readonly afterNs?: string;
  /** Only rows that pass all of these. */
  readonly filters?: TypedFilters;
  /** The rows of these instants instead. */
  readonly timesNs?: readonly string[];
  /** Instead how many rows pass the filters: the `totalRows` of a frame without rows. */
  readonly isCount?: boolean;
  /** Instead the column to sort the rows by; the meta's `part` says of which rows. */
  readonly sort?: SortQuestion;
  /** Only this table; these are names, never variables. A table without a task is another one than those with one. */
  readonly table?: Readonly<Record<'job' | 'user' | 'series', string>> & { readonly task?: string | undefined };
}

/** Rows of a page that has no limit. */
const PAGE_ROWS = 1000;
/** Lines of the log that a rule reads, the newest. */
const MAX_RULE_LINES = 100_000;
/** When a query finds more tables, it takes the newest. */
const MAX_TABLES = 100;
const FIND_EVERY_MS = 60_000;
/** About the memory of a table's description, as characters of two bytes. */
const CHARACTERS_OF_A_TABLE = 4000;

export const metadata: QueryType<MetadataQuery> = {
  label: 'Metadata',
  description: 'Tables of the metadata lines that jobs printed',
  run,
  // A new panel begins with nothing chosen: the tables of all jobs would be hundreds of lines that nobody asked for.
  isRunnable: ({ job, user, series, tag, filters = [], page }) =>
    [job, user, series, tag].some((text) => text !== undefined && text.length > 0) ||
    filters.length > 0 ||
    page?.table !== undefined,
  describe: ({ job, user, tag, series }) => describeParts('metadata', job, tag, user, series),
  fillIn: (query, scopedVars, templates) =>
    fillInFields(query, ['job', 'user', 'tag', 'series', 'task', 'by'], scopedVars, templates),
  Editor,
};

function run(query: MetadataQuery, context: RunContext): Observable<DataFrame[]> {
  if (query.page?.table !== undefined) return runOf(query, fillInJobs(query, context), context);
  const frames = chooseJobs(query, context).pipe(
    switchMap((job) => (job?.length === 0 ? of([]) : runOf(query, job ?? [], context)))
  );
  if (!isGrouped(query, context)) return frames;
  return combineLatest([frames, readGroups(query, context)]).pipe(map(([all, groups]) => groupFrames(all, groups)));
}

/** Rows, and the course of a list's jobs, are not drawn by group. */
function isGrouped({ by, page, trend, job, tag = '' }: MetadataQuery, context: RunContext): boolean {
  if (by === undefined || by === '' || page !== undefined || trend !== undefined) return false;
  return tag !== '' || fillIn(job, context).length > 0;
}

/** Tables of these jobs; of none means of all. */
function runOf(query: MetadataQuery, named: readonly NamedJob[], context: RunContext): Observable<DataFrame[]> {
  if (query.rule !== undefined) return readRuleRows(createRuleRequest(query, query.rule, context, named), context);
  const only = query.page?.table;
  const isNamed = named.length === 0 ? () => true : createNamedTest(named);
  const request = only ?? {
    ...selectNamed(named, fillIn(query.user, context)),
    series: fillIn(query.series, context),
    task: fillIn(query.task, context),
  };
  const question = JSON.stringify(['tables', request]);
  const isWanted = (table: TableSummary): boolean => (only === undefined ? isNamed(table) : table.task === only.task);
  const known = context.tables.recall(question, context);
  const before = (known?.tables ?? []).filter(isWanted);
  return askAhead(tablesQuery(request), createReadings(query, before, context).readings, context).pipe(
    switchMap(({ result, context: informed }) => {
      const described = readTables(result);
      // The course of a list's jobs, and a page of one table, need no others.
      const isPart = query.trend !== undefined || only !== undefined;
      const isWhole = request.job.length === 0 || (isPart && described.some(isWanted));
      const found: Observable<AloneTables> = isWhole
        ? of({ alone: [] })
        : findAlone({ request, described, known }, context);
      return found.pipe(
        map((more) => ({ ...more, tables: joinTables(described, more.alone) })),
        tap((all) => {
          const characters = all.tables.length * CHARACTERS_OF_A_TABLE;
          context.tables.keep(question, context, { ...all, characters });
        }),
        distinctUntilChanged((a, b) => a.tables.length === b.tables.length && a.tables.length > 0),
        switchMap(({ tables }) => readFrames(query, tables.filter(isWanted), informed))
      );
    })
  );
}

interface AloneRequest {
  readonly request: Omit<FindTablesRequest, 'fromNs' | 'toNs'>;
  readonly described: readonly TableSummary[];
  readonly known: ReadTable | undefined;
}

interface AloneTables extends Pick<ReadTable, 'foundAtMs'> {
  readonly alone: readonly TableSummary[];
}

/**
 * The tables of a job of which there are rows alone, from a writer that does not describe them. They are looked for
 * once a minute, and meanwhile those that were known are shown.
 */
function findAlone({ request, described, known }: AloneRequest, context: RunContext): Observable<AloneTables> {
  const { monotonicMs, client, fromNs, toNs } = context;
  const { alone = [], foundAtMs } = known ?? {};
  const isKnown = alone.length + described.length > 0;
  if (isKnown && foundAtMs !== undefined && monotonicMs - foundAtMs < FIND_EVERY_MS) return of({ alone, foundAtMs });
  const read = () => findRowTables({ ...request, fromNs, toNs }, described, MAX_TABLES);
  const found = runReading(read, { client }).pipe(map((tables) => ({ alone: tables, foundAtMs: monotonicMs })));
  return isKnown ? concat(of({ alone, foundAtMs }), found) : found;
}

function createRuleRequest(
  query: MetadataQuery,
  rule: MetadataKind,
  context: RunContext,
  named: readonly NamedJob[]
): RuleRequest {
  const { refId, page, limit } = query;
  return {
    ...{ refId, rule, fromNs: context.fromNs, toNs: context.toNs, order: page?.order ?? 'desc' },
    ...selectNamed(named, fillIn(query.user, context)),
    ...(named.length > 0 && { isWanted: createNamedTest(named) }),
    task: fillIn(query.task, context),
    ...{ beforeNs: parseTime(page?.beforeNs), afterNs: parseTime(page?.afterNs) },
    limit: readLimit(limit, page === undefined ? MAX_RULE_LINES : PAGE_ROWS),
  };
}

function readFrames(
  query: MetadataQuery,
  found: readonly TableSummary[],
  context: RunContext
): Observable<DataFrame[]> {
  return defer(() => {
    const { readings, missing } = createReadings(query, found, context);
    return runRowsReading(() => together(readings), context).pipe(
      map((frames) => noteMissingTables([...frames], missing, isGrouped(query, context)))
    );
  });
}

interface Readings {
  readonly readings: readonly TableReading[];
  /** The number of tables beyond the limit. */
  readonly missing: number;
}

function createReadings(query: MetadataQuery, found: readonly TableSummary[], context: RunContext): Readings {
  const fields = (query.fields ?? []).flatMap((field) => fillIn(field, context));
  const wanted = found
    .map((table) => ({
      table,
      keys: fields.length === 0 ? table.keys : table.keys.filter((key) => fields.includes(key)),
    }))
    .filter(({ keys }) => keys.length > 0);
  const tables = wanted.slice(-MAX_TABLES);
  const prefixJob = createJobPrefixer(tables.map(({ table }) => table));
  const nameOwners = createOwnerNamer(tables.map(({ table }) => table));
  const page = createPage(query, context);
  const readings = tables.map((table) => {
    const part = {
      refId: query.refId,
      jobPrefix: prefixJob(table.table),
      owners: nameOwners(table.table),
      ...table,
    };
    if (query.trend !== undefined) return readTrend(part, query.trend, context);
    if (page !== undefined) return readPage(part, query.page ?? {}, page, context);
    return readWhole(part, context, limitPieces(part.keys.length, tables.length, context.widthPx));
  });
  return { readings, missing: wanted.length - tables.length };
}

function readPage(
  table: TableOfQuery,
  { filters: typed = [], timesNs, isCount, sort }: MetadataPage,
  page: RowsPage,
  context: RunContext
): TableReading {
  const filters = parseFilters(typed);
  if (timesNs !== undefined)
    return readTimes(
      table,
      timesNs.map((timeNs) => BigInt(timeNs))
    );
  if (sort !== undefined) return readSortColumn(table, page, filters, sort);
  if (isCount === true && filters.size > 0) return readCount(table, page, filters);
  return filters.size > 0 ? readFoundRows(table, page, filters) : readRowsPage(table, page, context);
}

/** The rows that a query asks for; undefined: whole tables. */
function createPage({ page, limit }: MetadataQuery, { fromNs, toNs }: RunContext): RowsPage | undefined {
  if (page === undefined && limit === undefined) return undefined;
  return {
    ...{ fromNs, toNs, order: page?.order ?? 'desc', limit: readLimit(limit, PAGE_ROWS) },
    beforeNs: parseTime(page?.beforeNs),
    afterNs: parseTime(page?.afterNs),
  };
}

function parseTime(timeNs: string | undefined): bigint | undefined {
  return timeNs === undefined ? undefined : BigInt(timeNs);
}

function noteMissingTables(frames: DataFrame[], missing: number, hasMeans: boolean): DataFrame[] {
  const [first] = frames;
  if (missing === 0 || first === undefined) return frames;
  const notices = [
    ...(first.meta?.notices ?? []),
    createNotice(
      `The newest ${MAX_TABLES} tables; ${missing} older ones are not shown${hasMeans ? ', nor in any mean' : ''}.`
    ),
  ];
  first.meta = { ...first.meta, notices };
  return frames;
}

function Editor(props: EditorProps<MetadataQuery>): React.ReactElement {
  const { query, change, loadNames } = props;
  return (
    <>
      <JobFields {...props} allJobs="Choose a job, or $job" />
      <InlineFieldRow>
        <NameField
          {...props}
          part="series"
          kind="series"
          label="Table"
          placeholder="All tables"
          tooltip="Metadata lines with the same keys make one table"
        />
        <NameMultiSelect
          id={`${query.refId}-fields`}
          label="Keys"
          tooltip="The columns to show"
          placeholder="All keys"
          values={query.fields}
          loadNames={loadNames('fields')}
          onChange={(fields) => change({ fields })}
        />
      </InlineFieldRow>
      <InlineFieldRow>
        <TagField {...props} />
        <TextField
          {...props}
          part="by"
          label="Group by"
          placeholder="No groups"
          tooltip="In graphs of several jobs: the key of the configurations, or the tag, whose values make the groups"
        />
        <LimitField {...props} defaultLimit="Whole tables" />
      </InlineFieldRow>
    </>
  );
}
