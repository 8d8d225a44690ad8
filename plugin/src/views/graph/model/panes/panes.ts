import { rankKey } from '../../../../frames/main-key.js';
import { isCounter } from '../lines/counters.js';
import type { GraphLine } from '../lines/graphs.js';
import { groupKeys, readParent } from './key-groups.js';
import { measureMovement } from '../scales/movement.js';
import { findExtent, hasWidelyDifferentSizes, mergeExtents } from '../scales/scale.js';
import { groupBy } from '@joblens/core/lists/group-by';

/** How the lines of one X share graphs. `auto` is one graph where all of them can be read in it, else one a group. */
export const PANE_LAYOUTS = ['auto', 'one', 'unit', 'key'] as const;
export type PaneLayout = (typeof PANE_LAYOUTS)[number];

/** Lines that are drawn in one graph, with one Y axis. */
export interface Pane {
  readonly id: string;
  readonly title: string;
  readonly lines: readonly GraphLine[];
  /** All lines only count on: the graph comes last, and is folded. */
  readonly isCounter?: true;
}

/** More lines than these cannot be told apart in one graph. */
const MAX_LINES_IN_ONE = 8;
/** A line that uses less of the height than this lies flat. */
const FLAT_SHARE = 0.12;

/**
 * Whether each of these lines, drawn with one linear axis, still shows its shape. A constant has none to lose, but one
 * of another size would make the axis logarithmic, where the other lines lie flat.
 */
export function fitTogether(lines: readonly GraphLine[]): boolean {
  if (hasWidelyDifferentSizes(lines.map(({ ys }) => ys))) return false;
  const extents = lines.map((line) => findExtent(line.extremes));
  const all = mergeExtents(extents);
  if (all === undefined) return true;
  const height = all.max - all.min;
  return extents.every((extent) => {
    const span = extent === undefined ? 0 : extent.max - extent.min;
    return span === 0 || span >= height * FLAT_SHARE;
  });
}

/** Panes by what `read` finds for each line, in the order of their first lines. */
function groupLines(lines: readonly GraphLine[], read: (line: GraphLine) => string): readonly Pane[] {
  return Array.from(groupBy(lines, read), ([id, members]) => ({ id, title: chooseTitle(id, members), lines: members }));
}

function countKeys({ lines }: Pane): number {
  return new Set(lines.map(({ column }) => column.title)).size;
}

/** The key itself where the pane has no other. */
function chooseTitle(group: string, lines: readonly GraphLine[]): string {
  const titles = new Set(lines.map(({ column }) => column.title));
  const [only] = titles;
  return titles.size === 1 && only !== undefined ? only : group;
}

/** Whether a line is worth a place beside its siblings: a constant would only lie there. */
function isMoving({ ys }: GraphLine): boolean {
  const extent = findExtent(ys);
  return extent !== undefined && extent.min < extent.max;
}

/**
 * Joins the panes of single keys that share a path, such as `loss/box` and `loss/cls`, where they fit together. A
 * numbered path names one of many things: its keys rather belong to those of the others.
 */
function joinSiblings(panes: readonly Pane[]): readonly Pane[] {
  const parentOf = (pane: Pane): string => readParent(pane.lines[0]?.column.title ?? '');
  const single = panes.filter(
    (pane) => countKeys(pane) === 1 && /^\D+$/.test(parentOf(pane)) && pane.lines.every(isMoving)
  );
  const families = groupBy(single, parentOf);
  const joined = new Map<Pane, Pane | undefined>();
  for (const [parent, [first, ...rest]] of families) {
    const lines = [first, ...rest].flatMap((pane) => pane?.lines ?? []);
    if (first === undefined || rest.length === 0 || lines.length > MAX_LINES_IN_ONE || !fitTogether(lines)) continue;
    joined.set(first, { id: `${parent}/`, title: parent, lines });
    for (const pane of rest) joined.set(pane, undefined);
  }
  return panes.flatMap((pane) => (joined.has(pane) ? (joined.get(pane) ?? []) : pane));
}

