import { type DataFrame, dateTime } from '@grafana/data';
import type { JobRecord } from '@joblens/core/ask/jobs/jobs';
import { cleanup, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import React from 'react';
import { of } from 'rxjs';
import { createJobsFrame } from '../../../query-types/jobs/jobs.js';
import { jobs } from '../../jobs.js';
import { defineSizes } from '../../testing/log-panel.js';
import type { AskChanges, ViewProps } from '../../view.js';
import type { FacetId } from '../../../frames/job-order.js';
import { nameFacet, readFacets } from './facets.js';

beforeAll(() => {
  defineSizes();
  Object.defineProperty(HTMLElement.prototype, 'offsetWidth', { configurable: true, get: () => 600 });
});
beforeEach(() => window.localStorage.clear());

type Config = Readonly<Record<string, unknown>>;

/** Odd names, and numbers that sort otherwise as texts. */
const JOBS: ReadonlyArray<readonly [job: string, tags: Record<string, string>, config: Config]> = [
  ['sweep lr=3e-4', { 'model.size (b)': 'unet', "it's": 'a=b' }, { optimizer: { 'lr-max': 3e-4 }, layers: [1, 2] }],
  ['sweep (2)', { 'model.size (b)': 'vit, large' }, { optimizer: { 'lr-max': 0.01 } }],
  ['sweep 3', {}, { optimizer: { 'lr-max': 'auto' } }],
  ['sweep 4', {}, {}],
];

function createFrame(records: ReadonlyArray<Partial<JobRecord>>): DataFrame {
  const list = records.map((record) => ({ job: '', user: 'ann', timeNs: 1n, values: new Map(), ...record }));
  return createJobsFrame({ refId: 'A', jobs: list, totalJobs: list.length, nowMs: 1000, executedQuery: '' });
}

const LIST = createFrame(
  JOBS.map(([job, tags], at) => ({ job, tags, state: 'COMPLETED', startedMs: 100 - at, endedMs: 200 }))
);

function draw(width = 1400): AskChanges[] {
  const asked: AskChanges[] = [];
  const ask = (changes: AskChanges) => {
    asked.push(changes);
    const named = changes.query?.['job'] as string[] | undefined;
    const found = JOBS.filter(([job]) => named?.includes(job));
    return of([createFrame(found.map(([job, , config]) => ({ job, config: JSON.stringify(config, null, 2) })))]);
  };
  const ends = { from: dateTime(0), to: dateTime(1000) };
  const place = { width, height: 600, timeZone: 'utc', source: 'x', ask, timeRange: { ...ends, raw: ends } };
  render(<>{jobs.open([LIST]).draw(place as unknown as ViewProps, {})}</>);
  return asked;
}

const choose = async (name: string): Promise<void> => {
  await userEvent.click(screen.getByRole('button', { name: /^Columns/ }));
  await userEvent.click(await screen.findByRole('menuitem', { name }));
};
const readJobs = (): string[] => screen.queryAllByRole('link').map((link) => link.textContent);
/** The cells of a column, top down. */
const readColumn = (title: string): Array<string | null | undefined> => {
  const heads = screen.getAllByRole('columnheader').map(({ textContent }) => textContent.replace(/ [↑↓]$/, ''));
  const at = heads.indexOf(title);
  return screen.getAllByTestId('joblens-job').map((row) => within(row).getAllByRole('cell')[at]?.textContent);
};
const configsAsked = (asked: readonly AskChanges[]): number =>
  asked.filter(({ query }) => query?.['isConfig'] === true).length;

describe('columns by choice', () => {
  it('are the tags and the keys of the configurations, which are asked for only then', async () => {
    const asked = draw();
    expect(configsAsked(asked)).toBe(0);
    await userEvent.click(screen.getByRole('button', { name: 'Columns' }));
    await screen.findByRole('menuitem', { name: 'config.optimizer.lr-max' });
    const items = screen.getAllByRole('menuitem').map(({ textContent }) => textContent);
    expect(items).toEqual(['config.layers', 'config.optimizer.lr-max', "it's", 'model.size (b)']);
    expect(configsAsked(asked)).toBe(1);
  });

  it('show what each job has, and sort by it, numbers as numbers', async () => {
    draw();
    await choose('config.optimizer.lr-max');
    await choose('model.size (b)');
    await waitFor(() => expect(readColumn('config.optimizer.lr-max')).toEqual(['0.0003', '0.01', 'auto', '']));
    expect(readColumn('model.size (b)')).toEqual(['unet', 'vit, large', '', '']);
    const click = (): Promise<void> =>
      userEvent.click(screen.getByRole('button', { name: /^config\.optimizer\.lr-max/ }));
    await click();
    expect(readJobs()).toEqual(['sweep 3', 'sweep (2)', 'sweep lr=3e-4', 'sweep 4']);
    await click();
    expect(readJobs()).toEqual(['sweep lr=3e-4', 'sweep (2)', 'sweep 3', 'sweep 4']);
  });

  it('are there when the page is loaded again, until they are taken away', async () => {
    draw();
    await choose("it's");
    for (const width of [1400, 360]) {
      cleanup();
      draw(width);
      expect(screen.getByText(width === 360 ? "it's a=b" : 'a=b')).toBeTruthy();
    }
    await choose("it's");
    cleanup();
    draw();
    expect(screen.queryByText('a=b')).toBeNull();
  });

  it.each(['{', '7', '["tag:x", "tag:x", 7, null, "other"]'])('begin anew with %p in the storage', (stored) => {
    window.localStorage.setItem('joblens.jobs.columns', stored);
    draw();
    expect(readJobs()).toHaveLength(JOBS.length);
  });
});

it.each<[string, string | undefined, ReadonlyArray<readonly [FacetId, string]>]>([
  ['nothing', undefined, []],
  ['no JSON', 'lr: 3', []],
  ['a list', '[1]', []],
  [
    'an object over lines',
    '{\r\n "a-b": {"c.d (e)": "x\\ny"},\n "n": null }',
    [
      ['config:a-b.c.d (e)', 'x\ny'],
      ['config:n', 'null'],
    ],
  ],
  ['NaN', '{"lr": NaN}', [['config:lr', 'NaN']]],
])('reads the configuration: %s', (_name, config, facets) => {
  expect([...readFacets({ tags: [] }, config)]).toEqual(facets);
});

it('names a column by choice as it is found', () => {
  expect((['tag:a=b', 'config:a.b'] as const).map(nameFacet)).toEqual(['a=b', 'config.a.b']);
});
