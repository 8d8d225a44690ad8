import { compileColumnFilter } from '@joblens/core/ask/tables/column-filter';
import fc from 'fast-check';
import { Subject } from 'rxjs';
import { createTables, type PanelTable } from '../../parts/components/tables.js';
import { createTableFrame } from '../../testing/frames.js';
import { parseFilters } from './column-filter.js';
import { downloadRows } from './download-rows.js';
import type { ExportForm } from './export-rows.js';
import type { ReadRows } from './store-rows.js';

interface Row {
  readonly [key: string]: number | string | null;
  readonly step: number;
  readonly loss: number | string | null;
}

const STORE_PAGE = 3;

function tableOf(rows: readonly Row[], firstStep = 0): PanelTable {
  const timesNs = rows.map((_, at) => BigInt(firstStep + at));
  const [table] = createTables([createTableFrame({ rows, timesNs })]);
  if (table === undefined) throw new Error('no table');
  return table;
}

/** A store that gives a few rows at a time, those that pass. */
function createStore(all: readonly Row[]): ReadRows {
  return ({ afterNs = '-1', filters = [] }) => {
    const tests = [...parseFilters(new Map(filters))].map(([key, filter]) => ({
      key,
      passes: compileColumnFilter(filter),
    }));
    const rest = all.filter(
      (row) => row.step > Number(afterNs) && tests.every(({ key, passes }) => passes(row[key] ?? null))
    );
    const rows = rest.slice(0, STORE_PAGE);
    const [table] = createTables([createTableFrame({ rows, timesNs: rows.map(({ step }) => BigInt(step)) })]);
    if (table === undefined) throw new Error('no table');
    return Promise.resolve({ table, hasMore: rest.length > rows.length, part: undefined });
  };
}

interface Case {
  readonly all: readonly Row[];
  readonly filter: string;
  readonly isDescending: boolean | undefined;
  readonly loaded: number;
}

async function download(form: ExportForm, { all, filter, isDescending, loaded }: Case): Promise<string> {
  const shown = tableOf(all.slice(all.length - loaded), all.length - loaded);
  const table = { ...shown, totalRows: all.length };
  const pieces = await downloadRows(
    form,
    {
      ...{ table, columns: table.columns, read: createStore(all), isNewestFirst: true },
      choice: {
        filters: new Map([['step', filter]]),
        sort: isDescending === undefined ? undefined : { column: 'loss', isDescending },
      },
    },
    { onRows: () => undefined, cancel: new Subject() }
  );
  return readText(new Blob([...pieces]));
}

/** jsdom's Blob has no `text`. */
function readText(blob: Blob): Promise<string> {
  return new Promise((resolve) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result as string);
    reader.readAsText(blob);
  });
}

const LOSSES = [5, 30, null, 5, 7, 'NaN', -1, 8];
const all = LOSSES.map((loss, step): Row => ({ step, loss }));

it.each<[string, boolean | undefined, string]>([
  ['', undefined, '0 1 2 3 4 5 6 7'],
  ['>=3', undefined, '3 4 5 6 7'],
  ['', false, '6 3 0 4 7 1 5 2'],
  ['', true, '5 1 7 4 3 0 6 2'],
  ['>=3', false, '6 3 4 7 5'],
  ['>99', false, ''],
])('downloads what the filter %j shows of the whole table, falling: %p', async (filter, isDescending, steps) => {
  const text = await download('csv', { all, filter, isDescending, loaded: 2 });
  const [head, ...lines] = text.split('\n').slice(0, -1);
  expect(head).toBe('time,step,loss');
  expect(lines.map((line) => line.split(',')[1]).join(' ')).toBe(steps);
});

it('gives the same file, whether the rows are loaded or in the store', async () => {
  const loss = fc.oneof(fc.integer({ min: -3, max: 3 }), fc.constantFrom('NaN', 'b10', 'b9', null));
  await fc.assert(
    fc.asyncProperty(
      fc.array(loss, { minLength: 2, maxLength: 12 }),
      fc.constantFrom('', '>2', '1..5', '!=4'),
      fc.constantFrom(undefined, true, false),
      async (losses, filter, isDescending) => {
        const one = { all: losses.map((each, step): Row => ({ step, loss: each })), filter, isDescending };
        const whole = await download('csv', { ...one, loaded: losses.length });
        await expect(download('csv', { ...one, loaded: 1 })).resolves.toBe(whole);
      }
    )
  );
});
