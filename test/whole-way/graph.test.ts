import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Locator } from 'playwright-core';
import { describeWith } from '../components.js';
import { createGraphDashboard, createGraphData, DASHBOARD_UID, KEY_COUNT } from './graph-data.js';
import { GraphPage } from './graph-page.js';
import { launchChromium } from './job-page.js';
import { type Stack, startEmbeddedStack, writePoints } from './stack.js';

const RED = 'rgb(242, 73, 92)';

/** The share of the width where an X is, in a plot of these X values, which has 1% of room at its ends. */
function shareOf(x: number, min: number, max: number): number {
  return ((x - min) / (max - min) + 0.01) / 1.02;
}
const epoch = (x: number): number => shareOf(x, 1, 20);

describeWith(['chromium'], 'the graph in a browser', () => {
  let folder: string;
  let stack: Stack;
  let browser: Browser;
  let graphs: GraphPage;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'joblens-graphs-'));
    const dashboards = join(folder, 'dashboards');
    await mkdir(dashboards);
    await writeFile(join(dashboards, 'graphs.json'), JSON.stringify(createGraphDashboard()));
    stack = await startEmbeddedStack({ dashboardsFolder: dashboards });
    await writePoints(stack, createGraphData());
    browser = await launchChromium();
    graphs = await GraphPage.open(
      browser,
      `${stack.influxHost}/d/${DASHBOARD_UID}?theme=dark&token=${stack.token ?? ''}`
    );
    for (const title of ['One', 'Many', 'Again', 'Marks', 'Wide'])
      await graphs.panel(title).locator('canvas').first().waitFor({ timeout: 120_000 });
    await graphs.view.logLines('epoch 20 is done').waitFor({ timeout: 120_000 });
  });
  afterAll(async () => {
    await browser.close();
    await stack.stop();
    await rm(folder, { recursive: true, force: true });
  });
  beforeEach(() => graphs.leave());

  async function until(condition: () => Promise<boolean>, what: string): Promise<void> {
    for (let tries = 0; tries < 2000; tries += 1) {
      if (await condition()) return;
      await graphs.page.waitForTimeout(50);
    }
    throw new Error(`Waited in vain for ${what}`);
  }

  async function untilDrawn(panel: string, names: readonly string[], among: readonly string[]): Promise<void> {
    const place = graphs.panel(panel);
    const colours = await graphs.view.readColours(place, among);
    const canvases = await place.locator('[data-testid="joblens-plot"]').all();
    await until(async () => {
      const drawn = await Promise.all(canvases.map((plot) => graphs.view.readDrawnLines(plot, colours)));
      return [...new Set(drawn.flat())].sort().join() === [...names].sort().join();
    }, `the lines ${names.join()}`);
  }

  const listPanes = (panel: string): Promise<(string | null)[]> =>
    graphs
      .panel(panel)
      .getByTestId('joblens-pane')
      .evaluateAll((panes) => panes.map((pane) => pane.getAttribute('data-pane')));

  const readPressed = (place: Locator): Promise<(string | null)[]> =>
    place
      .locator('[data-testid^="data-testid VizLegend series"] button[aria-pressed="true"]')
      .evaluateAll((names) => names.map((name) => name.textContent));

  describe('the legend', () => {
    it('of one graph shows a line alone, all again, or turns one on and off', async () => {
      const click = async (name: string, modifiers: 'Control'[] = []) => {
        await graphs.legendName(graphs.panel('One'), name).click({ modifiers });
        await graphs.leave();
      };
      const all = ['loss', 'hits'];
      await untilDrawn('One', all, all);
      await click('loss');
      await untilDrawn('One', ['loss'], all);
      await click('loss');
      await untilDrawn('One', all, all);
      await click('loss', ['Control']);
      await untilDrawn('One', ['hits'], all);
      await click('loss', ['Control']);
      await untilDrawn('One', all, all);
    });

    it('of small multiples keeps the graph of the line that is shown alone, and offers the others', async () => {
      const place = graphs.panel('Many');
      const before = await listPanes('Many');
      expect(before.length).toBeGreaterThan(2);
      await graphs.legendName(place, 'lr').click();
      await until(async () => (await listPanes('Many')).join() === 'lr', 'one graph');
      await expect(readPressed(place)).resolves.toEqual(['lr']);
      await graphs.legendName(place, 'throughput').click({ modifiers: ['Control'] });
      await until(async () => (await listPanes('Many')).length === 2, 'two graphs');
      await graphs.legendName(place, 'throughput').click({ modifiers: ['Control'] });
      await graphs.legendName(place, 'lr').click();
      await until(async () => (await listPanes('Many')).join() === before.join(), 'all graphs');
    });

    it('is reached and used by keyboard', async () => {
      const place = graphs.panel('One');
      await graphs.legendName(place, 'loss').focus();
      await graphs.page.keyboard.press('Tab');
      await expect(graphs.page.evaluate(() => document.activeElement?.textContent)).resolves.toBe('hits');
      await graphs.page.keyboard.press('Enter');
      await expect(readPressed(place)).resolves.toEqual(['hits']);
      await graphs.page.keyboard.press('Space');
      await expect(readPressed(place)).resolves.toEqual(['loss', 'hits']);
    });

    it('as a table beside or below the graph is sorted by a click', async () => {
      const legend = graphs.panel('Listed').getByRole('table', { name: 'Legend' });
      const names = (): Promise<string[]> => legend.locator('tbody tr td:first-child').allInnerTexts();
      await expect(names()).resolves.toEqual(['loss', 'val_loss', 'lr', 'throughput']);
      await legend.getByRole('button', { name: 'Last' }).click();
      await expect(names()).resolves.toEqual(['throughput', 'val_loss', 'loss', 'lr']);
    });
  });

  describe('the cursor', () => {
    it('shows all lines at its X, the largest first, with their units', async () => {
      await graphs.hover(graphs.pane('One'), epoch(7));
      await graphs.tooltip().getByText('epoch: 7').waitFor();
      const texts = (await graphs.tooltip().innerText()).split('\n');
      expect(texts.slice(1)).toEqual(['loss', '1.5943', 'hits', expect.stringMatching(/^69\.0\d*%$/)]);
    });

    it('is shared by all graphs of one X, and shows their lines too', async () => {
      const [first, other] = [graphs.pane('Many', 'loss'), graphs.pane('Many', 'throughput')];
      await graphs.hover(first, shareOf(300, 10, 600));
      await graphs.tooltip().getByText('step: 300').waitFor();
      const read = (pane: Locator): Promise<number> =>
        pane.locator('.u-cursor-x').evaluate((line) => new DOMMatrix(getComputedStyle(line).transform).m41);
      await until(async () => Math.abs((await read(first)) - (await read(other))) < 2, 'the same place');
      const text = await graphs.tooltip().innerText();
      for (const name of ['loss', 'val_loss', 'lr', 'throughput']) expect(text).toContain(name);
      await graphs.leave();
      await graphs.tooltip().waitFor({ state: 'detached' });
    });

    it('is moved by the arrow keys, and Enter takes the log to its time', async () => {
      await graphs.pane('One').getByRole('group').focus();
      for (let step = 0; step < 3; step += 1) await graphs.page.keyboard.press('ArrowRight');
      await graphs.tooltip().getByText('epoch: 3').waitFor();
      await graphs.page.keyboard.press('ArrowLeft');
      await graphs.tooltip().getByText('epoch: 2').waitFor();
      await graphs.page.keyboard.press('Enter');
      await graphs.view.logLines('epoch 2 is done').waitFor();
    });

    it('takes the log to the time of a point on a click', async () => {
      const { x, y } = await graphs.pointAt(graphs.pane('One'), epoch(15));
      await graphs.page.mouse.move(x, y);
      await graphs.page.mouse.down();
      // A hand is never quite still.
      await graphs.page.mouse.move(x + 1, y + 2);
      await graphs.page.mouse.up();
      await graphs.view.logLines('epoch 15 is done').waitFor();
      await graphs.panel('Log').locator('[role="log"][data-following="false"]').waitFor();
    });
  });

  describe('a zoom', () => {
    const isZoomed = (panel: string): Promise<boolean> =>
      graphs.panel(panel).getByRole('button', { name: 'Reset zoom' }).isVisible();

    it('on a key is the part that was dragged over, until a double click', async () => {
      const pane = graphs.pane('One');
      const address = graphs.page.url();
      await graphs.drag(pane, epoch(4.5), epoch(9.5));
      await until(() => isZoomed('One'), 'the zoom');
      const rows = await graphs.saveCsv('One');
      expect(rows.map(([x]) => x)).toEqual(['epoch', '5', '6', '7', '8', '9']);
      const { x, y } = await graphs.pointAt(pane, 0.5);
      await graphs.page.mouse.dblclick(x, y);
      await until(async () => !(await isZoomed('One')), 'the end of the zoom');
      await expect(graphs.saveCsv('One')).resolves.toHaveLength(21);
      expect(graphs.page.url()).toBe(address);
    });

    it('on time is the time range of the dashboard, until a double click', async () => {
      await chooseX('One', 'Time');
      const pane = graphs.panel('One').getByTestId('joblens-pane').first();
      const readFrom = (): string => new URL(graphs.page.url()).searchParams.get('from') ?? '';
      const before = readFrom();
      await graphs.drag(pane, 0.2, 0.3);
      await until(async () => (await isZoomed('One')) && readFrom() !== before, 'the zoom');
      await until(async () => (await graphs.saveCsv('One')).length === 9, 'the rows of 8 minutes');
      const { x, y } = await graphs.pointAt(pane, 0.5);
      await graphs.page.mouse.dblclick(x, y);
      await until(async () => !(await isZoomed('One')), 'the end of the zoom');
      expect(Date.parse(readFrom())).toBe(Date.parse(before));
      await until(async () => (await graphs.saveCsv('One')).length === 21, 'all rows');
      await chooseX('One', 'Automatic');
    });
  });

  async function chooseX(panel: string, label: string): Promise<void> {
    const place = graphs.panel(panel);
    await place.getByTestId('joblens-x-picker').first().getByRole('combobox').click();
    await graphs.page
      .getByRole('option', { name: new RegExp(`^${label}`) })
      .first()
      .click();
    await graphs.leave();
  }

  describe('X', () => {
    it('is chosen in the header of the panel, and its labels fit', async () => {
      const place = graphs.panel('Many');
      const x = (name: string): Promise<void> =>
        place.locator(`[data-testid="joblens-graph"][data-x="${name}"]`).waitFor();
      const labels = (): Promise<string[]> => graphs.readLabels(place.getByTestId('joblens-pane').first());
      await x('step');
      expect(await labels()).toEqual(expect.arrayContaining(['100', '200', '600']));
      await chooseX('Many', 'Time');
      await x('time');
      await until(async () => (await labels()).some((text) => /^12:\d0$/.test(text)), 'labels of time');
      await chooseX('Many', 'Relative time');
      await x('relative');
      await until(async () => (await labels()).some((text) => /^\d+ ?m(in)?$/.test(text)), 'labels of relative time');
      await chooseX('Many', 'lr');
      await x('lr');
      await chooseX('Many', 'Automatic');
      await x('step');
    });
  });

  describe('a line', () => {
    it('breaks where X falls back, and has marks where the value is no number', async () => {
      const again = graphs.pane('Again');
      const colour = await graphs.readColour(graphs.panel('Again'), 'loss');
      // Two segments: a third run of pixels would lead from one to the other.
      await until(async () => (await graphs.readRuns(again, colour, shareOf(7.5, 1, 14))).length === 2, 'two segments');
      const marks = graphs.pane('Marks');
      const own = await graphs.readColour(graphs.panel('Marks'), 'loss');
      const height = (await marks.locator('.u-over').boundingBox())?.height ?? 0;
      const read = (x: number) => graphs.readRuns(marks, own, epoch(x));
      const [nan, up, down] = [await read(8), await read(12), await read(16)];
      expect([nan.length, up.length, down.length]).toEqual([1, 1, 1]);
      expect(nan[0]?.top).toBeGreaterThan(height - 20);
      expect(up[0]?.bottom).toBeLessThan(12);
      expect(down[0]?.top).toBeGreaterThan(height - 12);
      await graphs.hover(marks, epoch(8));
      await graphs.tooltip().getByText('NaN').waitFor();
    });

    it('has the unit and the thresholds of its overrides', async () => {
      const marks = graphs.pane('Marks');
      expect((await graphs.readLabels(marks)).some((text) => / ms$/.test(text))).toBe(true);
      const width = (await marks.locator('.u-over').boundingBox())?.width ?? 0;
      expect(await graphs.countPixels(marks, RED, 60)).toBeGreaterThan(width * 0.8);
      await expect(graphs.readColour(graphs.panel('One'), 'hits')).resolves.toBe('rgb(184, 119, 217)');
    });

    it('stays faintly where it is smoothed', async () => {
      const pane = graphs.pane('One');
      const colour = await graphs.readColour(graphs.panel('One'), 'loss');
      const countFaint = (): Promise<number> => graphs.countPixels(pane, colour, 50, 75);
      const before = await countFaint();
      await graphs.panel('One').getByLabel('Smoothing').fill('0.9');
      await until(async () => (await countFaint()) > before + 300, 'the faint line');
      const [head] = await graphs.saveCsv('One');
      expect(head).toContain('loss smoothed 0.9');
      await graphs.panel('One').getByLabel('Smoothing').fill('0');
      await until(async () => (await countFaint()) < before + 100, 'no smoothing');
    });
  });

  describe('an annotation', () => {
    it('is at the row of its time, with its text, until it is switched off', async () => {
      const pane = graphs.pane('One');
      const readDashes = async (share: number): Promise<number> =>
        (await graphs.readRuns(pane, 'rgb(255, 0, 255)', share)).length;
      await until(async () => (await readDashes(epoch(10))) > 10, 'a dashed line');
      await graphs.hover(pane, epoch(10));
      await graphs.tooltip().getByText('epoch 10 is done').waitFor();
      await graphs.hover(pane, epoch(11));
      await graphs.tooltip().getByText('epoch: 11').waitFor();
      await expect(graphs.tooltip().innerText()).resolves.not.toContain('is done');
      const toggle = graphs.page.getByLabel('Tenth epoch');
      await toggle.uncheck({ force: true });
      await until(async () => (await readDashes(epoch(10))) === 0, 'no line');
      await toggle.check({ force: true });
      await until(async () => (await readDashes(epoch(10))) > 10, 'the line again');
    });
  });

  describe('many keys', () => {
    it('are a dozen graphs at first, and all within reach', async () => {
      expect((await listPanes('Wide')).length).toBe(12);
      await graphs
        .panel('Wide')
        .getByRole('button', { name: `Show all ${KEY_COUNT}` })
        .click();
      await until(async () => (await listPanes('Wide')).length === KEY_COUNT, 'all graphs');
      await graphs.panel('Wide').getByRole('button', { name: 'Show fewer' }).click();
    });

    it('are filtered by words and by regular expression', async () => {
      const filter = graphs.panel('Wide').getByTestId('joblens-key-filter').locator('input');
      await filter.fill('/^k[ab]c$/');
      await until(async () => (await listPanes('Wide')).join() === 'kac,kbc', 'two keys');
      await filter.fill('nothing');
      await graphs.panel('Wide').getByText('No key passes the filter').waitFor();
      await filter.fill('');
      await until(async () => (await listPanes('Wide')).length === 12, 'the dozen');
    });
  });

  describe('the files', () => {
    it('are a picture with title, names and axes', async () => {
      const { name, content } = await graphs.saveFile('Many', 'Save as PNG');
      expect(name).toBe('many-by-step.png');
      expect(content.subarray(1, 4).toString('latin1')).toBe('PNG');
      expect(content.byteLength).toBeGreaterThan(5000);
      expect(await graphs.readPictureTexts()).toEqual(
        expect.arrayContaining(['many', 'X: step', 'loss', 'val_loss', 'lr', 'throughput'])
      );
    });

    it('are the numbers as CSV', async () => {
      const [head, first] = await graphs.saveCsv('One');
      expect(head).toEqual(['epoch', 'loss', 'hits (percentunit)']);
      expect(first?.map(Number)).toEqual([1, 3, expect.closeTo(0.1, 9)]);
    });
  });

  it('made the browser complain about nothing', () => {
    expect(graphs.view.complaints).toEqual([]);
  });
});
