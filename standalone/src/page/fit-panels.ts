import type { PanelModel } from './dashboard-json.js';

/** A row of Grafana's grid, with the gap to the next one. */
const ROW_PX = 38;
/** What is above the grid and below it: the top bar, the controls, the margins. */
const AROUND_PX = 121;
/** Panels of at least so many rows are views, which show more when they are taller. */
const MIN_VIEW_ROWS = 10;

/** A lower window shows too little of each view: there, the page is scrolled. */
const MIN_WINDOW_PX = 800;
/** Views that are longer by more than this are meant to be. */
const MAX_SHORTER_ROWS = 6;

/**
 * Fits the views at the bottom of a dashboard to the end of the window: taller where there is room below all panels,
 * lower where they are a little too long, so that no row is cut and only the views themselves are scrolled.
 */
export function fitPanels(panels: readonly PanelModel[], windowPx: number): readonly PanelModel[] {
  const endOf = ({ position: { y, h } }: PanelModel): number => y + h;
  const end = panels.reduce((last, panel) => Math.max(last, endOf(panel)), 0);
  const spare = Math.floor((windowPx - AROUND_PX) / ROW_PX) - end;
  const isLast = (panel: PanelModel): boolean => endOf(panel) === end;
  const lowest = Math.min(...panels.filter(isLast).map(({ position }) => position.h));
  const isTooLong = spare < -MAX_SHORTER_ROWS || (spare < 0 && windowPx < MIN_WINDOW_PX);
  if (spare === 0 || isTooLong || lowest + Math.min(0, spare) < MIN_VIEW_ROWS) return panels;
  return panels.map((panel) =>
    isLast(panel) ? { ...panel, position: { ...panel.position, h: panel.position.h + spare } } : panel
  );
}

/** What a variable, a link and the time controls are wide, and what a further row of them is high. */
const [VARIABLE_PX, LINK_PX, TIME_PX, CONTROLS_ROW_PX] = [165, 115, 470, 46];

/** The height that the controls of a dashboard take beside their first row, which a narrow window breaks. */
export function measureMoreControls(
  { variables, links }: { readonly variables: number; readonly links: number },
  windowPx: number
): number {
  const widthPx = variables * VARIABLE_PX + links * LINK_PX + TIME_PX;
  return (Math.ceil(widthPx / windowPx) - 1) * CONTROLS_ROW_PX;
}
