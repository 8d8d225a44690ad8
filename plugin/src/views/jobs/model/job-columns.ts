import type { FacetId, SortKey } from '../../../frames/job-order.js';
import { nameFacet } from './facets.js';

type ColumnId = 'state' | 'job' | 'last' | 'started' | 'duration' | 'user' | 'nodes' | 'details' | FacetId;

/** A column of the list, as wide as it is drawn. */
export interface JobsColumn {
  readonly id: ColumnId;
  readonly title: string;
  readonly widthPx: number;
  readonly sort?: SortKey;
}

/** How the jobs are laid out in a width. */
export interface JobsLayout {
  /** Else each job is a block of a few lines. */
  readonly isTable: boolean;
  /** Whether there is room for bars and for what tells how long a job still takes. */
  readonly isRoomy: boolean;
  /** The room of a line of a block. */
  readonly linePx: number;
  readonly columns: readonly JobsColumn[];
  /** The width of a table, which is scrolled where it is wider than the list. */
  readonly tablePx: number;
}

const TABLE_WIDTH_PX = 760;
const ROOMY_WIDTH_PX = 1080;
/** The list's own scroll bar takes room from its columns. */
const SCROLL_BAR_PX = 16;
/** Around a block, on both sides. */
const BLOCK_PADDING_PX = 8;
const FACET_PX = 104;
/** The least room of the job and its last values together, whatever columns there are. */
const MIN_REST_PX = 320;
/** The share of the room that the other columns leave. */
const JOB_SHARE = 0.36;

interface FixedColumn extends Omit<JobsColumn, 'widthPx'> {
  /** In a narrow table, and in a roomy one; none for what shares the rest. */
  readonly widths?: readonly [narrowPx: number, roomyPx: number];
}

const COLUMNS: readonly FixedColumn[] = [
  { id: 'state', title: 'State', sort: 'state', widths: [156, 192] },
  { id: 'job', title: 'Job', sort: 'job' },
  { id: 'last', title: 'Last values or reason' },
  { id: 'started', title: 'Started', sort: 'started', widths: [120, 124] },
  { id: 'duration', title: 'Duration', sort: 'duration', widths: [104, 176] },
  { id: 'user', title: 'User', sort: 'user', widths: [92, 104] },
  { id: 'nodes', title: 'Nodes', sort: 'nodes', widths: [0, 72] },
  { id: 'details', title: 'Details', widths: [64, 64] },
];

/** By what a list can be sorted, as its columns are named. */
export function listSorts(facets: readonly FacetId[]): ReadonlyArray<readonly [SortKey, string]> {
  return addFacets(facets).flatMap(({ sort, title }) => (sort === undefined ? [] : [[sort, title] as const]));
}

/** Columns by choice come before when a job started. */
function addFacets(facets: readonly FacetId[]): readonly FixedColumn[] {
  const at = COLUMNS.findIndex(({ id }) => id === 'started');
  const chosen = facets.map((id) => ({ id, title: nameFacet(id), sort: id, widths: [FACET_PX, FACET_PX] as const }));
  return [...COLUMNS.slice(0, at), ...chosen, ...COLUMNS.slice(at)];
}

/** Columns of a table get narrower, and the least of them go, before a job becomes a block. */
export function layOutJobs(widthPx: number, facets: readonly FacetId[] = []): JobsLayout {
  const isTable = widthPx >= TABLE_WIDTH_PX;
  const isRoomy = widthPx >= ROOMY_WIDTH_PX;
  const fixed = addFacets(facets).map((column) => ({ ...column, fixedPx: column.widths?.[isRoomy ? 1 : 0] }));
  const freePx = fixed.reduce((sum, { fixedPx = 0 }) => sum - fixedPx, widthPx - SCROLL_BAR_PX);
  const restPx = facets.length === 0 ? freePx : Math.max(MIN_REST_PX, freePx);
  const columns = fixed.map(({ widths: _widths, fixedPx, ...column }) => ({
    ...column,
    widthPx: fixedPx ?? Math.round(restPx * (column.id === 'job' ? JOB_SHARE : 1 - JOB_SHARE)),
  }));
  return {
    isTable,
    isRoomy,
    linePx: widthPx - BLOCK_PADDING_PX,
    tablePx: widthPx - SCROLL_BAR_PX + restPx - freePx,
    columns: columns.filter(({ widthPx: px }) => !isTable || px > 0),
  };
}
