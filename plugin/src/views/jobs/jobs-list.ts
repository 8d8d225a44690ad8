import type { JobRow } from '../parts/job-rows.js';
import { STATE_KINDS, type StateKind } from '@joblens/core/words/states';
import { readStateKind } from '../../frames/state-kind.js';
import { formatState, readReason } from '../parts/job-state.js';

export type SortKey = 'state' | 'job' | 'started' | 'duration' | 'user' | 'nodes';

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
  return left < right ? -1 : left > right ? 1 : 0;
}

const READ: Readonly<Record<SortKey, (row: JobRow) => string | number | undefined>> = {
  state: formatState,
  job: (row) => row.job,
  started: (row) => row.startedMs ?? row.submittedMs,
  duration: (row) => row.durationMs,
  user: (row) => row.user,
  nodes: (row) => row.nodes,
};

/** The sort is stable, and the rows come newest first. Unknown values are last. */
export function sortJobs(rows: readonly JobRow[], order: JobsOrder | undefined): readonly JobRow[] {
  if (order === undefined) return [...rows].sort((a, b) => readRank(a) - readRank(b));
  const read = READ[order.key];
  const sign = order.isDescending ? -1 : 1;
  return [...rows].sort((a, b) => {
    const [left, right] = [read(a), read(b)];
    if (left === undefined || right === undefined) return Number(left === undefined) - Number(right === undefined);
    return sign * compare(left, right);
  });
}
