import { readFileSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import { describeWith } from '../components.js';
import { createDemoExperiment } from '../../standalone/src/demo-experiment.js';
import { createDemoHistory } from '../../standalone/src/demo-history.js';
import { createDemoData, DEMO_NOW_MS } from './demo-data.js';
import { createDemoSpans } from './demo-spans.js';
import { launchChromium, untilCount } from './job-page.js';
import { type Stack, startEmbeddedStack, writePoints } from './stack.js';

interface Violation {
  readonly id: string;
  readonly impact: string | null;
  readonly nodes: ReadonlyArray<{ readonly target: readonly string[]; readonly failureSummary: string }>;
}

const LIST = '/d/joblens-jobs?from=now-24h&to=now';
const job = (id: string, from: string, to = 'now'): string => `/d/joblens-job?var-job=${id}&from=${from}&to=${to}`;
const ROW = '[data-testid="joblens-job"]';
const HEADER = '[data-testid="joblens-job-header"]';
const LINE = '[data-testid="joblens-log-line"]';
const EMPTY = '[data-testid="joblens-empty"]';

/** Width and height of a phone, a tablet, a laptop and a wall. */
const SIZES = [
  [375, 812],
  [768, 1024],
  [1280, 800],
  [3840, 2160],
] as const;

const DAY_MS = 86_400_000;

const COMPARED = '/d/joblens-compare?var-tag=experiment%3Dtwo-moons-sweep';

const PAGES: ReadonlyArray<readonly [name: string, path: string, ready: string]> = [
  ['the list of jobs', LIST, ROW],
  ['an empty list', '/d/joblens-jobs?from=now-40d&to=now-39d', `${EMPTY} button`],
  ['a running job', job('48213', 'now-97m'), LINE],
  ['a failed job', job('48190', 'now-4h', 'now-2h'), LINE],
  ['a job that is not known', job('99999', 'now-4h'), `${EMPTY} a`],
  ['the cluster', '/d/joblens-cluster?from=now-4d&to=now-3d', '[data-testid="joblens-graph"]'],
  ['how to log a job', '/about', 'article code'],
  ['the events', '/d/joblens-events?from=now-4d&to=now-3d', '[data-testid="joblens-table-row"]'],
  ['the spans', '/d/joblens-spans?var-job=48213&from=now-10m&to=now', '[data-testid="joblens-gantt-canvas"]'],
  ['the comparison', COMPARED, '[data-testid="joblens-fact"]'],
  ['a job outside the range', job('48190', 'now-10m'), `${EMPTY} button`],
];

describeWith(['chromium'], 'the looks of the page', () => {
  let stack: Stack;
  let browser: Browser;
  let page: Page;

  async function open(path: string, ready: string, theme: string, [width, height]: readonly [number, number]) {
    await page.setViewportSize({ width, height });
    await page.goto(
      `${stack.influxHost}${path}${path.includes('?') ? '&' : '?'}theme=${theme}&token=${stack.token ?? ''}`
    );
    await page.locator(ready).first().waitFor({ timeout: 120_000 });
    await page.waitForLoadState('networkidle');
  }

  beforeAll(async () => {
    stack = await startEmbeddedStack();
    await writePoints(stack, createDemoData());
    await writePoints(stack, createDemoHistory(DEMO_NOW_MS - 3 * DAY_MS));
    await writePoints(stack, createDemoSpans());
    await writePoints(stack, createDemoExperiment(DEMO_NOW_MS - 3 * DAY_MS));
    browser = await launchChromium();
    page = await browser.newPage({ timezoneId: 'UTC', reducedMotion: 'reduce' });
    await page.clock.setFixedTime(DEMO_NOW_MS);
  });
  afterAll(async () => {
    await browser.close();
    await stack.stop();
  });

  describe.each(PAGES)('%s', (_name, path, ready) => {
    it('fits, from a phone to a wall, and keeps the rules of accessibility in the dark', async () => {
      const [first] = SIZES;
      await open(path, ready, 'dark', first);
      const found: Record<string, readonly string[]> = {};
      for (const [width, height] of SIZES) {
        await page.setViewportSize({ width, height });
        await untilLaidOut(page);
        found[`${width} pixels wide`] = await findOverflow(page);
      }
      await page.setViewportSize({ width: 1440, height: 900 });
      await untilLaidOut(page);
      found['accessibility'] = await findViolations(page);
      expect(Object.entries(found).filter(([, faults]) => faults.length > 0)).toEqual([]);
    });

    it('keeps the rules of accessibility in the light', async () => {
      await open(path, ready, 'light', [1440, 900]);
      expect(await findViolations(page)).toEqual([]);
    });
  });

  it.each([
    ['the jobs', LIST, ROW],
    ['a job', job('48213', 'now-97m'), LINE],
    ['the spans', '/d/joblens-spans?var-job=48213&from=now-10m&to=now', '[data-testid="joblens-gantt-canvas"]'],
    ['the events', '/d/joblens-events?from=now-4d&to=now-3d', '[data-testid="joblens-table-row"]'],
  ])('ends %s with the window, also when that becomes larger', async (_name, path, ready) => {
    await open(path, ready, 'dark', [1440, 900]);
    await untilFitted(page);
    await page.setViewportSize({ width: 2560, height: 1440 });
    await untilFitted(page);
    await page.setViewportSize({ width: 1440, height: 900 });
    await untilFitted(page);
  });

  it.each([
    [
      'the spans',
      '/d/joblens-spans?var-job=48213&from=now-10m&to=now',
      '[data-testid="joblens-gantt-canvas"]',
      'Spans',
    ],
    ['few runs', COMPARED, '[data-testid="joblens-fact"]', 'Is A better than B?'],
  ])('makes %s no higher than they need', async (_name, path, ready, title) => {
    await open(path, ready, 'dark', [1440, 900]);
    await untilAsHighAsNeeded(page, title);
  });

  it('gives a panel that was lowered to no row the height that its rows need, once there are some', async () => {
    await open(COMPARED, '[data-testid="joblens-fact"]', 'dark', [1440, 900]);
    const runs = page.locator('section[aria-label="Runs"]');
    const heightOf = async (): Promise<number> => (await runs.boundingBox())?.height ?? 0;
    await page.waitForFunction(
      () => {
        const rows = document.querySelector('section[aria-label="Runs"] [role="region"]');
        return rows?.querySelector('tbody tr') !== null && (rows?.scrollHeight ?? 1) <= (rows?.clientHeight ?? 0);
      },
      undefined,
      { timeout: 120_000 }
    );
    const wholePx = await heightOf();
    await runs.getByRole('button', { name: 'Filter by columns' }).click();
    await runs.getByLabel('Filter job').fill('no job (at all)');
    await untilCount(runs.getByTestId('joblens-table-row'), 0);
    await page.waitForFunction(
      (px) => (document.querySelector('section[aria-label="Runs"]')?.clientHeight ?? px) < px - 100,
      wholePx,
      { timeout: 120_000 }
    );
    await runs.getByLabel('Filter job').fill('');
    await page.waitForFunction(
      (px) => (document.querySelector('section[aria-label="Runs"]')?.clientHeight ?? 0) >= px,
      wholePx,
      { timeout: 120_000 }
    );
  });

  it.each([1440, 2560])('prints the whole page of a job from a window of %d pixels', async (width) => {
    await open(job('48213', 'now-97m'), LINE, 'light', [width, 900]);
    await page.evaluate(() => {
      window.addEventListener('beforeprint', () => {
        document.title = document.head.lastElementChild?.textContent ?? '';
      });
    });
    await page.pdf({ format: 'A4' });
    expect(await page.title()).toContain(`size: ${width}px`);
  });

  it('prints the graphs that are out of sight, too', async () => {
    await open(COMPARED, '[data-testid="joblens-fact"]', 'light', [1440, 400]);
    const pane = '[data-testid="joblens-pane"]';
    await untilCount(page.locator(pane), 1);
    await untilCount(page.locator(`${pane} canvas`), 0);
    await page.pdf({ format: 'A4' });
    await untilCount(page.locator(`${pane} canvas`), 1);
  });

  it('has a link to each job that the keyboard reaches', async () => {
    await open(LIST, ROW, 'dark', [1440, 900]);
    const link = page.locator(`${ROW} a`).first();
    const id = (await link.textContent()) ?? '';
    await page.getByRole('region', { name: 'List of jobs' }).focus();
    for (let tabs = 0; tabs < 12 && !(await link.evaluate((element) => element === document.activeElement)); tabs += 1)
      await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.locator(HEADER).waitFor();
    expect(new URL(page.url()).searchParams.get('var-job')).toBe(id);
  });

  it('draws the course of the main number of the jobs in sight', async () => {
    await open(LIST, `${ROW} svg[role="img"]`, 'dark', [1440, 900]);
    await untilCount(page.getByRole('img', { name: 'loss of 48213' }), 1);
    await untilCount(page.getByRole('img', { name: 'residual of cfd/wing-7' }), 1);
  });

  it.each(PAGES)(
    'has one row of controls at most above %s on a phone, and the rest behind a button',
    async (...place) => {
      const [, path, ready] = place;
      await open(path, ready, 'light', [390, 844]);
      expect(await countControlRows(page)).toBeLessThanOrEqual(1);
      const choices = page.getByRole('button', { name: 'Choices and links' });
      // A page of text has none.
      if ((await choices.count()) === 0) return;
      await choices.click();
      await page.waitForFunction((label) => {
        const button = document.querySelector(`[aria-label="${label}"]`);
        const fields = document.querySelectorAll(`#${CSS.escape(button?.getAttribute('aria-controls') ?? '')} input`);
        return fields.length > 0 && Array.from(fields).every((field) => field.checkVisibility());
      }, 'Choices and links');
      expect(await findOverflow(page)).toEqual([]);
    }
  );

  it('has one row of controls above the comparison on a laptop', async () => {
    await open(COMPARED, '[data-testid="joblens-fact"]', 'light', [1440, 900]);
    expect(await countControlRows(page)).toBe(1);
  });

  it.each(PAGES)('cuts no row of %s at the lower edge of a list or table on a laptop', async (_name, path, ready) => {
    await open(path, ready, 'dark', [1440, 900]);
    await untilLaidOut(page);
    expect(await findCutRows(page)).toEqual([]);
  });

  it.each([860, 1140, 1440, 2560])('has lines of one height at %d pixels', async (width) => {
    await open(LIST, `${ROW} svg[role="img"]`, 'dark', [width, 900]);
    const heights = await page
      .locator(ROW)
      .evaluateAll((rows) => rows.map((row) => Math.round(row.getBoundingClientRect().height)));
    expect([...new Set(heights)]).toEqual([40]);
  });

  it.each([390, 1440])('has targets of 24 pixels at least at %d pixels', async (width) => {
    await open(LIST, ROW, 'dark', [width, 900]);
    const small = await page
      .locator('[data-testid="joblens-panel"] :is(button, a[href], input)')
      .evaluateAll((targets) =>
        targets
          // A click on its label is one on a field.
          .map((target) => [target.closest('label') ?? target, target.outerHTML.slice(0, 80)] as const)
          .map(([target, html]) => [target.getBoundingClientRect(), html] as const)
          .filter(([{ width: px, height }]) => px > 0 && (px < 24 || height < 24))
          .map(([{ width: px, height }, html]) => `${html} is ${px} x ${height}`)
      );
    expect(small).toEqual([]);
  });

  it('has a link that skips to the content, and a key that goes to the search', async () => {
    await open(LIST, ROW, 'dark', [1440, 900]);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    const focused = (): Promise<string> => page.evaluate(() => document.activeElement?.tagName ?? '');
    expect(await focused()).toBe('MAIN');
    await page.keyboard.press('/');
    expect(await focused()).toBe('INPUT');
  });

  it('says in the header what made a job fail', async () => {
    await open(job('48190', 'now-4h', 'now-2h'), '[data-testid="joblens-reason"]', 'dark', [1440, 900]);
    await page.getByText('exit code 1: RuntimeError: CUDA error', { exact: false }).waitFor({ timeout: 120_000 });
  });

  it('shows no half line in the header of a failed job on a phone', async () => {
    await open(job('48190', 'now-4h', 'now-2h'), '[data-testid="joblens-reason"]', 'dark', [390, 844]);
    const cut = await page.locator(`${HEADER} :is(dt, dd, p)`).evaluateAll((elements) => {
      const panel = elements[0]?.closest('section')?.parentElement?.getBoundingClientRect() ?? new DOMRect();
      return elements.filter((element) => {
        const { top, bottom } = element.getBoundingClientRect();
        return top < panel.bottom && bottom > panel.bottom + 1;
      }).length;
    });
    expect(cut).toBe(0);
  });

  it('shows the whole way out of an empty header on a phone', async () => {
    await open(job('99999', 'now-4h'), `${EMPTY} a`, 'dark', [390, 844]);
    const isCut = await page
      .locator(EMPTY)
      .first()
      .evaluate((element) => element.scrollHeight > element.clientHeight);
    expect(isCut).toBe(false);
  });

  it('cuts no hint of a field on a phone', async () => {
    await open(LIST, ROW, 'dark', [390, 844]);
    const field = page.getByLabel('Search jobs');
    const isCut = await field.evaluate((element) => {
      const { placeholder, clientWidth } = element as HTMLInputElement;
      const context = document.createElement('canvas').getContext('2d');
      const { font, paddingLeft, paddingRight } = getComputedStyle(element);
      if (context !== null) context.font = font;
      const used = parseFloat(paddingLeft) + parseFloat(paddingRight);
      return (context?.measureText(placeholder).width ?? 0) > clientWidth - used;
    });
    expect(isCut).toBe(false);
  });

  it('shows why a key is X only where there is room for the whole reason', async () => {
    await open(job('48213', 'now-97m'), '[data-testid="joblens-x-picker"]', 'dark', [3000, 900]);
    const reason = page.getByTestId('joblens-x-picker').first().locator('i + span');
    const isShown = (): Promise<boolean> =>
      reason.evaluate((element) => {
        const [own, box] = [element, element.parentElement ?? element].map((one) => one.getBoundingClientRect());
        return (own?.top ?? 0) < (box?.bottom ?? 0);
      });
    expect(await isShown()).toBe(true);
    const cut: number[] = [];
    for (let width = 1640; width <= 3000; width += 40) {
      await page.setViewportSize({ width, height: 900 });
      await untilLaidOut(page);
      if ((await reason.count()) === 0 || !(await isShown())) continue;
      const isCut = await reason.evaluate((element) => element.scrollWidth > (element.parentElement?.clientWidth ?? 0));
      if (isCut) cut.push(width);
    }
    expect(cut).toEqual([]);
  });

  it('scrolls no table of the cluster sideways on a laptop', async () => {
    await open('/d/joblens-cluster?from=now-4d&to=now-3d', '[data-testid="joblens-table-row"]', 'dark', [1280, 1500]);
    await untilLaidOut(page);
    const excess = await page
      .getByRole('region', { name: 'Rows' })
      .evaluateAll((regions) => regions.map(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth));
    expect(excess.length).toBeGreaterThan(1);
    expect(Math.max(...excess)).toBeLessThanOrEqual(0);
  });

  it('says the last error of a job whose description has its exit code alone', async () => {
    const endedMs = DEMO_NOW_MS - 180 * 60_000;
    const tags = 'job=no-reason,user=bob';
    await writePoints(
      stack,
      `job,${tags} state="FAILED",exit_code=1,started=${endedMs - 60_000},ended=${endedMs} ${endedMs}000000\n` +
        `job_log,${tags},stream=stderr line="ValueError: bad shape",kind="output" ${endedMs - 1000}000000`
    );
    await open(job('no-reason', 'now-4h', 'now-2h'), '[data-testid="joblens-reason"]', 'dark', [1440, 900]);
    await page.getByText('exit code 1: ValueError: bad shape').waitFor({ timeout: 120_000 });
  });

  it('opens the log of a failed job where its traceback is, which is in stderr', async () => {
    await open(job('48190', 'now-4h', 'now-2h'), LINE, 'dark', [1440, 900]);
    const error = page.locator(LINE, { hasText: 'RuntimeError: CUDA error' });
    await error.waitFor({ timeout: 120_000 });
    expect(await error.getAttribute('data-stream')).toBe('stderr');
  });

  it('takes the log to the time of a row of the table', async () => {
    await open(job('48213', 'now-97m'), LINE, 'dark', [1440, 900]);
    await page.getByRole('tab', { name: 'Table', exact: true }).click();
    await page.getByRole('tablist', { name: 'Table to show' }).getByRole('tab').first().click();
    await page.getByTestId('joblens-table-order').click();
    await page.getByTestId('joblens-table-row').first().click();
    await page.locator('[role="log"][data-following="false"]').waitFor({ timeout: 120_000 });
    await page.locator(LINE, { hasText: 'model: 1.3 B parameters' }).waitFor({ timeout: 120_000 });
  });

  it.each([
    ['a job that runs and printed no metadata', job('48220', 'now-5m'), 'No metadata yet'],
    ['a job whose owner switched logging off', job('48188', 'now-2h'), 'Only the state of this job is stored'],
  ])('says why a view of %s is empty', async (_name, path, text) => {
    await open(path, EMPTY, 'dark', [1440, 900]);
    await page.getByText(text).first().waitFor({ timeout: 120_000 });
  });

  it.each([
    ['the whole job', job('48190', 'now-10m'), 'Show the whole job', LINE],
    ['the time of other jobs', '/d/joblens-jobs?from=now-40d&to=now-39d', 'Go to that time', ROW],
  ])('leads to %s in one click', async (_name, path, label, ready) => {
    await open(path, `${EMPTY} button`, 'dark', [1440, 900]);
    await page.getByRole('button', { name: label }).first().click();
    await page.locator(ready).first().waitFor({ timeout: 120_000 });
  });

  it('says that the database is missing', async () => {
    await page.route('**/query**', (route) =>
      route.fulfill({ status: 404, json: { error: 'database not found: "joblens"' } })
    );
    await open(LIST, EMPTY, 'dark', [1440, 900]);
    await page.getByText('The database is missing').waitFor({ timeout: 120_000 });
    await page.unroute('**/query**');
  });
});

/** Resolves once the lowest panel ends with the window: less than a row of the grid is free above the margin. */
async function untilFitted(page: Page): Promise<void> {
  await page.waitForFunction(
    () => {
      const ends = Array.from(
        document.querySelectorAll('[data-griditem-key]'),
        (item) => item.getBoundingClientRect().bottom
      );
      const freePx = window.innerHeight - 16 - Math.max(...ends);
      return freePx >= 0 && freePx < 38;
    },
    undefined,
    { timeout: 120_000 }
  );
}

/** Resolves once less than a row of the grid is free below what a panel shows. */
async function untilAsHighAsNeeded(page: Page, title: string): Promise<void> {
  await page.waitForFunction(
    (header) => {
      const scroller = Array.from(document.querySelectorAll(`[data-testid="${header}"] *`)).find((element) =>
        ['auto', 'scroll'].includes(getComputedStyle(element).overflowY)
      );
      if (scroller === undefined) return false;
      const { top } = scroller.getBoundingClientRect();
      const ends = Array.from(scroller.children, (child) => child.getBoundingClientRect().bottom);
      return scroller.clientHeight - (Math.max(...ends) - top) < 38;
    },
    `data-testid Panel header ${title}`,
    { timeout: 120_000 }
  );
}

/** Waits until some frames in a row show the same, after the size of the page has changed. */
function untilLaidOut(page: Page): Promise<void> {
  const stillFrames = 6;
  return page.evaluate(
    (wanted) =>
      new Promise((resolve) => {
        let [before, still] = ['', 0];
        const look = (): void => {
          const now = document.body.innerHTML;
          still = now === before ? still + 1 : 0;
          before = now;
          if (still >= wanted) resolve();
          else requestAnimationFrame(look);
        };
        requestAnimationFrame(look);
      }),
    stillFrames
  );
}

/** Grafana's own refresh picker and legend have labels that differ from their texts; its loading bar has one at all. */
const LABELLED_BY_GRAFANA = /toolbar-button|LegendLabel/;

/** The serious violations of the page, in short. */
async function findViolations(page: Page): Promise<string[]> {
  await page.evaluate(readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8'));
  const found = await page.evaluate(async () => {
    const { axe } = window as unknown as {
      axe: { run(options: object): Promise<{ violations: Violation[] }> };
    };
    return (await axe.run({ resultTypes: ['violations'] })).violations;
  });
  return found
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map((violation) => ({ ...violation, nodes: violation.nodes.filter((node) => !isGrafanas(violation.id, node)) }))
    .flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')}: ${failureSummary}`)
    );
}

function isGrafanas(id: string, { target }: Violation['nodes'][number]): boolean {
  const element = target.join(' ');
  if (id === 'aria-prohibited-attr') return element.includes('Loading indicator');
  return id === 'label-content-name-mismatch' && LABELLED_BY_GRAFANA.test(element);
}

/** How many rows of controls are between the bar at the top and the first panel. */
function countControlRows(page: Page): Promise<number> {
  return page.evaluate(() => {
    const main = document.querySelector('main');
    const firstTop = main?.querySelector('[data-griditem-key]')?.getBoundingClientRect().top ?? 0;
    const boxes = Array.from(main?.querySelectorAll('button, a[href], input, select') ?? [], (control) =>
      control.getBoundingClientRect()
    )
      .filter(({ width, height, bottom }) => width > 2 && height > 2 && bottom <= firstTop)
      .sort((one, other) => one.top - other.top);
    let [rows, bottom] = [0, Number.NEGATIVE_INFINITY];
    for (const box of boxes) {
      if (box.top >= bottom) rows += 1;
      bottom = Math.max(bottom, box.bottom);
    }
    return rows;
  });
}

/** The rows of lists and tables that are neither whole nor out of sight at the lower edge of what scrolls them. */
function findCutRows(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    Array.from(document.querySelectorAll('[role="region"]')).flatMap((region) => {
      // A scroll bar is below the rows.
      const bottom = region.getBoundingClientRect().top + region.clientTop + region.clientHeight;
      return Array.from(region.querySelectorAll('tbody tr:not([aria-hidden])'))
        .filter(
          (row) => row.getBoundingClientRect().top < bottom - 1 && row.getBoundingClientRect().bottom > bottom + 1
        )
        .map((row) => `${region.getAttribute('aria-label') ?? ''}: ${row.textContent}`);
    })
  );
}

