import type { ChildProcess } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { describeWith } from '../components.js';
import { pythonPath } from '../python.js';
import { startJoblens, whenEnded } from './job.js';
import { JobPage, launchChromium, untilCount } from './job-page.js';
import { type Stack, startEmbeddedStack, startInfluxdbStack } from './stack.js';

const EPOCHS = 8;
const JOB = 'alpha/12_3';
const LINES = ['loss', 'accuracy'];

const STACKS = [
  ['the embedded store', startEmbeddedStack],
  ['a real InfluxDB', startInfluxdbStack],
] as const;

describeWith(['influxd', 'chromium', 'python'], 'the whole way', () => {
  describe.each(STACKS)('over %s', (_name, start) => {
    let stack: Stack;
    let job: ChildProcess;
    let browser: Browser;
    let view: JobPage;

    beforeAll(async () => {
      stack = await start();
      const control = join(stack.folder, 'control');
      await mkdir(control);
      const program = [pythonPath(), join(__dirname, 'training-job.py'), control, String(EPOCHS)];
      job = startJoblens(stack, ['run', '--mode', 'enabled', '--job', JOB, '--user', 'ann', '--', ...program]);
      browser = await launchChromium();
      view = await JobPage.open(browser, stack.pageUrl, JOB);
      await view.logLines('evaluating').first().waitFor({ timeout: 120_000 });
    });

    afterAll(async () => {
      job.kill('SIGKILL');
      await browser.close();
      await stack.stop();
    });

    it('shows what the job printed, once, in its colours', async () => {
      await untilCount(view.logLines('training starts'), 1);
      const colour = await view
        .logLines('training starts')
        .locator('span', { hasText: 'training starts' })
        .last()
        .evaluate((element) => getComputedStyle(element).color);
      const plain = await view
        .logLines('waiting for data')
        .first()
        .evaluate((element) => getComputedStyle(element).color);
      expect(colour).not.toBe(plain);
      await untilCount(view.logLines('waiting for data'), 1);
      await untilCount(view.logLines('(previous line repeated 2 times)'), 1);
    });

    it('shows a running progress bar as one line that moves', async () => {
      const bar = view.logLines('evaluating');
      const before = (await bar.first().textContent()) ?? '';
      expect(before).toMatch(/\d+\/100000/);
      await untilCount(bar, 1);
      await view.page.waitForFunction(
        (text) =>
          Array.from(document.querySelectorAll('[data-testid="joblens-log-line"]')).some(
            (line) => line.textContent.includes('evaluating') && line.textContent !== text
          ),
        before,
        { timeout: 120_000 }
      );
      await untilCount(bar, 1);
    });

    it('draws the lines against the X of the ladder, which can be changed', async () => {
      await untilCount(view.graph('epoch'), 1);
      await untilCount(view.graph('step'), 1);
      const picker = view.xPicker('epoch');
      await expect(picker.getAttribute('title')).resolves.toContain('a column named epoch');
      await picker.getByRole('combobox').click();
      await view.page.getByText('accuracy', { exact: true }).last().click();
      await view.graph('accuracy').waitFor();
      await view.xPicker('accuracy').getByRole('combobox').click();
      await view.page.getByText('Automatic', { exact: false }).first().click();
      await view.graph('epoch').waitFor();
    });

    it('shows only one line after a click on the legend, and toggles one with Ctrl+click', async () => {
      const graph = view.graph('epoch');
      const colours = await view.readColours(graph, LINES);
      const expectDrawn = (names: readonly string[]) => view.untilDrawn(graph, colours, names);
      const click = async (name: string, modifiers: 'Control'[] = []) => {
        await view.legendLabel(graph, name).click({ modifiers });
        // A name under the mouse dims the other lines.
        await view.page.mouse.move(5, 5);
      };
      expect(new Set(colours.values()).size).toBe(2);
      // The picker's menu was over the names.
      await view.page.mouse.move(5, 5);
      await expectDrawn(['loss', 'accuracy']);
      await click('loss');
      await expectDrawn(['loss']);
      await click('accuracy', ['Control']);
      await expectDrawn(['loss', 'accuracy']);
      await click('loss', ['Control']);
      await expectDrawn(['accuracy']);
      await click('accuracy');
      await expectDrawn(['loss', 'accuracy']);
    });

    it('has the newest row of the table first', async () => {
      await view.page.getByRole('tab', { name: 'Table' }).click();
      const first = view.tableRows().first();
      await first.scrollIntoViewIfNeeded();
      await expect(first.textContent()).resolves.toMatch(/8|80/);
      const epochs = await view
        .tableRows()
        .evaluateAll((rows) => rows.map((row) => Number(row.querySelectorAll('td,[role="cell"]')[1]?.textContent)));
      expect(epochs).toEqual([...epochs].sort((a, b) => b - a));
      expect(epochs).toHaveLength(EPOCHS);
    });

    it('says how the job ended', async () => {
      await writeFile(join(stack.folder, 'control', 'end'), '');
      await expect(whenEnded(job)).resolves.toBe(0);
      await view.page.getByText('COMPLETED').first().waitFor({ timeout: 120_000 });
      await view.logLines('done').first().waitFor({ timeout: 120_000 });
    });

    it('opens the job from the list of jobs at its own time', async () => {
      await view.page.getByRole('link', { name: 'All jobs' }).click();
      await view.page.getByRole('link', { name: JOB, exact: true }).click();
      await view.logLines('training starts').first().waitFor({ timeout: 120_000 });
      const { searchParams } = new URL(view.page.url());
      expect(searchParams.get('var-job')).toBe(JOB);
      const spanMs = Date.parse(searchParams.get('to') ?? '') - Date.parse(searchParams.get('from') ?? '');
      expect(spanMs).toBeGreaterThan(0);
      expect(spanMs).toBeLessThan(120_000);
    });

    it('made the browser complain about nothing', () => {
      expect(view.complaints).toEqual([]);
    });
  });
});
