import { lastValueFrom, takeUntil, throwIfEmpty, type Observable } from 'rxjs';
import { type MetadataMeta, readMetadataMeta } from '../../../frames/frame-meta.js';
import type { TypedFilters } from '../../../query-types/metadata/found-rows.js';
import type { MetadataPage, MetadataQuery } from '../../../query-types/metadata/metadata.js';
import { createTables, type PanelTable } from '../../parts/components/tables.js';
import type { Ask } from '../../view.js';

/** Rows of one table in the store, oldest first. */
export interface RowPage {
  readonly table: PanelTable;
  /** There are more rows beyond them. */
  readonly hasMore: boolean;
  /** For a sort column: which rows it covers. */
  readonly part: MetadataMeta['part'];
}

/** Which rows: the next before or after an instant, or from one end. Times are nanoseconds in decimal. */
export type RowEdge = Pick<MetadataPage, 'order' | 'beforeNs' | 'afterNs'>;

/** Which rows of the table, or what else of it. */
export type RowQuestion = Omit<MetadataPage, 'table'>;

/** Reads rows of one table. Rejects with an Error whose message says why, and with an EmptyError when cancelled. */
export type ReadRows = (question: RowQuestion, limit: number, cancel?: Observable<unknown>) => Promise<RowPage>;

/** The names in a table's id; undefined for a frame of another source. */
function readIdentity({ id, kind }: PanelTable): MetadataPage['table'] | undefined {
  const parts: unknown = kind === 'metadata' ? JSON.parse(id) : undefined;
  if (!Array.isArray(parts)) return undefined;
  const [job, user, series, task] = parts as readonly (string | null | undefined)[];
  if (typeof job !== 'string' || typeof user !== 'string' || typeof series !== 'string') return undefined;
  return { job, user, series, ...(typeof task === 'string' && { task }) };
}

/** The way to the rows of a table that are not loaded; undefined where there is none. */
export function createRowReader(table: PanelTable, ask: Ask | undefined): ReadRows | undefined {
  const identity = readIdentity(table);
  if (ask === undefined || identity === undefined) return undefined;
  return async (question, limit, cancel) => {
    const query: Pick<MetadataQuery, 'page' | 'limit'> = { page: { ...question, table: identity }, limit };
    const answer = ask({ query });
    const frames = await lastValueFrom(cancel === undefined ? answer : answer.pipe(takeUntil(cancel), throwIfEmpty()));
    const [found] = frames.flatMap((frame) => {
      const [rows] = createTables([frame]);
      return rows?.id === table.id ? [{ rows, meta: readMetadataMeta(frame) }] : [];
    });
    const none = { ...table, columns: [], rowCount: 0, totalRows: 0, timesMs: [], timesNs: [] };
    const { rows = none, meta } = found ?? {};
    return { table: { ...rows, label: table.label }, hasMore: meta?.limited === true, part: meta?.part };
  };
}

const BULK_ROWS = 10_000;

/** All rows of a table that pass filters, oldest first, piece by piece. Rejects with an EmptyError when cancelled. */
export async function readAllRows(
  read: ReadRows,
  onPiece: (piece: PanelTable) => void,
  { filters, cancel }: { readonly filters: TypedFilters; readonly cancel?: Observable<unknown> }
): Promise<void> {
  let afterNs: string | undefined;
  for (;;) {
    const edge: RowEdge = { order: 'asc', ...(afterNs !== undefined && { afterNs }) };
    const { table, hasMore } = await read({ ...edge, ...(filters.length > 0 && { filters }) }, BULK_ROWS, cancel);
    onPiece(table);
    afterNs = table.timesNs?.[table.rowCount - 1];
    if (!hasMore || afterNs === undefined) return;
  }
}
