import { readFile } from 'node:fs/promises';
import type { Browser, Locator, Page } from 'playwright-core';
import { JobPage } from './job-page.js';

/** From the top of a column of pixels to where the colour ends, in CSS pixels of the plot's inside. */
interface Run {
  readonly top: number;
  readonly bottom: number;
}

interface Point {
  readonly x: number;
  readonly y: number;
}

/** Kept by the page itself, since a canvas cannot be asked what is written in it. */
interface WrittenTexts {
  readonly texts: WeakMap<HTMLCanvasElement, Set<string>>;
  /** The texts of the last picture that was saved. */
  ofPicture: readonly string[];
}

declare global {
  interface Window {
    written: WrittenTexts;
  }
}

/** Remembers the texts of each canvas since it was last cleared. Runs in the page. */
function rememberTexts(): void {
  const written: WrittenTexts = { texts: new WeakMap(), ofPicture: [] };
  window.written = written;
  const context = CanvasRenderingContext2D.prototype;
  // eslint-disable-next-line @typescript-eslint/unbound-method -- called on the canvas at hand
  const { fillText, clearRect } = context;
  context.clearRect = function (...area) {
    written.texts.set(this.canvas, new Set());
    clearRect.apply(this, area);
  };
  context.fillText = function (text, ...place) {
    const known = written.texts.get(this.canvas) ?? new Set();
    written.texts.set(this.canvas, known.add(text));
    fillText.call(this, text, ...place);
  };
  // eslint-disable-next-line @typescript-eslint/unbound-method -- called on the canvas at hand
  const { toBlob } = HTMLCanvasElement.prototype;
  HTMLCanvasElement.prototype.toBlob = function (...rest) {
    written.ofPicture = [...(written.texts.get(this) ?? [])];
    toBlob.apply(this, rest);
  };
}

/** A dashboard of graphs as a viewer sees and uses it. */
export class GraphPage {
  readonly view: JobPage;

  private constructor(readonly page: Page) {
    this.view = new JobPage(page);
  }

  static async open(browser: Browser, url: string): Promise<GraphPage> {
    const page = await browser.newPage({
      viewport: { width: 1440, height: 2100 },
      timezoneId: 'UTC',
      locale: 'en-US',
      reducedMotion: 'reduce',
    });
    page.setDefaultTimeout(120_000);
    await page.addInitScript(rememberTexts);
    const graphPage = new GraphPage(page);
    await page.goto(url, { timeout: 120_000 });
    return graphPage;
  }

  panel(title: string): Locator {
    return this.page.getByTestId(`data-testid Panel header ${title}`);
  }

  /** One graph of a panel, by its title; the only one has none. */
  pane(panel: string, title = ''): Locator {
    return this.panel(panel).locator(`[data-testid="joblens-pane"][data-pane="${title}"]`);
  }

  /** The name of a line in a legend. */
  legendName(place: Locator, name: string): Locator {
    return place.getByTestId(`data-testid VizLegend series ${name}`).getByRole('button');
  }

  tooltip(): Locator {
    return this.page.getByTestId('joblens-tooltip');
  }

  /** Where no graph is. */
  leave(): Promise<void> {
    return this.page.mouse.move(2, 2);
  }

  /** In the page, the point of a plot at these shares of its width and height. */
  async pointAt(pane: Locator, shareX: number, shareY = 0.5): Promise<Point> {
    const box = await pane.locator('.u-over').boundingBox();
    if (box === null) throw new Error('The graph is not drawn');
    return { x: box.x + box.width * shareX, y: box.y + box.height * shareY };
  }

  async hover(pane: Locator, shareX: number, shareY?: number): Promise<void> {
    const { x, y } = await this.pointAt(pane, shareX, shareY);
    await this.page.mouse.move(x, y);
  }

  async drag(pane: Locator, fromShare: number, toShare: number): Promise<void> {
    await this.hover(pane, fromShare);
    await this.page.mouse.down();
    const { x, y } = await this.pointAt(pane, toShare);
    await this.page.mouse.move(x, y, { steps: 4 });
    await this.page.mouse.up();
  }

  /** What is written around a plot: the labels of its axes. */
  readLabels(pane: Locator): Promise<string[]> {
    return pane
      .locator('canvas')
      .evaluate((canvas) => [...(window.written.texts.get(canvas as HTMLCanvasElement) ?? [])]);
  }