/** What makes the page scroll sideways, and text of our views that is cut at its side. */
function findOverflow(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const describe = (element: Element): string => `${element.outerHTML.slice(0, 80)}: ${element.textContent}`;
    const bare = (text: string): string => text.replace(/\s/g, '');
    const list = (selector: string): Element[] => Array.from(document.querySelectorAll(selector));
    const scrolling = [document.documentElement, document.querySelector('main')].filter(
      (element) => element !== null && element.scrollWidth > element.clientWidth
    );
    const ours = ['joblens-job', 'joblens-job-header', 'joblens-empty'].map((id) => `[data-testid="${id}"] *`).join();
    const cut = list(ours).filter((element) => {
      const { overflowX, display, textOverflow } = getComputedStyle(element);
      // What a line has no room for is whole in a title.
      const title = element.closest('[title]')?.getAttribute('title') ?? '';
      const isTold = textOverflow === 'ellipsis' && bare(title).includes(bare(element.textContent));
      const isClipped = overflowX !== 'visible' && element.scrollWidth > element.clientWidth + 1;
      return display !== 'inline' && isClipped && !isTold;
    });
    const beyond = list(ours).filter((element) => element.getBoundingClientRect().right > window.innerWidth + 1);
    return [...scrolling, ...cut, ...beyond].filter((element) => element !== null).map(describe);
  });
}
