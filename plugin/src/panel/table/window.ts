export interface RowWindow {
  /** First row to draw and the one behind the last, within the page. */
  readonly from: number;
  readonly to: number;
}

const OVERSCAN_ROWS = 10;

/** The rows of a page that can be seen, and some more on either side. All rows have the same height. */
export function createRowWindow(
  scrollTopPx: number,
  viewHeightPx: number,
  rowHeightPx: number,
  rowCount: number
): RowWindow {
  const first = Math.floor(scrollTopPx / rowHeightPx) - OVERSCAN_ROWS;
  const last = Math.ceil((scrollTopPx + viewHeightPx) / rowHeightPx) + OVERSCAN_ROWS;
  const from = Math.min(Math.max(0, first), Math.max(0, rowCount - 1));
  return { from, to: Math.max(from, Math.min(rowCount, last)) };
}