function createGroupPanes(lines: readonly GraphLine[]): readonly Pane[] {
  const groups = groupKeys(lines.map(({ column }) => column.title));
  const panes = groupLines(lines, ({ column }) => groups.get(column.title) ?? column.title);
  return joinSiblings(panes.flatMap(splitTangle));
}

/** Splits a small group of keys, too, where many jobs or tasks give it more lines than one graph can show. */
function splitTangle(pane: Pane): readonly Pane[] {
  const isTangle = pane.lines.length > MAX_LINES_IN_ONE && countKeys(pane) > 1;
  return isTangle ? groupLines(pane.lines, ({ column }) => column.title) : [pane];
}

/**
 * The panes of a graph: those of the loss and of what tells how good it is, then those that move, in the order in which
 * their keys were printed, then constants, and what only counts on.
 */
export function createPanes(lines: readonly GraphLine[], layout: PaneLayout): readonly Pane[] {
  if (layout === 'one') return createOne(lines);
  const moving = lines.filter((line) => !isCounter(line));
  const counting = lines.filter((line) => moving.length > 0 && isCounter(line));
  const shown = sortPanes(layOut(moving.length === 0 ? lines : moving, layout));
  return [...shown, ...createCounterPanes(counting, layout)];
}

/** Never one for all, which would be named as that of the other lines. */
function createCounterPanes(lines: readonly GraphLine[], layout: PaneLayout): readonly Pane[] {
  const panes = layout === 'auto' ? createGroupPanes(lines) : layOut(lines, layout);
  return panes.map((pane) => ({ ...pane, id: `count ${pane.id}`, isCounter: true }));
}

function createOne(lines: readonly GraphLine[]): readonly Pane[] {
  return lines.length === 0 ? [] : [{ id: '', title: '', lines }];
}

function layOut(lines: readonly GraphLine[], layout: PaneLayout): readonly Pane[] {
  if (layout === 'key') return groupLines(lines, ({ column }) => column.title);
  if (layout === 'unit') return groupLines(lines, ({ column }) => column.field.config.unit ?? '');
  return lines.length <= MAX_LINES_IN_ONE && fitTogether(lines) ? createOne(lines) : createGroupPanes(lines);
}

function rankPane({ lines }: Pane): number {
  const ranks = lines.map((line) => rankKey(line.column.name));
  return lines.some(isMoving) ? Math.min(...ranks) : Infinity;
}

/** A sort that keeps the order of equals. */
function sortPanes(panes: readonly Pane[]): readonly Pane[] {
  const ranks = new Map(panes.map((pane) => [pane, rankPane(pane)]));
  return [...panes].sort((a, b) => {
    const [left, right] = [ranks.get(a) ?? 0, ranks.get(b) ?? 0];
    return left === right ? 0 : left - right;
  });
}

/** Graphs that are shown at first: so many groups of several keys, and so many single keys. */
const FIRST_GROUPS = 12;
const FIRST_KEYS = 12;
/** Few more than these are shown at once: nobody wants to click for the last two. */
const MAX_AT_ONCE = 16;

/**
 * Picks the panes to show at first: the groups of several keys, and the dozen of single keys that move most, in
 * their own order.
 */
export function pickPanes(panes: readonly Pane[]): readonly Pane[] {
  if (panes.length <= MAX_AT_ONCE) return panes;
  const movement = new Map(panes.map((pane) => [pane, Math.max(...pane.lines.map(({ ys }) => measureMovement(ys)))]));
  const liveliest = (candidates: readonly Pane[], count: number): readonly Pane[] =>
    [...candidates].sort((a, b) => (movement.get(b) ?? 0) - (movement.get(a) ?? 0)).slice(0, count);
  const picked = new Set([
    ...liveliest(
      panes.filter((pane) => countKeys(pane) > 1),
      FIRST_GROUPS
    ),
    ...liveliest(
      panes.filter((pane) => countKeys(pane) === 1),
      FIRST_KEYS
    ),
  ]);
  return panes.filter((pane) => picked.has(pane));
}
