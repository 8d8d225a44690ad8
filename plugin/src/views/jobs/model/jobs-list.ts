import type { JobRow } from '../../parts/job-rows.js';
import { STATE_KINDS, type StateKind } from '@joblens/core/words/states';
import { formatState, readStateKind } from '../../../frames/state-kind.js';
import {
  compareCells,
  type FacetId,
  isFacetId,
  type JobsOrder,
  readSortable,
  type SortKey,
} from '../../../frames/job-order.js';
import { readReason } from '../../parts/job-state.js';
import type { Facets } from './facets.js';

type FixedKey = Exclude<SortKey, FacetId>;

/** Everything that a person may remember of a job, in small letters. */
function createHaystack(row: JobRow): string {
  const texts = [row.job, row.name, row.user, formatState(row), row.state, readReason(row), row.queue, row.host];
  return [...texts, row.command, row.workdir, row.schedulerId, ...row.tags, ...row.lastValues, row.values]
    .filter((text) => text !== undefined)
    .join('\n')
    .toLowerCase();
}

/** The jobs in which each word occurs somewhere, in their order. */
export function searchJobs(rows: readonly JobRow[], search: string): readonly JobRow[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return rows;
  return rows.filter((row) => {
    const haystack = createHaystack(row);
    return words.every((word) => haystack.includes(word));
  });
}

/** How many jobs there are of each kind of state that occurs. */
export function countKinds(rows: readonly JobRow[]): ReadonlyArray<readonly [StateKind, number]> {
  const counts = new Map<StateKind, number>();
  for (const row of rows) counts.set(readStateKind(row), (counts.get(readStateKind(row)) ?? 0) + 1);
  return STATE_KINDS.map((kind) => [kind, counts.get(kind) ?? 0] as const).filter(([, count]) => count > 0);
}

/** Running and waiting jobs need a look; how the others ended does not matter to their place. */
function readRank(row: JobRow): number {
  const kind = readStateKind(row);
  return kind === 'running' ? 0 : kind === 'waiting' ? 1 : 2;
}

type ReadCell = (row: JobRow) => string | number | undefined;

const READ: Readonly<Record<FixedKey, ReadCell>> = {
  state: formatState,
  job: (row) => row.job,
  started: (row) => row.startedMs ?? row.submittedMs,
  duration: (row) => row.durationMs,
  user: (row) => row.user,
  nodes: (row) => row.nodes,
};

/**
 * The sort is stable, and the rows come newest first. Unknown values are last. Without their facets, jobs cannot be
 * sorted by one: then they stay in the order that nobody has chosen.
 */
export function sortJobs(
  rows: readonly JobRow[],
  order: JobsOrder | undefined,
  facetsOf?: (row: JobRow) => Facets
): readonly JobRow[] {
  const read = order && chooseRead(order.key, facetsOf);
  if (read === undefined) return [...rows].sort((a, b) => readRank(a) - readRank(b));
  return [...rows].sort((a, b) => compareCells(read(a), read(b), order?.isDescending === true));
}

function chooseRead(key: SortKey, facetsOf: ((row: JobRow) => Facets) | undefined): ReadCell | undefined {
  if (!isFacetId(key)) return READ[key];
  return facetsOf && ((row) => readSortable(facetsOf(row).get(key)));
}
