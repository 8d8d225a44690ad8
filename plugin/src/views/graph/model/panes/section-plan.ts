import type { GraphLine, GraphModel } from '../lines/graphs.js';
import { createKeyFilter } from './key-filter.js';
import { layOutPanes, MIN_PANE_HEIGHT_PX, type PaneGrid } from './pane-grid.js';
import { createPanes, pickPanes, type Pane } from './panes.js';
import type { GraphSettings } from './settings.js';

/**
 * Where the legend of a section is: each graph's own in its head, one list, or one table. `owners` is a list of those
 * that wrote the lines.
 */
export type LegendPlace =
  'heads' | 'bottom-list' | 'right-list' | 'bottom-owners' | 'right-owners' | 'bottom-table' | 'right-table' | 'none';

/** What is drawn of the tables that share an X, and where. */
export interface SectionPlan {
  readonly graph: GraphModel;
  /** All graphs with a key that passes the filter. */
  readonly allPanes: readonly Pane[];
  /** At first, some of them are picked, since they are many. */
  readonly hasPick: boolean;
  /** The panes that are drawn. */
  readonly panes: readonly Pane[];
  /** Lines of the picked graphs that are not drawn, since all lines of their graph are hidden. */
  readonly hiddenLines: readonly GraphLine[];
  readonly legend: LegendPlace;
  readonly legendPx: number;
  readonly grid: PaneGrid;
  readonly widthPx: number;
  readonly heightPx: number;
}

export interface PlanInput {
  readonly graphs: readonly GraphModel[];
  readonly settings: GraphSettings;
  readonly hidden: ReadonlySet<string>;
  readonly width: number;
  readonly height: number;
}

export const TOOLBAR_HEIGHT_PX = 34;
const SCROLLBAR_PX = 14;
const MIN_SECTION_PX = TOOLBAR_HEIGHT_PX + MIN_PANE_HEIGHT_PX;
const ROOM_FOR_SIDE_LEGEND_PX = 640;
const MANY_LINES = 8;
const SIDE_LIST_PX = 200;
const SIDE_TABLE_PX = 340;
const LEGEND_ROW_PX = 22;
const MAX_LIST_ROWS = 3;
/** What a letter of the legend is wide at most, and what surrounds a name. */
const [LETTER_PX, ITEM_PX] = [7, 38];

function measureNames(names: readonly string[], width: number): number {
  return names.reduce((sum, name) => sum + Math.min(width, name.length * LETTER_PX + ITEM_PX), 0);
}

/** A name that does not fit begins a row. */
function countRows(names: readonly string[], width: number): number {
  let [rows, takenPx] = [0, Infinity];
  for (const name of names) {
    const namePx = measureNames([name], width);
    const isNewRow = takenPx + namePx > width;
    rows += isNewRow ? 1 : 0;
    takenPx = isNewRow ? namePx : takenPx + namePx;
  }
  return rows;
}

function measureList(names: readonly string[], width: number): number {
  const rows = Math.min(MAX_LIST_ROWS, countRows(names, width));
  return rows === 0 ? 0 : rows * LEGEND_ROW_PX + 4;
}

interface Space {
  readonly width: number;
  readonly height: number;
}

const namesOf = (lines: readonly GraphLine[]): readonly string[] => lines.map(({ name }) => name);

function fitIntoHeads(panes: readonly Pane[], { width, height }: Space): boolean {
  const paneWidth = width / layOutPanes(panes.length, width, height).columns;
  return panes.every(({ lines }) => measureNames(namesOf(lines), paneWidth) <= paneWidth);
}

function chooseLegend(
  { legend }: GraphSettings,
  panes: readonly Pane[],
  { owners, groupedBy }: GraphModel,
  space: Space
): LegendPlace {
  const { width } = space;
  const side = width >= ROOM_FOR_SIDE_LEGEND_PX ? 'right' : 'bottom';
  if (legend === 'hidden') return 'none';
  if (legend === 'table') return `${side}-table`;
  if (legend === 'list') return 'bottom-list';
  if (groupedBy !== undefined) return owners.size > MANY_LINES ? `${side}-owners` : 'bottom-owners';
  if (panes.length > 1) return owners.size < 2 || fitIntoHeads(panes, space) ? 'heads' : `${side}-owners`;
  const names = namesOf(panes.flatMap(({ lines }) => lines));
  // A head is one row.
  if (names.length <= MANY_LINES) return measureNames(names, width) <= width ? 'heads' : 'bottom-list';
  return `${side}-list`;
}