  readPictureTexts(): Promise<readonly string[]> {
    return this.page.evaluate(() => window.written.ofPicture);
  }

  /** The colour of a line, as its legend shows it: `rgb(…)`. */
  async readColour(place: Locator, name: string): Promise<string> {
    return (await this.view.readColours(place, [name])).get(name) ?? '';
  }

  /** Where a colour is in one column of pixels of a plot. */
  async readRuns(pane: Locator, colour: string, shareX: number): Promise<Run[]> {
    return findRuns(await pane.locator('.u-wrap').evaluate(readColumn, shareX), colour);
  }

  /** How many pixels of a plot have a colour, at least and at most so opaque (0 to 255). */
  countPixels(pane: Locator, colour: string, minAlpha: number, maxAlpha = 255): Promise<number> {
    return pane.locator('canvas').evaluate(countPixels, { colour, minAlpha, maxAlpha });
  }

  /** The file that a click on this button saves. */
  async saveFile(panel: string, button: string): Promise<{ readonly name: string; readonly content: Buffer }> {
    const download = this.page.waitForEvent('download');
    await this.panel(panel).getByRole('button', { name: button }).first().click();
    const file = await download;
    return { name: file.suggestedFilename(), content: await readFile(await file.path()) };
  }

  /** The lines of the CSV of a panel, each as its cells. */
  async saveCsv(panel: string): Promise<string[][]> {
    const { content } = await this.saveFile(panel, 'Save as CSV');
    const lines = content.toString('utf8').trimEnd().split('\r\n');
    return lines.map((line) => line.split(','));
  }
}

interface ColumnOfPixels {
  /** Red, green, blue and alpha of each pixel, from the top. */
  readonly pixels: readonly number[];
  /** Pixels for each CSS pixel. */
  readonly ratio: number;
}

/** One column of pixels of a plot. Runs in the page. */
function readColumn(wrap: Element, shareX: number): ColumnOfPixels {
  const [canvas, over] = [wrap.querySelector('canvas'), wrap.querySelector('.u-over')];
  const context = canvas?.getContext('2d');
  if (!canvas || !over || !context) return { pixels: [], ratio: 1 };
  const [outer, inner] = [canvas.getBoundingClientRect(), over.getBoundingClientRect()];
  const ratio = canvas.width / outer.width;
  const left = Math.round((inner.left - outer.left + inner.width * shareX) * ratio);
  const top = Math.round((inner.top - outer.top) * ratio);
  return { pixels: [...context.getImageData(left, top, 1, Math.round(inner.height * ratio)).data], ratio };
}

/** Antialiasing leaves single rows between. */
const MAX_HOLE_PX = 3;

function findRuns({ pixels, ratio }: ColumnOfPixels, colour: string): Run[] {
  const rgb = (colour.match(/\d+/g) ?? []).map(Number);
  const runs: { top: number; bottom: number }[] = [];
  for (let row = 0; row * 4 < pixels.length; row += 1) {
    const isNear = rgb.every((part, channel) => Math.abs((pixels[row * 4 + channel] ?? 0) - part) <= 24);
    if (!isNear || (pixels[row * 4 + 3] ?? 0) < 100) continue;
    const last = runs.at(-1);
    if (last !== undefined && row / ratio - last.bottom < MAX_HOLE_PX) last.bottom = (row + 1) / ratio;
    else runs.push({ top: row / ratio, bottom: (row + 1) / ratio });
  }
  return runs;
}

/** Runs in the page. */
function countPixels(
  element: Element,
  wanted: { readonly colour: string; readonly minAlpha: number; readonly maxAlpha: number }
): number {
  const canvas = element as HTMLCanvasElement;
  const rgb = (wanted.colour.match(/\d+/g) ?? []).map(Number);
  const pixels = canvas.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height).data ?? [];
  let count = 0;
  for (let at = 0; at < pixels.length; at += 4) {
    const alpha = pixels[at + 3] ?? 0;
    if (alpha < wanted.minAlpha || alpha > wanted.maxAlpha) continue;
    // Faint pixels have rounded colours.
    if (rgb.every((part, channel) => Math.abs((pixels[at + channel] ?? 0) - part) < 16)) count += 1;
  }
  return count;
}
