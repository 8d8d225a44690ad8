import type { PanelModel } from './dashboard-json.js';

/** A row of Grafana's grid, with the gap to the next one. */
const ROW_PX = 38;
/** The gap between two rows, which the last one of a panel lacks. */
const GAP_PX = 8;

/** A lower panel is no view, such as a number alone, and shows nothing more when it is taller. */
const MIN_VIEW_ROWS = 6;
/** Views do not become lower than this to end with the window. */
const MIN_SHORTER_ROWS = 10;
/** With less room, each view shows too little: there, the page is scrolled. */
const MIN_ROOM_PX = 680;
/** Views that are longer by more than this are meant to be. */
const MAX_SHORTER_ROWS = 6;
/** Panels are lowered to what they show, but not to less than this. */
const MIN_LOWERED_ROWS = 3;
/** The grid's columns. */
const WHOLE_WIDTH = 24;

/** The rows of the grid that so many pixels need. */
export function countRows(px: number): number {
  return Math.ceil((px + GAP_PX) / ROW_PX);
}

const endOf = ({ position: { y, h } }: PanelModel): number => y + h;

const findEnd = (panels: readonly PanelModel[]): number =>
  panels.reduce((last, panel) => Math.max(last, endOf(panel)), 0);

/**
 * The panels that may be lowered. They take the whole width, because a lower panel leaves a hole beside another one.
 * Others are below them, because the last ones end with the window.
 */
export function listLowered(panels: readonly PanelModel[]): readonly PanelModel[] {
  const end = findEnd(panels);
  return panels.filter((panel) => panel.position.w === WHOLE_WIDTH && endOf(panel) < end);
}

/**
 * Lowers the panels that show less than they have room for, and moves what is below them up.
 * @param needed the rows that a panel needs to show all that it has, by its id
 */
export function lowerPanels(panels: readonly PanelModel[], needed: ReadonlyMap<number, number>): readonly PanelModel[] {
  const lowered = new Set(listLowered(panels).map(({ id }) => id));
  const spareOf = ({ id, position: { h } }: PanelModel): number =>
    lowered.has(id) ? Math.max(0, h - Math.max(MIN_LOWERED_ROWS, needed.get(id) ?? h)) : 0;
  return panels.map((panel) => {
    const above = panels.filter((other) => endOf(other) <= panel.position.y);
    const y = panel.position.y - above.reduce((sum, other) => sum + spareOf(other), 0);
    return { ...panel, position: { ...panel.position, y, h: panel.position.h - spareOf(panel) } };
  });
}

/**
 * Fits the views at the bottom of a dashboard to the end of the window: taller where there is room below all panels,
 * lower where they are a little too long, so that no row is cut and only the views themselves are scrolled.
 * @param roomPx from the top of the grid to the end of the window
 */
export function fitPanels(panels: readonly PanelModel[], roomPx: number): readonly PanelModel[] {
  const end = findEnd(panels);
  const spare = Math.floor((roomPx + GAP_PX) / ROW_PX) - end;
  const isLast = (panel: PanelModel): boolean => endOf(panel) === end;
  const lowest = Math.min(...panels.filter(isLast).map(({ position }) => position.h));
  const isTooLong = spare < -MAX_SHORTER_ROWS || (spare < 0 && roomPx < MIN_ROOM_PX);
  const isTooLow = spare > 0 ? lowest < MIN_VIEW_ROWS : lowest + spare < MIN_SHORTER_ROWS;
  if (spare === 0 || isTooLong || isTooLow) return panels;
  return panels.map((panel) =>
    isLast(panel) ? { ...panel, position: { ...panel.position, h: panel.position.h + spare } } : panel
  );
}
