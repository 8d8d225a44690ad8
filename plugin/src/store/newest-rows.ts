import type { SelectStatement } from '@joblens/core/influxql/nodes';
import { printStatement } from '@joblens/core/influxql/print';
import type { ResultSeries, StatementResult } from '@joblens/core/influxql/response';
import { map, type Observable, of, switchMap } from 'rxjs';
import type { InfluxdbClient } from './influxdb-client.js';
import { createKept, type Kept } from './kept.js';
import { createPage, mergePage, type NewestRows, type Page, type PageRange, planRefresh } from './refresh-page.js';

export interface NewestRowsReader {
  /**
   * The result of each statement for the range, as if it had been asked for in full. Errors with StoreError.
   * Within a minute it sees rewritten rows beyond the newest ones and, where rows are never rewritten, those that came
   * late or were deleted. Everything else it sees at once.
   */
  read(queries: readonly NewestRows[], range: PageRange, monotonicMs: number): Observable<readonly StatementResult[]>;
}

/** Reads newest rows incrementally. One reader a data source: its panels share what it keeps. */
export function createNewestRowsReader(client: InfluxdbClient, kept: Kept<Page> = createKept()): NewestRowsReader {
  return {
    read: (queries, range, monotonicMs) => {
      if (queries.length === 0) return of([]);
      const asked = queries.map((query) => {
        const key = nameNewestRows(query);
        const page = kept.get(key);
        return { query, key, page, plan: page && planRefresh(page, query, range, monotonicMs) };
      });
      return client.query(asked.flatMap(({ query, plan }) => plan?.statements ?? [selectAll(query, range)])).pipe(
        switchMap((results) => {
          const rest = [...results];
          const pages = asked.map(({ query, page, plan }) => {
            const own = rest.splice(0, plan?.statements.length ?? 1);
            if (page === undefined || plan === undefined) return createPage(query, range, own[0], monotonicMs);
            return mergePage(page, query, range, plan, own, monotonicMs);
          });
          return readDoubtful(client, queries, range, pages, monotonicMs);
        }),
        map((pages) =>
          pages.map((page, index) => {
            kept.set(asked[index]?.key ?? '', page);
            return toResult(page, index);
          })
        )
      );
    },
  };
}

/** Asks in full for the pages whose refresh did not fit together. */
function readDoubtful(
  client: InfluxdbClient,
  queries: readonly NewestRows[],
  range: PageRange,
  pages: ReadonlyArray<Page | undefined>,
  monotonicMs: number
): Observable<readonly Page[]> {
  const doubtful = queries.filter((_, index) => pages[index] === undefined);
  if (doubtful.length === 0) return of(pages.filter((page) => page !== undefined));
  return client.query(doubtful.map((query) => selectAll(query, range))).pipe(
    map((results) => {
      const rest = [...results];
      return queries.map((query, index) => pages[index] ?? createPage(query, range, rest.shift(), monotonicMs));
    })
  );
}

function selectAll({ select, limit }: NewestRows, range: PageRange): SelectStatement {
  return select({ ...range, limit });
}

/** Everything in the question but its range. */
export function nameNewestRows({ select, limit }: NewestRows): string {
  return printStatement(select({ fromNs: 0n, toNs: 0n, limit }));
}

function toResult({ name, columns, rows, isPartial }: Page, statement_id: number): StatementResult {
  if (rows.length === 0) return { statement_id };
  const series: ResultSeries = { name, columns, values: rows };
  return { statement_id, series: [series], ...(isPartial && { partial: true }) };
}
