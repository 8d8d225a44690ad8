import { formatPoint } from '@joblens/core/point/line-protocol';
import { createJobPoint } from '@joblens/core/schema/job-point';
import { createLogPoints } from '@joblens/core/schema/log-point';
import type { Browser, Page } from 'playwright-core';
import { describeWith } from '../components.js';
import { launchChromium } from './job-page.js';
import { type Stack, startInfluxdbStack, writePoints } from './stack.js';
import { GrowingTable } from './table-page.js';

const JOB = 'running';
const ROWS = 4000;
const NEW_ROWS = 10;
const MINUTES_MS = 600_000;

/** A job that prints a line with each row. */
class GrowingJob {
  readonly #startMs = Date.now() - MINUTES_MS;
  readonly #table = new GrowingTable(JOB, this.#startMs);

  get rows(): number {
    return this.#table.rows;
  }

  describe(): string {
    const description = { name: JOB, state: 'RUNNING', startedMs: this.#startMs };
    return formatPoint(createJobPoint({ job: JOB, user: 'ann' }, description, BigInt(this.#startMs) * 1_000_000n));
  }

  print(count: number): string {
    const first = this.rows;
    const lines = Array.from({ length: count }, (_, at) => {
      const timeNs = BigInt(this.#startMs + first + at) * 1_000_000n;
      const line = `step ${first + at} is done, loss ${this.#table.lossOf(first + at)}`;
      return createLogPoints({ job: JOB, user: 'ann' }, { stream: 'stdout', line, kind: 'output', timeNs });
    });
    return [this.#table.add(count), ...lines.flat().map(formatPoint)].join('\n');
  }
}

/** What a page asks the store. */
interface Asked {
  readonly statements: readonly string[];
  readonly bytes: number;
}

function watchStore(page: Page): { readonly take: () => Asked } {
  let statements: string[] = [];
  let bytes = 0;
  let underWay = 0;
  const isQuestion = (url: string): boolean => url.includes('/query?');
  page.on('request', (sent) => {
    if (!isQuestion(sent.url())) return;
    underWay += 1;
    const parameters = new URLSearchParams(sent.postData() ?? new URL(sent.url()).search);
    statements.push(...(parameters.get('q') ?? '').split(/; (?=S(?:ELECT|HOW) )/));
  });
  const end = (): void => {
    underWay -= 1;
  };
  page.on('requestfinished', (sent) => {
    if (!isQuestion(sent.url())) return;
    void sent
      .response()
      .then((answer) => answer?.body())
      .then((body) => {
        bytes += body?.length ?? 0;
      })
      .finally(end);
  });
  page.on('requestfailed', (sent) => {
    if (isQuestion(sent.url())) end();
  });
  return {
    take: () => {
      expect(underWay).toBe(0);
      const asked = { statements, bytes };
      [statements, bytes] = [[], 0];
      return asked;
    },
  };
}

/** Runs in the browser, before the page's own scripts: counts how often each canvas is drawn. */
function countDrawings(): void {
  const { prototype } = CanvasRenderingContext2D;
  // eslint-disable-next-line @typescript-eslint/unbound-method -- called with the context below
  const clear = prototype.clearRect;
  let drawings = 0;
  prototype.clearRect = function (...box) {
    drawings += 1;
    clear.apply(this, box);
  };
  Object.assign(globalThis, { readDrawings: () => drawings });
}

const readDrawings = (page: Page): Promise<number> =>
  page.evaluate(() => (globalThis as unknown as { readDrawings: () => number }).readDrawings());

/** Until the page has drawn nothing for a second. */
async function untilStill(page: Page): Promise<void> {
  let drawings: number | undefined;
  for (let now = await readDrawings(page); now !== drawings; now = await readDrawings(page)) {
    drawings = now;
    await page.waitForTimeout(1000);
  }
}

describeWith(['influxd', 'chromium'], 'a refresh of the page of a running job', () => {
  let stack: Stack;
  let browser: Browser;

  beforeAll(async () => {
    stack = await startInfluxdbStack();
    browser = await launchChromium();
  });
  afterAll(async () => {
    await browser.close();
    await stack.stop();
  });

  it('asks for what is new in few statements, transfers under 5%, and draws each graph once', async () => {
    const job = new GrowingJob();
    await writePoints(stack, job.describe());
    await writePoints(stack, job.print(ROWS));
    const page = await browser.newPage({ viewport: { width: 1440, height: 1000 } });
    await page.addInitScript(countDrawings);
    const store = watchStore(page);
    const untilShown = async (): Promise<void> => {
      await page
        .getByTestId('joblens-log-line')
        .filter({ hasText: `step ${job.rows - 1} is done` })
        .waitFor({ timeout: 120_000 });
      await page
        .getByTestId('joblens-job-header')
        .getByText(`step ${job.rows - 1}`)
        .waitFor({ timeout: 120_000 });
      await untilStill(page);
    };
    await page.goto(`${stack.pageUrl}&var-job=${JOB}&from=now-1h&to=now&refresh=`);
    await page.locator('[data-testid="joblens-graph"] canvas').first().waitFor({ timeout: 120_000 });
    await untilShown();
    const first = store.take();
    // The second refresh: the first one reads again what was perhaps being written.
    for (const isSettled of [false, true]) {
      await writePoints(stack, job.print(NEW_ROWS));
      const before = await readDrawings(page);
      await page.getByTestId('data-testid RefreshPicker run button').click();
      await untilShown();
      const refresh = store.take();
      if (!isSettled) continue;
      // One of them asks whether the job has spans by now.
      // On a busy machine a panel asks again, as answers are shared for half a second.
      expect([...new Set(refresh.statements)]).toHaveLength(7);
      expect(refresh.bytes).toBeLessThan(0.05 * first.bytes);
      expect((await readDrawings(page)) - before).toBe(
        await page.locator('[data-testid="joblens-graph"] canvas').count()
      );
    }
  });
});
