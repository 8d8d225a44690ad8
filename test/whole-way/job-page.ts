import { type Browser, chromium, type Locator, type Page } from 'playwright-core';

const CHROMIUM_ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export function launchChromium(): Promise<Browser> {
  return chromium.launch({ executablePath: '/usr/bin/chromium', args: CHROMIUM_ARGUMENTS });
}

/** The browser's advice to who reads a canvas often, as `readDrawnLines` does. */
const READBACK_ADVICE = /willReadFrequently/;

/** Pixels of a line's colour that make it a line and not a stray. */
const MIN_PIXELS = 25;

/** Resolves once the page shows so many of them; fails after a minute, with how many it shows then. */
export async function untilCount(locator: Locator, count: number): Promise<void> {
  const lastMs = Date.now() + 60_000;
  while ((await locator.count()) !== count && Date.now() < lastMs) await locator.page().waitForTimeout(50);
  expect(await locator.count()).toBe(count);
}

/** The page "Job details" as a viewer sees and uses it. */
export class JobPage {
  /** The browser's errors and warnings. */
  readonly complaints: string[] = [];

  constructor(readonly page: Page) {
    page.on('console', (message) => {
      const isOurs = READBACK_ADVICE.test(message.text());
      if (['error', 'warning'].includes(message.type()) && !isOurs) this.complaints.push(message.text());
    });
    page.on('pageerror', (error) => this.complaints.push(error.message));
  }

  static async open(browser: Browser, url: string, job: string): Promise<JobPage> {
    const page = await browser.newPage({ viewport: { width: 1440, height: 1300 } });
    const jobPage = new JobPage(page);
    await page.goto(`${url}&var-job=${encodeURIComponent(job)}&from=now-15m&to=now&refresh=5s`);
    return jobPage;
  }

  graph(x: string): Locator {
    return this.page.locator(`[data-testid="joblens-graph"][data-x="${x}"]`);
  }

  /** The picker of the X of that graph. */
  xPicker(x: string): Locator {
    return this.page.locator(`[data-testid="joblens-x-picker"][data-x="${x}"]`);
  }

  legendLabel(graph: Locator, name: string): Locator {
    return this.#legendItem(graph, name).locator('button');
  }

  /** An item of Grafana's own legend, by the name that its end-to-end selectors give it. */
  #legendItem(graph: Locator, name: string): Locator {
    return graph.getByTestId(`data-testid VizLegend series ${name}`);
  }

  logLines(text: string): Locator {
    return this.page.getByTestId('joblens-log-line').filter({ hasText: text });
  }

  tableRows(): Locator {
    return this.page.getByTestId('joblens-table-row');
  }

  /** The colour of each line of the graph, as its legend shows it while all are visible. */
  async readColours(graph: Locator, names: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const colours = new Map<string, string>();
    for (const name of names) {
      const colour = await this.#legendItem(graph, name)
        .getByTestId('series-icon')
        .evaluate((icon) => {
          const { backgroundColor, backgroundImage } = getComputedStyle(icon);
          return (
            /rgb\([^)]*\)/.exec(`${backgroundColor} ${backgroundImage}`.replace('rgba(0, 0, 0, 0)', ''))?.[0] ?? ''
          );
        });
      colours.set(name, colour);
    }
    return colours;
  }

  /** Which lines the canvas really shows: those whose colour it holds. */
  async readDrawnLines(graph: Locator, colours: ReadonlyMap<string, string>): Promise<string[]> {
    const wanted = [...colours].map(([name, colour]) => ({ name, rgb: (colour.match(/\d+/g) ?? []).map(Number) }));
    return graph.locator('canvas').evaluate(
      (element, { lines, minPixels }) => {
        const canvas = element as HTMLCanvasElement;
        const pixels = canvas.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height).data ?? [];
        const counts = lines.map(() => 0);
        for (let at = 0; at < pixels.length; at += 4) {
          lines.forEach(({ rgb }, line) => {
            const isNear = rgb.every((part, channel) => Math.abs((pixels[at + channel] ?? 0) - part) < 12);
            if (isNear && (pixels[at + 3] ?? 0) > 200) counts[line] = (counts[line] ?? 0) + 1;
          });
        }
        return lines.filter((_line, at) => (counts[at] ?? 0) >= minPixels).map(({ name }) => name);
      },
      { lines: wanted, minPixels: MIN_PIXELS }
    );
  }

  /** Waits until the canvas shows just these lines. */
  async untilDrawn(
    graph: Locator,
    colours: ReadonlyMap<string, string>,
    names: readonly string[],
    timeoutMs = 120_000
  ): Promise<void> {
    const deadlineMs = Date.now() + timeoutMs;
    for (;;) {
      const drawn = await this.readDrawnLines(graph, colours);
      if (drawn.join() === names.join()) return;
      if (Date.now() > deadlineMs) throw new Error(`The graph shows ${drawn.join()} in place of ${names.join()}`);
      await this.page.waitForTimeout(50);
    }
  }
}
