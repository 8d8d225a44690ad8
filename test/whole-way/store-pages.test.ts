import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { describeWith } from '../components.js';
import { launchChromium } from './job-page.js';
import { type Stack, startEmbeddedStack, startInfluxdbStack, writePoints } from './stack.js';
import { createTableDashboard, GrowingTable, TablePage, TABLES_UID } from './table-page.js';

const JOB = "o'hara/7";
const ROWS = 1200;
const PAGE = 100;

const STACKS = [
  ['the embedded store', startEmbeddedStack],
  ['a real InfluxDB', startInfluxdbStack],
] as const;

/** Whole numbers from one down to another. */
function countDown(from: number, to: number): number[] {
  return Array.from({ length: from - to + 1 }, (_, at) => from - at);
}

describeWith(['influxd', 'chromium'], 'a table that is longer than what is loaded', () => {
  describe.each(STACKS)('over %s', (_name, start) => {
    let folder: string;
    let stack: Stack;
    let browser: Browser;
    let grown: GrowingTable;
    let table: TablePage;

    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'joblens-tables-'));
      const dashboards = join(folder, 'dashboards');
      await mkdir(dashboards);
      await writeFile(join(dashboards, 'tables.json'), JSON.stringify(createTableDashboard(JOB, 2 * PAGE)));
      stack = await start({ dashboardsFolder: dashboards });
      grown = new GrowingTable(JOB, Date.now() - 3_600_000);
      await writePoints(stack, grown.add(ROWS));
      browser = await launchChromium();
      const url = stack.pageUrl.replace('/d/joblens-job?', `/d/${TABLES_UID}?theme=dark&refresh=5s&`);
      table = await TablePage.open(browser, url, { width: 1280, height: 900 });
      await table.untilNote(/rows$/);
    });
    afterAll(async () => {
      expect(table.view.complaints).toEqual([]);
      await browser.close();
      await stack.stop();
      await rm(folder, { recursive: true, force: true });
    });

    it('is paged through while rows come in: none twice, none missing, none moved', async () => {
      const seen = (await table.readColumn('step')).map(Number);
      while (await table.button('Next page').isEnabled()) {
        await writePoints(stack, grown.add(13));
        await table.button('Next page').click();
        const top = Math.min(...seen) - 1;
        await table.cell(String(top)).waitFor();
        seen.push(...(await table.readColumn('step')).map(Number));
      }
      expect(seen).toEqual(countDown(seen[0] ?? 0, 0));
      const [first = 0] = (await table.readColumn('step')).map(Number);
      await table.button('Previous page').click();
      const page = countDown(first + PAGE, first + 1);
      await table.cell(String(first + PAGE)).waitFor();
      // Until a refresh has brought the rows.
      await table.untilNote(new RegExp(`of ${grown.rows.toLocaleString('en-US')} rows$`));
      await expect(table.readColumn('step')).resolves.toEqual(page.map(String));
      await table.button('First page').click();
      await table.cell(String(grown.rows - 1)).waitFor();
    });

    it('finds rows anywhere by their numbers and texts, and those that come in', async () => {
      const passing = (): number[] => countDown(grown.rows - 1, 0).filter((step) => step < 700 && step % 20 === 3);
      await table.filter('step', '<700');
      await table.filter('note', 'RUN 3, it\'s "D');
      await table.untilNote(new RegExp(`^${String(passing().length)} found in `));
      await expect(table.readColumn('step')).resolves.toEqual(passing().map(String));
      await table.filter('note', '');
      await table.filter('step', '100..699');
      await table.untilNote(/^1–100 of 600 found in /);
      await table.button('Next page').click();
      await table.untilNote(/^101–200 of 600 found in /);
      await expect(table.readColumn('step')).resolves.toEqual(countDown(599, 500).map(String));
      await table.filter('step', '');
      await table.filter('loss', '=NaN');
      const isNaNRow = (step: number): boolean => step % 500 === 7;
      const listNaNs = (): string[] =>
        countDown(grown.rows - 1, 0)
          .filter(isNaNRow)
          .map(String);
      await table.untilNote(new RegExp(`^${String(listNaNs().length)} found in `));
      const before = listNaNs().length;
      while (listNaNs().length === before) await writePoints(stack, grown.add(50));
      await table.untilNote(new RegExp(`^${String(before + 1)} found in `));
      await expect(table.readColumn('step')).resolves.toEqual(listNaNs());
      await table.filter('loss', '');
    });

    it('is copied as it was printed, as CSV, and with tabs', async () => {
      await table.filter('step', '40..41');
      await table.untilNote(/^2 found in /);
      const rows = [41, 40].map((step) => ({ step, loss: grown.lossOf(step), note: grown.noteOf(step) }));
      const json = await table.copy('Shown rows as JSON lines');
      expect(json).toBe(rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
      const [head, ...csv] = (await table.copy('Shown rows as CSV')).trimEnd().split('\n');
      expect(head).toBe('time,step,loss,note');
      const cells = rows.map(({ step, loss, note }) => `${step},${loss},"${note.replaceAll('"', '""')}"`);
      expect(csv.map((line) => line.replace(/^[^,]*Z,/, ''))).toEqual(cells);
      const tabs = (await table.copy('Shown rows, tab-separated')).trimEnd().split('\n').slice(1);
      expect(tabs.map((line) => line.split('\t').slice(1))).toEqual(rows.map((row) => Object.values(row).map(String)));
      await table.filter('step', '');
    });

    it('is downloaded with its filters and its order, all pages of it', async () => {
      const all = grown.rows.toLocaleString('en-US');
      await expect(table.listDownloads()).resolves.toEqual([
        `All ${all} rows, as CSV`,
        `All ${all} rows, as JSON lines`,
      ]);
      await table.filter('step', '100..699');
      await table.untilNote(/^1–100 of 600 found in /);
      const steps = countDown(699, 100).reverse();
      const csv = (await table.download('600 rows that match, as CSV')).trimEnd().split('\n').slice(1);
      expect(csv.map((line) => line.split(',').slice(1, 3).map(Number))).toEqual(
        steps.map((step) => [step, grown.lossOf(step)])
      );
      await table.sortBy('loss');
      await table.untilNote(/^1–100 · sorted all 600 found in /);
      const isNaNRow = (step: number): boolean => Number.isNaN(grown.lossOf(step));
      const json = (await table.download('Rows that match, sorted by loss, as JSON lines')).trimEnd().split('\n');
      const read = json.map((line) => Number(/"step":(\d+)/.exec(line)?.[1]));
      const falling = countDown(699, 100).filter((step) => !isNaNRow(step));
      falling.sort((a, b) => grown.lossOf(b) - grown.lossOf(a));
      expect(read.filter((step) => !isNaNRow(step))).toEqual(falling);
      expect(read.slice(0, 100).map(String)).toEqual(await table.readColumn('step'));
      await table.sortBy('loss');
      await table.sortBy('loss');
      await table.filter('step', '');
    });

    it('is sorted whole by any column, both ways, and says so', async () => {
      const numbers = countDown(grown.rows - 1, 0).map((step) => grown.lossOf(step));
      const finite = numbers.filter((loss) => !Number.isNaN(loss)).sort((a, b) => a - b);
      await table.sortBy('loss');
      await table.sortBy('loss');
      await table.untilNote(new RegExp(`^1–100 · sorted all ${grown.rows.toLocaleString('en-US')} rows$`));
      const readLosses = async (): Promise<number[]> => (await table.readColumn('loss')).map(Number);
      await expect(readLosses()).resolves.toEqual(finite.slice(0, PAGE));
      await table.button('Next page').click();
      await table.untilNote(/^101–200 · sorted all /);
      await expect(readLosses()).resolves.toEqual(finite.slice(PAGE, 2 * PAGE));
      await writePoints(stack, grown.add(5));
      await table.page.getByRole('button', { name: '5 newer' }).waitFor();
      await expect(readLosses()).resolves.toEqual(finite.slice(PAGE, 2 * PAGE));
      await table.page.getByRole('button', { name: '5 newer' }).click();
      await table.untilNote(new RegExp(`^1–100 · sorted all ${grown.rows.toLocaleString('en-US')} rows$`));
      await table.sortBy('loss');
    });
  });
});
