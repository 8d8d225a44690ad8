import { TITLE_PX, type RowBox } from './boxes.js';
import { type BarsToPaint, fitText, paintBars, visitBoxesInSight } from './paint-bars.js';
import { listPeaks, type Saturation } from './saturation.js';
import { listTimeTicks } from './time-axis.js';
import type { Viewport } from './viewport.js';

const AXIS_PX = 22;
const SATURATION_PX = 40;
export const HEAD_PX = AXIS_PX + SATURATION_PX;
const SATURATION_PADDING_PX = 4;
const FONT_PX = 11;
const GUTTER_PADDING_PX = 8;

export interface ChartColours {
  readonly background: string;
  readonly text: string;
  readonly weakText: string;
  readonly grid: string;
  readonly saturation: string;
  readonly font: string;
}

export interface ChartToPaint extends Omit<BarsToPaint, 'font' | 'alpha' | 'background'> {
  readonly boxes: readonly RowBox[];
  /** What a search finds: the same rows with fewer spans. All others are drawn faintly. */
  readonly found: readonly RowBox[] | undefined;
  readonly saturation: Saturation;
  /** The width of the titles beside the rows; 0 where they are above them. */
  readonly gutterPx: number;
  readonly timeZone: string;
  readonly colours: ChartColours;
}

const FAINT = 0.12;

/** Draws everything but what moves with the mouse. */
export function paintChart(context: CanvasRenderingContext2D, chart: ChartToPaint): void {
  const { viewport, gutterPx, heightPx, colours } = chart;
  context.clearRect(0, 0, gutterPx + viewport.widthPx, HEAD_PX + heightPx);
  context.save();
  context.translate(gutterPx, 0);
  paintAxis(context, chart);
  paintSaturation(context, chart);
  paintSaturationTitle(context, chart);
  context.restore();
  context.save();
  context.translate(0, HEAD_PX);
  clip(context, gutterPx + viewport.widthPx, heightPx);
  paintRows(context, chart);
  context.translate(gutterPx, 0);
  clip(context, viewport.widthPx, heightPx);
  const bars = { ...chart, background: colours.background };
  const font = `${FONT_PX}px ${colours.font}`;
  if (chart.found === undefined) paintBars(context, chart.boxes, { ...bars, font, alpha: 1 });
  else {
    paintBars(context, chart.boxes, { ...bars, font: undefined, alpha: FAINT });
    paintBars(context, chart.found, { ...bars, font, alpha: 1 });
  }
  context.restore();
}

function clip(context: CanvasRenderingContext2D, widthPx: number, heightPx: number): void {
  context.beginPath();
  context.rect(0, 0, widthPx, heightPx);
  context.clip();
}

function paintAxis(context: CanvasRenderingContext2D, chart: ChartToPaint): void {
  const { viewport, heightPx, timeZone, colours } = chart;
  context.font = `${FONT_PX}px ${colours.font}`;
  context.textBaseline = 'middle';
  context.textAlign = 'center';
  for (const { leftPx, label } of listTimeTicks(viewport, timeZone)) {
    const left = Math.round(leftPx);
    context.fillStyle = colours.grid;
    context.fillRect(left, AXIS_PX - 4, 1, heightPx + SATURATION_PX + 4);
    context.fillStyle = colours.weakText;
    const half = context.measureText(label).width / 2;
    const isWhole = left - half >= -chart.gutterPx && left + half <= viewport.widthPx;
    if (isWhole) context.fillText(label, left, AXIS_PX / 2);
  }
}

/** How many run, as an area from pixel to pixel. */
function paintSaturation(context: CanvasRenderingContext2D, chart: ChartToPaint): void {
  const { saturation, viewport, colours, presentMs } = chart;
  const roomPx = SATURATION_PX - 2 * SATURATION_PADDING_PX;
  const basePx = HEAD_PX - SATURATION_PADDING_PX;
  const peaks = listPeaks(saturation, viewport);
  // Nobody knows what will run.
  const end = Math.min(peaks.length, Math.ceil(toEndPx(viewport, presentMs)));
  const toTop = (peak: number): number => basePx - (peak / Math.max(saturation.peak, 1e-9)) * roomPx;
  context.beginPath();
  context.moveTo(0, basePx);
  for (let px = 0; px < end; px++) {
    const top = toTop(peaks[px] ?? 0);
    context.lineTo(px, top);
    context.lineTo(px + 1, top);
  }
  context.lineTo(end, basePx);
  context.fillStyle = colours.saturation;
  context.globalAlpha = 0.25;
  context.fill();
  context.globalAlpha = 1;
  context.strokeStyle = colours.saturation;
  context.lineWidth = 1;
  context.stroke();
}

