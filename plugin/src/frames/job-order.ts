/** A column by choice: a tag of the jobs, or a key of their configurations. */
export type FacetId = `tag:${string}` | `config:${string}`;

/** What a list of jobs is sorted by. */
export type SortKey = 'state' | 'job' | 'started' | 'duration' | 'user' | 'nodes' | FacetId;

/** `undefined` in place of it: what runs first, then what waits, then the rest; each newest first. */
export interface JobsOrder {
  readonly key: SortKey;
  readonly isDescending: boolean;
}

const PATTERN = /^(?:tag|config):/;

export function isFacetId(value: unknown): value is FacetId {
  return typeof value === 'string' && PATTERN.test(value);
}

/** Numbers sort as numbers, however they were written, and before texts. */
export function readSortable(text: string | undefined): number | string | undefined {
  if (text === undefined || text.trim() === '') return undefined;
  const number = Number(text);
  return Number.isNaN(number) ? text : number;
}

type Cell = string | number | undefined;

/** As a person counts: `job-9` comes before `job-10`. */
const COLLATOR = new Intl.Collator('en', { numeric: true });

/** What is not known comes last, whichever way the rest is sorted. */
export function compareCells(left: Cell, right: Cell, isDescending: boolean): number {
  if (left === undefined || right === undefined) return Number(left === undefined) - Number(right === undefined);
  return (isDescending ? -1 : 1) * compareKnown(left, right);
}

function compareKnown(left: string | number, right: string | number): number {
  if (typeof left === 'string' && typeof right === 'string') return COLLATOR.compare(left, right);
  if (typeof left !== typeof right) return typeof left === 'number' ? -1 : 1;
  return left < right ? -1 : left > right ? 1 : 0;
}
