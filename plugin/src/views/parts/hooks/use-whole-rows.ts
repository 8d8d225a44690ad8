import { useLayoutEffect, useState } from 'react';

/** The height that shows whole rows below so much that is no row; all of it where the rows fit, or none does. */
export function fitWholeRows(heightPx: number, otherPx: number, rows: number, rowPx: number): number {
  const roomPx = heightPx - otherPx;
  const cutPx = roomPx % rowPx;
  return rows * rowPx <= roomPx || roomPx < rowPx ? heightPx : heightPx - cutPx;
}

/** The height of a table that cuts no row at its lower edge: its head and scroll bar are as high as they are. */
export function useWholeRows(
  container: React.RefObject<HTMLElement | null>,
  rows: number,
  heightPx: number,
  rowPx: number
): number {
  const [otherPx, setOtherPx] = useState(0);
  // After each draw: columns, filters and widths change the head.
  useLayoutEffect(() => {
    const { current } = container;
    if (current === null) return;
    const headPx = current.querySelector('thead')?.getBoundingClientRect().height ?? 0;
    setOtherPx(headPx + current.offsetHeight - current.clientHeight);
  });
  return fitWholeRows(heightPx, otherPx, rows, rowPx);
}