function measureLegend(place: LegendPlace, names: readonly string[], { width, height }: Space): number {
  switch (place) {
    case 'none':
      return 0;
    case 'right-list':
      return SIDE_LIST_PX;
    case 'right-owners':
      return SCROLLBAR_PX + Math.max(...names.map((name) => measureNames([name], SIDE_LIST_PX - SCROLLBAR_PX)));
    case 'right-table':
      return Math.min(SIDE_TABLE_PX, width * 0.4);
    case 'bottom-table':
      return Math.min(height / 3, (names.length + 1) * LEGEND_ROW_PX + 4);
    case 'heads':
    case 'bottom-list':
    case 'bottom-owners':
      return measureList(names, width);
  }
}

/** Remembers which of many graphs were picked, so that they stay while rows come in. */
export type PickMemory = Map<string, ReadonlySet<string>>;

function pickRemembered(graph: GraphModel, panes: readonly Pane[], memory: PickMemory): readonly Pane[] {
  // Constants stand behind what moves: the order changes as they begin to.
  const key = JSON.stringify([graph.id, panes.map(({ id }) => id).sort()]);
  const known = memory.get(key);
  if (known !== undefined) return panes.filter(({ id }) => known.has(id));
  const picked = pickPanes(panes);
  memory.set(key, new Set(picked.map(({ id }) => id)));
  return picked;
}

export function isLegendBeside(place: LegendPlace): boolean {
  return place.startsWith('right-');
}

export function isLegendOfOwners(place: LegendPlace): boolean {
  return place.endsWith('-owners');
}

interface Contents {
  readonly graph: GraphModel;
  readonly allPanes: readonly Pane[];
  readonly picked: readonly Pane[];
  readonly hasPick: boolean;
}

function createContents(graph: GraphModel, settings: GraphSettings, memory: PickMemory): Contents {
  const passes = createKeyFilter(settings.filter);
  const lines = graph.lines.filter(({ name, column }) => passes(name) || passes(column.name));
  const allPanes = createPanes(lines, settings.layout);
  const unfolded = allPanes.filter((pane) => pane.isCounter !== true);
  const first = settings.filter.trim() === '' ? pickRemembered(graph, unfolded, memory) : allPanes;
  return { graph, allPanes, picked: settings.showsAll ? allPanes : first, hasPick: first.length < allPanes.length };
}

function createPlan({ graph, allPanes, picked, hasPick }: Contents, input: PlanInput, share: number): SectionPlan {
  const { settings, hidden, width } = input;
  const panes = picked.filter(({ lines }) => lines.some(({ name }) => !hidden.has(name)));
  const hiddenLines = picked.filter((pane) => !panes.includes(pane)).flatMap((pane) => pane.lines);
  const legend = chooseLegend(settings, picked, graph, { width, height: share - TOOLBAR_HEIGHT_PX });
  const listed = legend === 'heads' ? hiddenLines : picked.flatMap((pane) => pane.lines);
  const names = isLegendOfOwners(legend) ? [...graph.owners.values()] : namesOf(listed);
  const legendPx = measureLegend(legend, names, { width, height: share });
  const isBeside = isLegendBeside(legend);
  const below = TOOLBAR_HEIGHT_PX + (isBeside ? 0 : legendPx);
  const grid = layOutPanes(panes.length, width - (isBeside ? legendPx : 0), share - below);
  return {
    graph,
    allPanes,
    hasPick,
    panes,
    hiddenLines,
    legend,
    legendPx,
    grid,
    widthPx: width,
    heightPx: grid.heightPx + below,
  };
}

/** A height divided by weights, none below the least that a section needs. */
export function shareHeight(weights: readonly number[], height: number): readonly number[] {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const isLow = weights.map((weight) => (height * weight) / total < MIN_SECTION_PX);
  const lowCount = isLow.filter(Boolean).length;
  const rest = Math.max(0, height - lowCount * MIN_SECTION_PX);
  const restTotal = weights.reduce((sum, weight, index) => sum + (isLow[index] ? 0 : weight), 0);
  return weights.map((weight, index) =>
    isLow[index] ? MIN_SECTION_PX : Math.max(MIN_SECTION_PX, Math.floor((rest * weight) / restTotal))
  );
}

/** The sections of a view, one for each X, below each other: within the height where there is room, else scrolled. */
export function planSections(input: PlanInput, memory: PickMemory): readonly SectionPlan[] {
  const contents = input.graphs.map((graph) => createContents(graph, input.settings, memory));
  const plan = (width: number): readonly SectionPlan[] => {
    const shares = shareHeight(
      contents.map(({ picked }) => Math.max(1, picked.length)),
      input.height
    );
    return contents.map((content, index) => createPlan(content, { ...input, width }, shares[index] ?? 0));
  };
  const plans = plan(input.width);
  return isScrolled(plans, input.height) ? plan(input.width - SCROLLBAR_PX) : plans;
}

export function isScrolled(plans: readonly SectionPlan[], height: number): boolean {
  return plans.reduce((sum, { heightPx }) => sum + heightPx, 0) > height;
}
