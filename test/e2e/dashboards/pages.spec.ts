import { type DashboardPage, expect, test as base } from '@grafana/plugin-e2e';
import type { Locator } from '@playwright/test';
import { DEMO_NOW_MS } from '../../whole-way/demo-data.js';
import { JobPage } from '../../whole-way/job-page.js';
import { PART_READ_JOB, PART_READ_RANGE } from '../../whole-way/part-read-job.js';

/** The dashboards as a viewer uses them. These tests run on the page of `npm start`, too. */

type OpenDashboard = (uid: string, variables?: Readonly<Record<string, string>>) => Promise<DashboardPage>;

const test = base.extend<{ open: OpenDashboard }>({
  open: async ({ gotoDashboardPage }, use) => {
    const range = { from: String(DEMO_NOW_MS - 24 * 3_600_000), to: String(DEMO_NOW_MS) };
    await use((uid, variables) =>
      gotoDashboardPage({ uid, queryParams: new URLSearchParams({ ...range, ...variables }) })
    );
  },
});

test.describe('jobs', () => {
  test('are listed, found as one types, and each leads to its page', async ({ open, page }) => {
    await open('joblens-jobs');
    await expect(page.getByTestId('joblens-job').first()).toBeVisible();
    await page.getByPlaceholder('Search jobs', { exact: false }).fill('diffusion');
    await expect(page.getByTestId('joblens-job')).toHaveCount(1);
    await page.getByRole('link', { name: '48190', exact: true }).click();
    await expect(page.getByTestId('joblens-job-header')).toContainText('Failed');
    await expect(page.getByTestId('joblens-log-line').first()).toBeVisible();
    await expect(page.getByTestId('joblens-graph').first()).toBeVisible();
    await expect(page).toHaveURL(/var-job=48190/);
  });

  test('show their tags behind a click', async ({ open, page }) => {
    await open('joblens-job', { 'var-job': '48213' });
    await page.getByRole('button', { name: 'Details' }).click();
    await expect(page.getByTestId('joblens-job-drawer')).toContainText('purpose=ablation');
  });

  test('that are not known say so, and what to do', async ({ open, page }) => {
    await open('joblens-job', { 'var-job': 'no-such-job' });
    await expect(page.getByText('Job no-such-job is not known').first()).toBeVisible();
    await page.getByTestId('joblens-empty').getByRole('link', { name: 'All jobs' }).first().click();
    await expect(page).toHaveURL(/joblens-jobs/);
  });
});

test.describe('the graph', () => {
  const LINES = ['loss', 'val_loss', 'accuracy'];

  test('draws what is read of a long table while the rest is', async ({ open, page }) => {
    let aggregates = 0;
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    await page.route(/[/]query/, async (route, request) => {
      const isAggregate = decodeURIComponent(request.url() + (request.postData() ?? '')).includes('min("');
      if (isAggregate) aggregates += 1;
      if (aggregates > 3) await released;
      await route.continue();
    });
    await open('joblens-job', { 'var-job': PART_READ_JOB, ...PART_READ_RANGE });
    const graph = page.getByTestId('joblens-graph').first();
    await expect(graph.locator('canvas')).toBeVisible();
    expect(aggregates).toBeGreaterThan(3);
    release();
    await expect(page.getByTitle(/many a point: their mean, pale from lowest to highest/).first()).toBeVisible();
  });

  test('shows the lines that its legend says', async ({ open, page }) => {
    await open('joblens-job', { 'var-job': '48180' });
    const view = new JobPage(page);
    const graph = view.graph('epoch');
    await expect(graph.locator('canvas')).toBeVisible();
    const colours = await view.readColours(graph, LINES);
    const click = async (name: string, modifiers: 'Control'[] = []): Promise<void> => {
      await view.legendLabel(graph, name).click({ modifiers });
      await page.mouse.move(2, 2);
    };
    await view.untilDrawn(graph, colours, LINES);
    await click('val_loss');
    await view.untilDrawn(graph, colours, ['val_loss']);
    await click('accuracy', ['Control']);
    await view.untilDrawn(graph, colours, ['val_loss', 'accuracy']);
    await click('val_loss');
    await view.untilDrawn(graph, colours, ['val_loss']);
    await click('val_loss');
    await view.untilDrawn(graph, colours, LINES);
  });

  test('zooms on X until a double click', async ({ open, page }) => {
    await open('joblens-job', { 'var-job': '48180' });
    const plot = page.getByTestId('joblens-graph').locator('.u-over');
    const reset = page.getByRole('button', { name: 'Reset zoom' });
    await drag(plot, 0.3, 0.6);
    await expect(reset).toBeVisible();
    await plot.dblclick();
    await expect(reset).toBeHidden();
  });
});

async function drag(plot: Locator, fromShare: number, toShare: number): Promise<void> {
  await expect(plot).toBeVisible();
  const box = await plot.boundingBox();
  if (box === null) throw new Error('The graph is not drawn');
  const mouse = plot.page().mouse;
  const y = box.y + box.height / 2;
  await mouse.move(box.x + box.width * fromShare, y);
  await mouse.down();
  await mouse.move(box.x + box.width * toShare, y, { steps: 4 });
  await mouse.up();
}

test('the table has the newest row first, and is filtered and sorted', async ({ open, page }) => {
  await open('joblens-job', { 'var-job': '48180' });
  await page.getByRole('tab', { name: 'Table' }).click();
  const epochs = page.locator('[data-testid="joblens-table-row"] > td:nth-child(2)');
  await expect(epochs.first()).toHaveText('12');
  await page.getByRole('button', { name: 'Filter by columns' }).click();
  await page.getByLabel('Filter epoch').fill('<4');
  await expect(epochs).toHaveText(['3', '2', '1']);
  await page.getByRole('columnheader', { name: 'loss', exact: true }).getByRole('button').click();
  await expect(epochs).toHaveText(['1', '2', '3']);
});

test('the log is searched as one types, and shows only matches', async ({ open, page }) => {
  await open('joblens-job', { 'var-job': '48213' });
  await page.getByRole('button', { name: 'Search the log' }).click();
  await page.getByRole('textbox', { name: 'Search the log' }).fill('checkpoint');
  await expect(page.getByTestId('joblens-log-matches')).toHaveText('4 of 4');
  await expect(page.locator('[data-current]')).toBeInViewport();
  await expect(page.locator('[data-current] mark')).toHaveText('checkpoint');
  await page.getByRole('textbox', { name: 'Search the log' }).press('Enter');
  await expect(page.getByTestId('joblens-log-matches')).toHaveText('1 of 4');
  await page.getByRole('button', { name: 'Show only lines that match' }).click();
  await expect(page.getByTestId('joblens-log-line')).toHaveCount(4);
});

test('a variable narrows the list of jobs', async ({ open, page }) => {
  await open('joblens-jobs', { 'var-user': 'bob' });
  await expect(page.getByRole('link', { name: '48190', exact: true })).toBeVisible();
  await expect(page.getByRole('link', { name: '48213', exact: true })).toHaveCount(0);
});

for (const uid of ['joblens-cluster', 'joblens-events', 'joblens-spans', 'joblens-compare']) {
  test(`no panel of ${uid} fails`, async ({ open, page }) => {
    const dashboard = await open(uid);
    await expect(page.getByTestId('joblens-table-row').or(page.getByTestId('joblens-empty')).first()).toBeVisible();
    await expect(dashboard).not.toHavePanelErrors();
  });
}
