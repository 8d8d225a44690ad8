/** How panes share a space: all of one size, row by row. */
export interface PaneGrid {
  readonly columns: number;
  readonly rowHeightPx: number;
  /** All rows and the gaps between them: more than the space where the panes have to be scrolled. */
  readonly heightPx: number;
}

export const PANE_GAP_PX = 8;
/** A smaller graph shows no shape any more. Half a panel of a screen of 1280 pixels has room for two. */
const MIN_WIDTH_PX = 264;
export const MIN_PANE_HEIGHT_PX = 150;
/** The shape that a graph reads best in. */
const BEST_RATIO = 2.2;
const SCROLLED_WIDTH_PX = 360;
const MAX_SCROLLED_HEIGHT_PX = 240;

function createGrid(count: number, columns: number, rowHeightPx: number): PaneGrid {
  const rows = Math.ceil(count / columns);
  return { columns, rowHeightPx, heightPx: rows * rowHeightPx + (rows - 1) * PANE_GAP_PX };
}

function measureColumn(width: number, columns: number): number {
  return (width - (columns - 1) * PANE_GAP_PX) / columns;
}

/** How far a grid is from the best: the shape of its panes, and the share of the space that stays empty. */
function measureBadness(count: number, width: number, { columns, rowHeightPx }: PaneGrid): number {
  const shape = Math.abs(Math.log(measureColumn(width, columns) / rowHeightPx / BEST_RATIO));
  const cells = Math.ceil(count / columns) * columns;
  return shape + (cells - count) / cells;
}

/** The columns and rows of some panes: all in sight where there is room for it, else a grid to scroll. */
export function layOutPanes(count: number, width: number, height: number): PaneGrid {
  if (count <= 1) return createGrid(1, 1, Math.max(MIN_PANE_HEIGHT_PX, Math.floor(height)));
  const most = Math.max(1, Math.min(count, Math.floor((width + PANE_GAP_PX) / (MIN_WIDTH_PX + PANE_GAP_PX))));
  const grids = Array.from({ length: most }, (_, index) => {
    const rows = Math.ceil(count / (index + 1));
    return createGrid(count, index + 1, Math.floor((height - (rows - 1) * PANE_GAP_PX) / rows));
  }).filter(({ rowHeightPx }) => rowHeightPx >= MIN_PANE_HEIGHT_PX);
  const [best] = grids.sort((a, b) => measureBadness(count, width, a) - measureBadness(count, width, b));
  if (best !== undefined) return best;
  const columns = Math.max(1, Math.min(most, Math.round(width / SCROLLED_WIDTH_PX)));
  const shaped = Math.floor(measureColumn(width, columns) / BEST_RATIO);
  return createGrid(count, columns, Math.min(MAX_SCROLLED_HEIGHT_PX, Math.max(MIN_PANE_HEIGHT_PX, shaped)));
}
