import type { JobRow } from '../../parts/job-rows.js';
import { STATE_KINDS, type StateKind } from '@joblens/core/words/states';
import { readStateKind } from '../../../frames/state-kind.js';
import { type FacetId, type Facets, isFacetId, readSortable } from './facets.js';
import { formatState, readReason } from '../../parts/job-state.js';

type FixedKey = 'state' | 'job' | 'started' | 'duration' | 'user' | 'nodes';
export type SortKey = FixedKey | FacetId;

/** `undefined`: what runs first, then what waits, then the rest; each newest first. */
export interface JobsOrder {
  readonly key: SortKey;
  readonly isDescending: boolean;
}

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

/** As a person counts: `job-9` comes before `job-10`. */
const COLLATOR = new Intl.Collator('en', { numeric: true });

function compare(left: string | number, right: string | number): number {
  if (typeof left === 'string' && typeof right === 'string') return COLLATOR.compare(left, right);
  if (typeof left !== typeof right) return typeof left === 'number' ? -1 : 1;
  return left < right ? -1 : left > right ? 1 : 0;
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
  const sign = order?.isDescending === true ? -1 : 1;
  return [...rows].sort((a, b) => {
    const [left, right] = [read(a), read(b)];
    if (left === undefined || right === undefined) return Number(left === undefined) - Number(right === undefined);
    return sign * compare(left, right);
  });
}

function chooseRead(key: SortKey, facetsOf: ((row: JobRow) => Facets) | undefined): ReadCell | undefined {
  if (!isFacetId(key)) return READ[key];
  return facetsOf && ((row) => readSortable(facetsOf(row).get(key)));
}
