import { readFile } from 'node:fs/promises';
import { formatPoint } from '@joblens/core/point/line-protocol';
import { createMetadataPoints, createSeriesPoint } from '@joblens/core/schema/metadata-point';
import { createSeriesName } from '@joblens/core/schema/series-name';
import { createTableStats, foldRow } from '@joblens/core/table/table-stats';
import type { Browser, Locator, Page } from 'playwright-core';
import { JobPage } from './job-page.js';

export const TABLES_UID = 'tables';
const DATA_SOURCE = { type: 'joblens-datasource', uid: 'joblens' };

/** A dashboard with a table of one job, of which so many rows are loaded. */
export function createTableDashboard(job: string, loadedRows: number): object {
  return {
    ...{ uid: TABLES_UID, title: 'Tables', schemaVersion: 38, refresh: '1s' },
    panels: [
      {
        ...{ id: 1, type: 'joblens-panel', title: 'Rows', datasource: DATA_SOURCE },
        gridPos: { x: 0, y: 0, w: 24, h: 20 },
        targets: [{ refId: 'A', datasource: DATA_SOURCE, queryType: 'metadata', job, limit: loadedRows }],
        fieldConfig: { defaults: {}, overrides: [] },
        options: { views: ['table'] },
      },
    ],
    time: { from: 'now-6h', to: 'now' },
  };
}

/** A table whose rows come in while somebody looks: `step`, `loss`, `note`. */
export class GrowingTable {
  readonly #source: { readonly job: string; readonly user: string };
  readonly #stats = createTableStats();
  readonly #keys = ['step', 'loss', 'note'];
  readonly #startNs: bigint;
  rows = 0;

  constructor(job: string, startMs: number) {
    this.#source = { job, user: 'ann' };
    this.#startNs = BigInt(startMs) * 1_000_000n;
  }

  /** In an order of its own, with a NaN now and then. */
  lossOf(step: number): number {
    return step % 500 === 7 ? NaN : ((step * 7919) % 10_007) / 10;
  }

  noteOf(step: number): string {
    return `run ${step % 20}, it's "done"`;
  }

  /** Adds rows, a millisecond apart, as line protocol. */
  add(count: number): string {
    const series = createSeriesName(this.#keys);
    const points = Array.from({ length: count }, () => {
      const step = this.rows;
      const row = new Map<string, number | string>([
        ['step', step],
        ['loss', Number.isNaN(this.lossOf(step)) ? 'NaN' : this.lossOf(step)],
        ['note', this.noteOf(step)],
      ]);
      foldRow(this.#stats, row);
      this.rows += 1;
      return createMetadataPoints(this.#source, series, row, this.#startNs + BigInt(step) * 1_000_000n);
    });
    const summary = { series, keys: this.#keys, stats: this.#stats, rows: this.rows, timeNs: this.#startNs };
    return [...points.flat(), createSeriesPoint(this.#source, { ...summary, x: 'step' })].map(formatPoint).join('\n');
  }
}

/** The table view as a viewer sees and uses it. */
export class TablePage {
  readonly view: JobPage;

  private constructor(readonly page: Page) {
    this.view = new JobPage(page);
  }

  static async open(browser: Browser, url: string, size: { width: number; height: number }): Promise<TablePage> {
    const page = await browser.newPage({ viewport: size, timezoneId: 'UTC', locale: 'en-US', reducedMotion: 'reduce' });
    page.setDefaultTimeout(120_000);
    const tablePage = new TablePage(page);
    await page.goto(url, { timeout: 120_000 });
    return tablePage;
  }

  note(): Locator {
    return this.page.getByTestId('joblens-table-note');
  }

  button(name: string): Locator {
    return this.page.getByRole('button', { name, exact: true });
  }

  /** A step, in the column after the time. */
  cell(step: string): Locator {
    return this.page.locator('[data-testid="joblens-table-row"] > td:nth-child(2)').getByText(step, { exact: true });
  }

  sortBy(column: string): Promise<void> {
    return this.page.getByRole('columnheader', { name: column }).getByRole('button').click();
  }

  /** The clipboard after a click on this item of the menu. */
  async copy(item: string): Promise<string> {
    await this.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await this.button('Copy the shown rows').click();
    await this.page.getByText(item, { exact: true }).click();
    const form = ['as CSV', 'as JSON lines'].find((each) => item.endsWith(each)) ?? 'with tabs';
    await this.untilNote(new RegExp(`^Copied .*${form}$`));
    return this.page.evaluate(() => navigator.clipboard.readText());
  }

  /** The items of the menu for downloads. */
  async listDownloads(): Promise<readonly string[]> {
    await this.button('Download the table').click();
    const items = await this.page.getByRole('menuitem').allTextContents();
    await this.page.keyboard.press('Escape');
    return items;
  }

  /** The file after a click on this item of the menu. */
  async download(item: string): Promise<string> {
    const download = this.page.waitForEvent('download');
    await this.button('Download the table').click();
    await this.page.getByText(item, { exact: true }).click();
    return readFile(await (await download).path(), 'utf8');
  }

  async untilNote(pattern: RegExp): Promise<string> {
    await this.note().filter({ hasText: pattern }).waitFor();
    return (await this.note().textContent()) ?? '';
  }

  /** The cells of a column of all rows of the page, also of those out of sight. */
  async readColumn(title: string): Promise<readonly string[]> {
    const grid = this.page.getByTestId('joblens-table').getByRole('table');
    return grid.evaluate(async (table, name) => {
      const heads = Array.from(table.querySelectorAll('th')).map((head) => head.title);
      const at = heads.indexOf(name);
      const cells = new Map<number, string>();
      const scroller = table.parentElement;
      if (scroller === null) return [];
      for (let top = 0; ; top += scroller.clientHeight / 2) {
        scroller.scrollTop = top;
        await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
        for (const row of Array.from(table.querySelectorAll('[data-testid="joblens-table-row"]'))) {
          cells.set(Number(row.getAttribute('aria-rowindex')), row.children[at]?.textContent ?? '');
        }
        if (top + scroller.clientHeight >= scroller.scrollHeight) break;
      }
      scroller.scrollTop = 0;
      return [...cells].sort(([a], [b]) => a - b).map(([, cell]) => cell);
    }, title);
  }

  async filter(column: string, text: string): Promise<void> {
    const field = this.page.getByLabel(`Filter ${column}`);
    if ((await field.count()) === 0) await this.button('Filter by columns').click();
    await field.fill(text);
  }
}