function toEndPx({ min, max, widthPx }: Viewport, timeMs: number): number {
  return Math.max(0, ((timeMs - min) / (max - min)) * widthPx);
}

function formatRunning(running: number): string {
  return String(Number(running.toPrecision(3)));
}

/** The highest number, beside the line; over it where nothing is beside the rows. */
function paintSaturationTitle(context: CanvasRenderingContext2D, chart: ChartToPaint): void {
  const { saturation, gutterPx, colours } = chart;
  context.font = `${FONT_PX}px ${colours.font}`;
  context.fillStyle = colours.weakText;
  context.textBaseline = 'middle';
  context.textAlign = gutterPx === 0 ? 'left' : 'right';
  const leftPx = gutterPx === 0 ? 4 : -GUTTER_PADDING_PX;
  context.fillText(`${formatRunning(saturation.peak)} at once`, leftPx, AXIS_PX + SATURATION_PADDING_PX + 4);
  if (gutterPx > 0) context.fillText('0', leftPx, HEAD_PX - SATURATION_PADDING_PX - 4);
}

/** The part of a row's titles that the row above has not said. */
function splitTitles(row: RowBox['row'], above: RowBox['row'] | undefined): readonly [said: string, own: string] {
  const same = above === undefined ? 0 : row.titles.findIndex((title, at) => title !== above.titles[at]);
  const name = (title: string): string => (title === '' ? '(none)' : title);
  const titles = row.titles.length === 0 ? ['All'] : row.titles.map(name);
  return [titles.slice(0, Math.max(0, same)).join(' · '), titles.slice(Math.max(0, same)).join(' · ')];
}

function paintRows(context: CanvasRenderingContext2D, chart: ChartToPaint): void {
  const { boxes, viewport, gutterPx, scrollPx, colours } = chart;
  context.font = `${FONT_PX + 1}px ${colours.font}`;
  context.textBaseline = 'middle';
  context.textAlign = 'left';
  let isFirst = true;
  visitBoxesInSight(boxes, chart, (box, at) => {
    const topPx = Math.round(box.topPx - scrollPx);
    context.fillStyle = colours.grid;
    context.fillRect(0, topPx, gutterPx + viewport.widthPx, 1);
    const [said, own] = splitTitles(box.row, isFirst ? undefined : boxes[at - 1]?.row);
    isFirst = false;
    paintTitle(context, { box, topPx, said, own }, chart);
  });
}

interface Title {
  readonly box: RowBox;
  readonly topPx: number;
  readonly said: string;
  readonly own: string;
}

/** Beside the row's first lane, in sight as long as the row is; or above the row. */
function paintTitle(context: CanvasRenderingContext2D, { box, topPx, said, own }: Title, chart: ChartToPaint): void {
  const { gutterPx, viewport, colours } = chart;
  const isAbove = gutterPx === 0;
  const heightPx = isAbove ? TITLE_PX : Math.min(box.heightPx, 24);
  const lowest = topPx + box.heightPx - heightPx;
  const middlePx = (isAbove ? topPx + 2 : Math.min(Math.max(topPx, 0), lowest)) + heightPx / 2;
  const indentPx = said === '' ? 0 : 12;
  const roomPx = (isAbove ? viewport.widthPx : gutterPx) - 2 * GUTTER_PADDING_PX - indentPx;
  context.fillStyle = said === '' ? colours.text : colours.weakText;
  context.fillText(fitText(context, own, roomPx), (isAbove ? 2 : GUTTER_PADDING_PX) + indentPx, middlePx);
}

const MOST_GUTTER_PX = 260;
const GUTTER_SHARE = 0.3;

/** As wide as the longest title, within bounds. */
export function measureGutter(titles: readonly string[], widthPx: number): number {
  const longest = titles.reduce((most, title) => Math.max(most, title.length), 0);
  const wishedPx = longest * 7 + 2 * GUTTER_PADDING_PX;
  return Math.round(Math.max(88, Math.min(wishedPx, MOST_GUTTER_PX, widthPx * GUTTER_SHARE)));
}
