/** On paper. */
export const PRINT = '@media print';

/** The height of a sheet by its width, as of A4. */
const SHEET_RATIO = Math.SQRT2;

/**
 * Makes a sheet as wide as the window while the page is printed, which the browser scales to the paper. What is laid
 * out for the window, such as the grid and drawn graphs, would be cut on a narrower one.
 */
export function fitPrintToWindow(): void {
  const style = document.createElement('style');
  window.addEventListener('beforeprint', () => {
    const widthPx = window.innerWidth;
    style.textContent = `@page { size: ${widthPx}px ${Math.ceil(widthPx * SHEET_RATIO)}px; margin: 0; }`;
    document.head.append(style);
  });
  window.addEventListener('afterprint', () => style.remove());
}
