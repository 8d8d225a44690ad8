import { expect, test, type TimeRange } from '@grafana/plugin-e2e';
import type { Page } from '@playwright/test';

/** The day of the demo jobs. */
const DAY = { from: '2026-03-11 14:30:00', to: '2026-03-12 14:30:00' };

/** A column of the answer to each type of query, in Grafana's own table. */
const COLUMNS = [
  ['Logs', 'body'],
  ['Log volume', 'stdout'],
  ['Metadata', /loss|residual/],
  ['Jobs', 'state'],
  ['Analytics', 'runs'],
] as const;

/** A choice of the query editor's first row. */
function chooseType(page: Page, type: string): Promise<void> {
  return page.getByText(type, { exact: true }).filter({ visible: true }).first().click();
}

/** Metadata is never that of all jobs. */
async function chooseJob(page: Page, job: string): Promise<void> {
  const field = page.getByRole('combobox', { name: 'Job', exact: true });
  await field.fill(job);
  await expect(page.getByLabel('Select option').filter({ hasText: job }).first()).toBeVisible();
  await field.press('Enter');
}

test('the query editor asks for each type of query', async ({ gotoPanelEditPage, page }) => {
  const editor = await gotoPanelEditPage({ dashboard: { uid: 'joblens-cluster' }, id: '6' });
  await editor.timeRange.set(DAY);
  await editor.setVisualization('Table');
  for (const [type, column] of COLUMNS) {
    await chooseType(page, type);
    if (type === 'Metadata') await chooseJob(page, '48213');
    await expect(page.getByRole('columnheader').filter({ hasText: column }).first()).toBeVisible();
  }
});

test('the panel has its options', async ({ gotoPanelEditPage, page }) => {
  const editor = await gotoPanelEditPage({ dashboard: { uid: 'joblens-jobs' }, id: '1' });
  await editor.timeRange.set(DAY);
  await expect(page.getByTestId('joblens-job').first()).toBeVisible();
  await editor.getCustomOptions('Joblens').getSelect('Layout').selectOption('Side by side');
  await expect(page.getByTestId('joblens-job').first()).toBeVisible();
});

test('a variable lists the users', async ({ variableEditPage, page }) => {
  await variableEditPage.setVariableType('Query');
  await variableEditPage.datasource.set('Joblens');
  await page.getByRole('combobox', { name: 'Values', exact: true }).fill('Users');
  await page.keyboard.press('Enter');
  await variableEditPage.runQuery();
  await expect(variableEditPage).toDisplayPreviews(['ann', 'bob']);
});

test('an annotation asks for events', async ({ annotationEditPage, page }) => {
  await annotationEditPage.datasource.set('Joblens');
  await expect(page.getByText('Starts and ends', { exact: true }).first()).toBeVisible();
});

test('Explore shows a log and its volume', async ({ explorePage, page }) => {
  await explorePage.goto();
  await (explorePage.timeRange as TimeRange).set(DAY);
  await chooseType(page, 'Logs');
  await page.getByLabel('Job', { exact: true }).fill('48213');
  await page.keyboard.press('Enter');
  await expect(page.getByText('checkpoint').first()).toBeVisible();
  await expect(page.getByText('An unexpected error happened')).toHaveCount(0);
});
