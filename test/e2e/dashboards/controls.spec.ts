import { expect, test } from '@grafana/plugin-e2e';
import type { Page } from '@playwright/test';
import { DEMO_NOW_MS } from '../../whole-way/demo-data.js';

/** What a viewer can click, type into or choose. */
const CONTROLS = 'button, a[href], input, select, textarea, [role="tab"], [role="button"], [role="combobox"]';

/** The widths of a phone, a laptop and a large screen. */
const WIDTHS_PX = [390, 1440, 2560];

const PAGES: ReadonlyArray<readonly [uid: string, variables: Readonly<Record<string, string>>, shown: string]> = [
  ['joblens-jobs', {}, 'joblens-job'],
  ['joblens-job', { 'var-job': '48190' }, 'joblens-log-line'],
  ['joblens-cluster', {}, 'joblens-table-row'],
  ['joblens-events', {}, 'joblens-table-row'],
];

/**
 * The controls of our panels whose middle belongs to something else, and what covers each; of a long list, of the
 * first ones. A control in a part that scrolls is brought into sight first.
 */
function findCovered(page: Page): Promise<readonly string[]> {
  return page.getByTestId('joblens-panel').evaluateAll((panels, selector) => {
    const describe = (element: Element | null): string =>
      element === null
        ? 'nothing'
        : `<${element.tagName.toLowerCase()}> ${element.getAttribute('aria-label') ?? (element.textContent || element.className)}`.slice(
            0,
            80
          );
    const covered: string[] = [];
    for (const control of panels.flatMap((panel) =>
      Array.from(panel.querySelectorAll<HTMLElement>(selector)).slice(0, 80)
    )) {
      control.scrollIntoView({ block: 'center', inline: 'center' });
      const { left, top, width, height } = control.getBoundingClientRect();
      // What is not seen (a checkbox behind its drawn one) is clicked by what is.
      if (width < 2 || height < 2 || getComputedStyle(control).opacity === '0') continue;
      const hit = document.elementFromPoint(left + width / 2, top + height / 2);
      const isOwn =
        hit !== null &&
        (control.contains(hit) || hit.contains(control) || hit.closest('label')?.contains(control) === true);
      if (!isOwn || !hit.closest('[data-testid="joblens-panel"]'))
        covered.push(`${describe(control)} below ${describe(hit)}`);
    }
    return covered;
  }, CONTROLS);
}

for (const [uid, variables, shown] of PAGES) {
  for (const width of WIDTHS_PX) {
    test(`nothing lies over a control of ${uid} at ${String(width)} px`, async ({ gotoDashboardPage, page }) => {
      await page.setViewportSize({ width, height: 1000 });
      const range = { from: String(DEMO_NOW_MS - 24 * 3_600_000), to: String(DEMO_NOW_MS) };
      await gotoDashboardPage({ uid, queryParams: new URLSearchParams({ ...range, ...variables }) });
      await expect(page.getByTestId(shown).or(page.getByTestId('joblens-empty')).first()).toBeVisible();
      await expect.poll(() => findCovered(page)).toEqual([]);
    });
  }
}
