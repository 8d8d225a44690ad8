import { SceneGridItem, type SceneGridLayout } from '@grafana/scenes';
import type { PanelModel } from './dashboard-json.js';
import { countRows, fitPanels, listLowered, lowerPanels } from './fit-panels.js';

/** Below this width, the grid has one column, which is scrolled. */
const ONE_COLUMN_PX = 768;
const ITEM = 'data-griditem-key';

export const itemKey = (panelId: number): string => `grid-item-${panelId}`;

/**
 * Keeps the panels of a dashboard fitted to the window and to what they show, while both change.
 * @param main scrolls, and has the dashboard alone
 * @returns stops it
 */
export function keepFitted(main: HTMLElement, grid: SceneGridLayout, panels: readonly PanelModel[]): () => void {
  const needed = new Map<number, number>();
  const lowered = listLowered(panels);
  const keys = new Set(lowered.map(({ id }) => itemKey(id)));
  const observed = new WeakSet<Element>();
  let frame: number | undefined;
  const resizes = new ResizeObserver(() => fitSoon());
  const observe = (element: Element): void => {
    // To observe an element again reports its size again, without end.
    if (!observed.has(element)) resizes.observe(element);
    observed.add(element);
  };
  const fit = (): void => {
    frame = undefined;
    const element = main.querySelector<HTMLElement>('.react-grid-layout');
    if (element === null) return;
    for (const { id } of lowered) {
      const item = element.querySelector<HTMLElement>(`[${ITEM}="${itemKey(id)}"]`);
      const scroller = item === null ? undefined : findScroller(item);
      // A panel that loads keeps its height, and a graph fills any.
      if (item === null || scroller === undefined || scroller.querySelector('canvas') !== null) continue;
      needed.set(id, countRows(measureNeededPx(item, scroller)));
      [scroller, ...scroller.children].forEach(observe);
    }
    const low = lowerPanels(panels, needed);
    applyPositions(grid, main.clientWidth < ONE_COLUMN_PX ? low : fitPanels(low, measureRoomPx(main, element)));
  };
  const fitSoon = (): void => {
    frame ??= requestAnimationFrame(fit);
  };
  // The controls above the grid break into more rows, and push it down.
  [main, ...main.querySelectorAll(':scope > * > *')].forEach(observe);
  const changes = new MutationObserver((records) => {
    if (records.some(({ target }) => isFitted(target, keys))) fitSoon();
  });
  changes.observe(main, { childList: true, subtree: true });
  fitSoon();
  return () => {
    if (frame !== undefined) cancelAnimationFrame(frame);
    resizes.disconnect();
    changes.disconnect();
  };
}

/** Whether a change there can change what is fitted: in the panels that are lowered, and around all panels. */
function isFitted(target: Node, keys: ReadonlySet<string>): boolean {
  const item = (target instanceof Element ? target : target.parentElement)?.closest(`[${ITEM}]`);
  return item === null || item === undefined || keys.has(item.getAttribute(ITEM) ?? '');
}

function measureRoomPx(main: HTMLElement, grid: HTMLElement): number {
  const bottomPx = Number.parseFloat(getComputedStyle(main).paddingBottom);
  const topPx = grid.getBoundingClientRect().top - main.getBoundingClientRect().top + main.scrollTop;
  return main.clientHeight - topPx - (Number.isFinite(bottomPx) ? bottomPx : 0);
}

/** The height in which a panel shows all that its scroller has. */
function measureNeededPx(item: HTMLElement, scroller: Element): number {
  const topPx = scroller.getBoundingClientRect().top - scroller.scrollTop;
  const ends = [...scroller.children].map((child) => child.getBoundingClientRect().bottom - topPx);
  return item.clientHeight - scroller.clientHeight + Math.max(0, ...ends);
}

/**
 * The outermost element that scrolls what it has from top to bottom; the highest one of several, such as a legend. In a
 * panel that was lowered to the head of a table whose rows come later, it has nearly no height.
 */
function findScroller(element: Element): Element | undefined {
  let highest: Element | undefined;
  for (const child of element.children) {
    const found = isScroller(child) ? child : findScroller(child);
    if (found !== undefined && found.clientHeight > (highest?.clientHeight ?? 0)) highest = found;
  }
  return highest;
}

function isScroller(element: Element): boolean {
  return ['auto', 'scroll'].includes(getComputedStyle(element).overflowY);
}

function applyPositions(grid: SceneGridLayout, panels: readonly PanelModel[]): void {
  const positions = new Map(panels.map(({ id, position }) => [itemKey(id), position]));
  let isChanged = false;
  for (const item of grid.state.children) {
    const position = positions.get(item.state.key ?? '');
    if (!(item instanceof SceneGridItem) || position === undefined) continue;
    const { y, h: height } = position;
    if (item.state.y === y && item.state.height === height) continue;
    item.setState({ y, height });
    isChanged = true;
  }
  if (isChanged) grid.forceRender();
}
