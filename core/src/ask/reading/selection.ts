import { createAnd, createOr, createTagEquals, createTimeComparison } from '../../influxql/build.js';
import type { Condition } from '../../influxql/nodes.js';
import { NS_PER_MS } from '../../numbers/time-units.js';
import { encodeName } from '../../schema/name-transport.js';

/** Where many jobs are chosen by name, one statement names so many of them. */
export const MAX_NAMED_JOBS = 500;

/** One name, any of several, or all (undefined, and an empty list too). Names as the user gave them. */
export type NameSelection = string | readonly string[] | undefined;

export interface TimeSelection {
  /** Inclusive. */
  readonly fromNs?: bigint | undefined;
  /** Inclusive. */
  readonly toNs?: bigint | undefined;
  /** Exclusive; for the page older than the one that is shown. */
  readonly beforeNs?: bigint | undefined;
}

/**
 * Any time that a store can have: it counts nanoseconds in 64 bits. A clock may be wrong by decades. Without a time,
 * InfluxDB 3 looks only at the last day.
 */
export const ANY_TIME = {
  fromNs: BigInt(Date.UTC(1678, 0)) * NS_PER_MS,
  toNs: BigInt(Date.UTC(2262, 0)) * NS_PER_MS,
} as const satisfies TimeSelection;
export const SINCE_EVER = { fromNs: ANY_TIME.fromNs } as const satisfies TimeSelection;

function listNames(selection: NameSelection): readonly string[] {
  if (selection === undefined) return [];
  return typeof selection === 'string' ? [selection] : selection;
}

/** `tag` is one of the selected names; undefined when all are. Points of other programs may lack it: theirs is ''. */
export function createTagCondition(tag: string, selection: NameSelection): Condition | undefined {
  return createOr(listNames(selection).map((name) => createNameCondition(tag, name)));
}

function createNameCondition(tag: string, name: string): Condition | undefined {
  const isNamed = createTagEquals(tag, encodeName(name));
  return name === '' ? createOr([isNamed, createTagEquals(tag, '')]) : isNamed;
}

/**
 * The points without a task. Ask only if some points have one: openGemini does not find points that lack a tag that no
 * point has.
 */
export function createNoTaskCondition(): Condition {
  return createTagEquals('task', '');
}

export function createTimeConditions(range: TimeSelection): ReadonlyArray<Condition | undefined> {
  return [
    range.fromNs === undefined ? undefined : createTimeComparison('>=', range.fromNs),
    range.toNs === undefined ? undefined : createTimeComparison('<=', range.toNs),
    range.beforeNs === undefined ? undefined : createTimeComparison('<', range.beforeNs),
  ];
}

/** `{ where }` when there is a condition, else nothing: for spreading into a statement. */
export function whereAll(...conditions: ReadonlyArray<Condition | undefined>): { readonly where?: Condition } {
  const where = createAnd(conditions);
  return where === undefined ? {} : { where };
}
