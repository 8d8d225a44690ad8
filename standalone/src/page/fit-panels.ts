import type { PanelModel } from './dashboard-json.js';

/** A row of Grafana's grid, with the gap to the next one. */
const ROW_PX = 38;
/** What is above the grid and below it: the top bar, the controls, the margins. */
const AROUND_PX = 121;
/** Panels of at least so many rows are views, which show more when they are taller. */
const MIN_VIEW_ROWS = 10;

/** Stretches the views at the bottom of a dashboard to the end of a window that is taller than all panels. */
export function fitPanels(panels: readonly PanelModel[], windowPx: number): readonly PanelModel[] {
  const endOf = ({ position: { y, h } }: PanelModel): number => y + h;
  const end = panels.reduce((last, panel) => Math.max(last, endOf(panel)), 0);
  const spare = Math.floor((windowPx - AROUND_PX) / ROW_PX) - end;
  const isLast = (panel: PanelModel): boolean => endOf(panel) === end;
  if (spare <= 0 || !panels.filter(isLast).every(({ position }) => position.h >= MIN_VIEW_ROWS)) return panels;
  return panels.map((panel) =>
    isLast(panel) ? { ...panel, position: { ...panel.position, h: panel.position.h + spare } } : panel
  );
}
