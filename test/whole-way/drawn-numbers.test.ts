import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { formatPoint } from '@joblens/core/point/line-protocol';
import { createLogPoints } from '@joblens/core/schema/log-point';
import { describeWith } from '../components.js';
import { launchChromium } from './job-page.js';
import { type Stack, startEmbeddedStack, writePoints } from './stack.js';

const START_MS = Date.UTC(2026, 2, 12, 12, 0);
const STEPS = 2000;
const DATA_SOURCE = { type: 'joblens-datasource', uid: 'joblens' };

/** A job that prints its numbers in words of its own. */
function createLog(): string {
  const lines = Array.from({ length: STEPS }, (_, at) => {
    const loss = (3 * 0.999 ** at + 0.1 * Math.sin(at)).toFixed(4);
    const text = `[rank0] iteration ${at + 1}/${STEPS} | lm loss: ${loss} | grad norm: ${(1 + (at % 7) / 10).toFixed(2)}`;
    return at % 50 === 49 ? [text, `saved checkpoint of shard ${at}`] : [text];
  }).flat();
  const source = { job: 'plain', user: 'ann' };
  return lines
    .flatMap((line, at) =>
      createLogPoints(source, {
        stream: 'stdout',
        kind: 'output',
        line,
        timeNs: BigInt(START_MS + at * 1000) * 1_000_000n,
      })
    )
    .map((point) => formatPoint(point))
    .join('\n');
}

const PANELS = [
  { title: 'Table', view: 'graph', queryType: 'metadata', y: 0 },
  { title: 'Output', view: 'log', queryType: 'logs', y: 10 },
];

const DASHBOARD = {
  ...{ uid: 'plain', title: 'Plain output', schemaVersion: 38 },
  panels: PANELS.map(({ title, view, queryType, y }, at) => ({
    ...{ id: at + 1, type: 'joblens-panel', title, datasource: DATA_SOURCE },
    gridPos: { x: 0, y, w: 24, h: at === 0 ? 10 : 16 },
    targets: [{ refId: 'A', datasource: DATA_SOURCE, queryType, job: 'plain' }],
    options: { views: [view] },
  })),
  time: { from: new Date(START_MS - 60_000).toISOString(), to: new Date(START_MS + 2_400_000).toISOString() },
};

describeWith(['chromium'], 'numbers of a log that nobody declared', () => {
  let folder: string;
  let stack: Stack;
  let browser: Browser;
  let page: Page;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'joblens-drawn-'));
    const dashboardsFolder = join(folder, 'dashboards');
    await mkdir(dashboardsFolder);
    await writeFile(join(dashboardsFolder, 'plain.json'), JSON.stringify(DASHBOARD));
    stack = await startEmbeddedStack({ dashboardsFolder });
    await writePoints(stack, createLog());
    browser = await launchChromium();
    page = await browser.newPage({ viewport: { width: 1280, height: 1200 }, timezoneId: 'UTC', locale: 'en-US' });
    await page.goto(`${stack.influxHost}/d/plain?theme=dark&token=${stack.token ?? ''}`);
    await page.getByTestId('joblens-log-line').first().waitFor({ timeout: 120_000 });
  });
  afterAll(async () => {
    await browser.close();
    await stack.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const drawn = () => page.getByTestId('joblens-drawn');
  const readLegend = () => drawn().locator('[data-testid^="data-testid VizLegend series"]').allTextContents();

  it('offers in the empty graph what repeats, draws it, and again when the page is loaded again', async () => {
    await page.getByTestId('joblens-suggestions').getByRole('button').first().click();
    for (const load of [() => Promise.resolve(), () => page.reload()]) {
      await load();
      await drawn().locator('canvas').first().waitFor({ timeout: 120_000 });
      expect((await readLegend()).join()).toMatch(/lm loss.*grad norm/);
    }
    await drawn().getByLabel('Close the graph').click();
    await page.getByTestId('joblens-suggestions').waitFor();
  });
});
