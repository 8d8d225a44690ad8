import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Locator, Page } from 'playwright-core';
import { describeWith } from '../components.js';
import { BINARY } from '../joblens-command.js';
import { launchChromium } from './job-page.js';
import { type Stack, startEmbeddedStack, startInfluxdbStack } from './stack.js';

const repeat = (count: number, format: (i: number) => string): string[] =>
  Array.from({ length: count }, (_, i) => format(i));

/** A job, the end of what it prints before the number that is clicked, and the columns of the graph, X first. */
interface Program {
  readonly job: string;
  readonly lines: readonly string[];
  readonly mark: string;
  readonly button: string;
  readonly columns: readonly string[];
}

const PROGRAMS: readonly Program[] = [
  {
    job: 'plain',
    lines: repeat(300, (i) => `[rank0] shard ${i} | width: ${(1 + Math.sin(i)).toFixed(3)} | depth: ${i % 7}.5`),
    ...{ mark: 'shard 299 | width: ', button: 'Draw width', columns: ['shard', 'width', 'depth'] },
  },
  {
    job: 'keras',
    lines: repeat(
      40,
      (i) => `Epoch ${i + 1}/40\n9/9 [=====] - 1s 9ms/step - loss: 0.${99 - i} - accuracy: 0.${i + 10}`
    ),
    ...{ mark: 'loss: ', button: 'Draw loss', columns: ['epoch', 'loss', 'accuracy'] },
  },
  {
    job: 'lammps',
    lines: [
      'Step Temp Press ',
      ...repeat(400, (i) => `${i * 10}  2.${(i * 7) % 9}  -${i % 5}.25 `),
      'all 0.5 2',
      'Loop time of 3',
    ],
    ...{ mark: '3990  ', button: 'Draw Temp', columns: ['Step', 'Temp', 'Press'] },
  },
];

/** Clicks the number behind a text of the log. */
async function clickBehind(line: Locator, mark: string): Promise<void> {
  const place = await line.evaluate((element, text) => {
    const at = element.textContent.indexOf(text) + text.length;
    const node = document.createTreeWalker(element, NodeFilter.SHOW_TEXT).nextNode();
    if (node === null) throw new Error('The line has no text');
    const range = document.createRange();
    range.setStart(node, at);
    range.setEnd(node, at + 1);
    const { left, top, width, height } = range.getBoundingClientRect();
    return { x: left + width / 2, y: top + height / 2 };
  }, mark);
  await line.page().mouse.click(place.x, place.y);
}

/** The rows of a CSV, as objects. */
function readCsv(text: string): unknown[] {
  const [head = '', ...lines] = text.trimEnd().split(/\r?\n/);
  const keys = head.split(',');
  return lines.map((line) => Object.fromEntries(line.split(',').map((cell, i) => [keys[i] ?? '', Number(cell)])));
}

const STACKS = [
  ['the embedded store', startEmbeddedStack],
  ['a real InfluxDB', startInfluxdbStack],
] as const;

describeWith(['influxd', 'chromium'], 'a click on a number of the log', () => {
  describe.each(STACKS)('over %s', (_name, start) => {
    let stack: Stack;
    let browser: Browser;
    let page: Page;

    beforeAll(async () => {
      stack = await start();
      browser = await launchChromium();
      page = await browser.newPage({ viewport: { width: 1440, height: 1300 }, timezoneId: 'UTC', locale: 'en-US' });
      page.setDefaultTimeout(120_000);
    });
    afterAll(async () => {
      await browser.close();
      await stack.stop();
    });

    /** Runs the command, and returns what it prints. */
    const joblens = (args: readonly string[], input = ''): Promise<string> =>
      new Promise((resolve, reject) => {
        const { influxHost, token = '', folder } = stack;
        const env = { PATH: process.env['PATH'], HOME: folder, INFLUX_HOST: influxHost, INFLUX_TOKEN: token };
        const child = execFile(BINARY, args, { env }, (error, stdout) =>
          error === null ? resolve(stdout) : reject(new Error(error.message))
        );
        child.stdin?.end(input);
      });

    it('in stderr says that the rule has no effect there, and what has', async () => {
      const file = join(stack.folder, 'err.txt');
      await writeFile(file, repeat(60, (i) => `shard ${i} | width: 0.${i + 100}\n`).join(''));
      await joblens(['run', '--mode', 'enabled', '--job', 'err', '--', 'sh', '-c', `cat ${file} >&2`]);
      await page.goto(`${stack.pageUrl}&var-job=err&from=now-15m&to=now`);
      const line = page.locator('[data-log-text]', { hasText: 'shard 59' }).last();
      await line.waitFor();
      await clickBehind(line, 'width: ');
      await page.getByRole('button', { name: 'Draw width', exact: true }).click();
      const drawn = page.getByTestId('joblens-drawn');
      await drawn.locator('canvas').first().waitFor();
      const warning = (await drawn.getByTestId('joblens-drawn-warning').textContent()) ?? '';
      expect(warning).toContain("sh -c 'COMMAND 2>&1'");

      const rule = await drawn.getByTestId('joblens-drawn-rule').textContent();
      await writeFile(join(stack.folder, '.logoptin'), `${rule ?? ''}\n`);
      await joblens(['run', '--job', 'err-again', '--', 'sh', '-c', `(cat ${file} >&2) 2>&1`]);
      const rows = await joblens(['metadata', 'err-again', '--json']);
      expect(rows.trimEnd().split('\n')).toHaveLength(60);
    });

    it.each(PROGRAMS)('of $job draws the whole job, with the rule that gives the same table', async (program) => {
      const { job, lines, mark, button, columns } = program;
      const output = `${lines.join('\n')}\n`;
      await joblens(['pipe', '--mode', 'enabled', '--job', job], output);
      await page.goto(`${stack.pageUrl}&var-job=${job}&from=now-15m&to=now`);
      const line = page.locator('[data-log-text]', { hasText: mark }).last();
      await line.waitFor();
      await clickBehind(line, mark);
      await page.getByRole('button', { name: button, exact: true }).click();
      const drawn = page.getByTestId('joblens-drawn');
      await drawn.locator('canvas').first().waitFor();
      const download = page.waitForEvent('download');
      await drawn.getByRole('button', { name: 'Save as CSV' }).first().click();
      const stream = await (await download).createReadStream();
      const csv = (await stream.toArray()).join('');
      expect(csv.split(/\r?\n/)[0]).toBe(columns.join());

      const rule = await drawn.getByTestId('joblens-drawn-rule').textContent();
      await writeFile(join(stack.folder, '.logoptin'), `${rule ?? ''}\n`);
      await joblens(['pipe', '--job', `${job}-again`], output);
      const rows = await joblens(['metadata', `${job}-again`, '--json']);
      const logged = rows
        .trimEnd()
        .split('\n')
        .map((row) => JSON.parse(row) as unknown);
      expect(logged.length).toBeGreaterThanOrEqual(40);
      expect(readCsv(csv)).toEqual(logged);
    });
  });
});
