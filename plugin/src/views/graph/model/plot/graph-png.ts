import uPlot from 'uplot';
import type { DrawnPane } from './drawn-pane.js';

interface PictureLook {
  readonly background: string;
  readonly text: string;
  readonly font: string;
}

interface PictureInput {
  readonly title: string;
  /** Behind the title, smaller. */
  readonly subtitle: string;
  readonly panes: readonly DrawnPane[];
  readonly columns: number;
  readonly look: PictureLook;
}

const MARGIN_PX = 16;
const TITLE_PX = 36;
const ROW_PX = 18;
const SWATCH_PX = 14;

interface Label {
  readonly text: string;
  readonly colour: string;
}

/** The rows of names above a graph, as many as they need. */
function layOutLabels(context: CanvasRenderingContext2D, labels: readonly Label[], width: number): readonly Label[][] {
  const rows: Label[][] = [[]];
  let used = 0;
  for (const label of labels) {
    const needed = context.measureText(label.text).width + SWATCH_PX + 20;
    if (used > 0 && used + needed > width) {
      rows.push([]);
      used = 0;
    }
    rows.at(-1)?.push(label);
    used += needed;
  }
  return rows;
}

function drawLabels(
  context: CanvasRenderingContext2D,
  rows: readonly (readonly Label[])[],
  { left, top, text }: { readonly left: number; readonly top: number; readonly text: string }
): void {
  rows.forEach((row, index) => {
    let x = left;
    const y = top + index * ROW_PX + ROW_PX / 2;
    for (const label of row) {
      context.fillStyle = label.colour;
      context.fillRect(x, y - 2, SWATCH_PX, 4);
      context.fillStyle = text;
      context.fillText(label.text, x + SWATCH_PX + 6, y);
      x += context.measureText(label.text).width + SWATCH_PX + 20;
    }
  });
}

/** The graphs with their names as one picture, as sharp as the screen; undefined where nothing is drawn. */
export function createPicture({ title, subtitle, panes, columns, look }: PictureInput): HTMLCanvasElement | undefined {
  const drawn = panes.flatMap(({ plot, lines }) => (plot === undefined ? [] : [{ plot, lines }]));
  const [first] = drawn;
  const canvas = document.createElement('canvas');
  const context = canvas.getContext('2d');
  if (first === undefined || context === null) return undefined;
  const font = `12px ${look.font}`;
  context.font = font;
  const cells = drawn.map(({ plot, lines }) => {
    const labels = lines
      .filter((line) => line.isVisible)
      .map((line) => ({ text: line.model.name, colour: line.colour }));
    return { plot, rows: layOutLabels(context, labels, plot.width) };
  });
  const labelPx = Math.max(...cells.map(({ rows }) => rows.length)) * ROW_PX;
  const [cellWidth, cellHeight] = [first.plot.width + MARGIN_PX, first.plot.height + labelPx + MARGIN_PX];
  const usedColumns = Math.min(columns, cells.length);
  canvas.width = (usedColumns * cellWidth + MARGIN_PX) * uPlot.pxRatio;
  canvas.height = (TITLE_PX + Math.ceil(cells.length / columns) * cellHeight + MARGIN_PX) * uPlot.pxRatio;
  context.scale(uPlot.pxRatio, uPlot.pxRatio);
  context.fillStyle = look.background;
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.textBaseline = 'middle';
  context.fillStyle = look.text;
  context.font = `500 14px ${look.font}`;
  context.fillText(title, MARGIN_PX, MARGIN_PX + 4);
  const titlePx = title === '' ? 0 : context.measureText(title).width + MARGIN_PX;
  context.font = font;
  context.fillText(subtitle, MARGIN_PX + titlePx, MARGIN_PX + 4);
  cells.forEach(({ plot, rows }, index) => {
    const left = MARGIN_PX + (index % columns) * cellWidth;
    const top = TITLE_PX + Math.floor(index / columns) * cellHeight;
    drawLabels(context, rows, { left: left + 4, top, text: look.text });
    context.drawImage(plot.ctx.canvas, left, top + labelPx, plot.width, plot.height);
  });
  return canvas;
}
