import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { type Component, describeWith } from '../components.js';
import { JobPage, launchChromium } from '../whole-way/job-page.js';
import { ROOT, type Stack, startEmbeddedStack, writePoints } from '../whole-way/stack.js';
import { buildHostPage, type Host, readVersion } from './build-host.js';
import { createPoints, ROWS, SOURCE } from './points.js';

const HOSTS: ReadonlyArray<readonly [name: string, react: string, needs: readonly Component[], host: Host]> = [
  ['Grafana 9.5', '17', ['grafana95'], { packagesFolder: join(__dirname, 'grafana-9.5'), entry: 'react-17.tsx' }],
  ['Grafana 12.4', '18', ['grafana124'], { packagesFolder: join(__dirname, 'grafana-12.4'), entry: 'react-18.tsx' }],
  ['Grafana 13.2', '19', [], { packagesFolder: ROOT, entry: 'react-18.tsx' }],
];

for (const [name, react, needs, host] of HOSTS) {
  describeWith(['chromium', ...needs], `the bundle with the packages of ${name} and React ${react}`, () => {
    let folder: string;
    let stack: Stack;
    let browser: Browser;
    let view: JobPage;

    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'joblens-host-'));
      await buildHostPage(host, folder);
      stack = await startEmbeddedStack({ pageFolder: folder });
      await writePoints(stack, createPoints(Date.now()));
      browser = await launchChromium();
      view = await JobPage.open(browser, stack.pageUrl, SOURCE.job);
      await view.graph('epoch').waitFor({ timeout: 120_000 });
    });
    afterAll(async () => {
      await browser.close();
      await stack.stop();
      await rm(folder, { recursive: true, force: true });
    });

    it('runs on the React of that Grafana', async () => {
      expect((await readVersion(host, 'react')).split('.')[0]).toBe(react);
    });

    it('draws both lines, one after a click on its name, and both after the next', async () => {
      const graph = view.graph('epoch');
      const names = ['loss', 'accuracy'];
      const colours = await view.readColours(graph, names);
      expect(new Set(colours.values()).size).toBe(2);
      await view.untilDrawn(graph, colours, names);
      await view.legendLabel(graph, 'loss').click();
      await view.page.mouse.move(5, 5);
      await view.untilDrawn(graph, colours, ['loss']);
      await view.legendLabel(graph, 'loss').click();
      await view.page.mouse.move(5, 5);
      await view.untilDrawn(graph, colours, names);
    });

    it('has the newest row of the table first', async () => {
      const rows = await view.tableRows().evaluateAll((list) => list.map((row) => row.textContent));
      expect(rows.length).toBeGreaterThan(2);
      expect(rows[0]).toContain(String(ROWS - 1));
    });

    it('shows the log in its colours', async () => {
      const line = view.logLines('line 29').locator('span', { hasText: 'line 29' }).last();
      const colour = await line.evaluate((element) => getComputedStyle(element).color);
      const [redPart = 0, greenPart = 255] = (colour.match(/\d+/g) ?? []).map(Number);
      expect(redPart).toBeGreaterThan(greenPart);
    });

    it('shows the header of the job', async () => {
      await view.page.getByTestId('joblens-job-header').getByText('Running').first().waitFor();
    });

    it('made the browser complain about nothing', () => {
      expect(view.complaints).toEqual([]);
    });
  });
}
