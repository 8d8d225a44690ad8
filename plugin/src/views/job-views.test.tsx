import type { DataFrame } from '@grafana/data';
import type { JobRecord } from '@joblens/core/ask/jobs/jobs';
import { cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import React from 'react';
import { NEVER } from 'rxjs';
import { createJobsFrame } from '../query-types/jobs/jobs.js';
import { job } from './job.js';
import { jobs } from './jobs.js';
import type { View, ViewProps } from './view.js';

const NOW_MS = 1_700_000_000_000;

function createFrame(...records: ReadonlyArray<Partial<JobRecord>>): DataFrame {
  const list = records.map((record) => ({ job: '7', user: 'ann', timeNs: 1n, values: new Map(), ...record }));
  return createJobsFrame({ refId: 'A', jobs: list, totalJobs: list.length, nowMs: NOW_MS, executedQuery: '' });
}

function draw(view: View, frame: DataFrame, width = 1200): void {
  const open = view.open([frame]);
  expect(open.isEmpty).toBe(false);
  const place = { width, height: 600, timeZone: 'utc', jobKey: '', ask: undefined };
  render(<>{open.draw(place as unknown as ViewProps, {})}</>);
}

beforeAll(() => {
  // The virtual list asks for sizes, which jsdom gives as 0.
  const define = (name: string, read: (element: HTMLElement) => number): void => {
    Object.defineProperty(HTMLElement.prototype, name, {
      configurable: true,
      get(this: HTMLElement) {
        return read(this);
      },
    });
  };
  for (const name of ['clientHeight', 'clientWidth', 'offsetWidth']) define(name, () => 600);
  // jsdom knows no pseudo-elements, of which the drawer asks for the scroll bar's.
  const compute = window.getComputedStyle.bind(window);
  jest.spyOn(window, 'getComputedStyle').mockImplementation((element) => compute(element));
  define('offsetHeight', (element) => (element.dataset['index'] === undefined ? 600 : 40));
});

const RUNNING: Partial<JobRecord> = {
  ...{
    job: '48213',
    name: 'llm',
    state: 'RUNNING',
    progress: 0.25,
    remainingS: 1800,
    nodes: 4,
    startedMs: NOW_MS - 600_000,
  },
  ...{ command: `train ${'--option value '.repeat(40)}`, tags: { seed: '7' }, config: '{"lr":0.1}' },
};
const FAILED: Partial<JobRecord> = {
  ...{
    job: 'x/1',
    state: 'FAILED',
    exitCode: 1,
    reason: 'exit code 1: ValueError: bad shape',
    startedMs: 1000,
    endedMs: 2000,
  },
};

describe('the header of a job', () => {
  it('says state, progress, time left and nodes in one look', () => {
    draw(job, createFrame(RUNNING));
    const header = screen.getByTestId('joblens-job-header');
    expect(within(header).getByTestId('joblens-state').textContent).toBe('Running');
    expect(within(header).getByRole('progressbar').getAttribute('aria-valuenow')).toBe('25');
    expect(header.textContent).toContain('Running for10m');
    expect(header.textContent).toContain('Leftabout 30m');
    expect(header.textContent).toContain('Nodes4');
    expect(header.textContent).not.toContain('--option');
  });

  it.each([
    ['RUNNING', /Leftabout 2m/],
    ['COMPLETED', /Ran10m(?!.*Left)/],
  ])('takes the time left of a job that is %s from the store', (state, text) => {
    const ended = state === 'RUNNING' ? {} : { endedMs: NOW_MS };
    draw(job, createFrame({ ...RUNNING, state, remainingS: 120, ...ended }));
    expect(screen.getByTestId('joblens-job-header').textContent).toMatch(text);
  });

  it.each([
    ['one line', { lastLogNs: 1_000_000_000n }, /^Silent(?!.*Output over)/, '1970-01-01 00:00:01'],
    ['some lines', { lastLogNs: 7_000_000_000n }, /^Silent.*Output over6s/, '1970-01-01 00:00:07'],
    ['rows alone', { lastRowNs: 7_000_000_000n }, /^Silent.*Output over6s/, '1970-01-01 00:00:07'],
    ['a line just now', { lastLogNs: BigInt(NOW_MS - 1000) * 1_000_000n }, /^Logging/, '2023-11-14 22:13:19'],
  ])('claims of a job that says no state no more than its points tell: %s', (_name, last, words, time) => {
    draw(job, createFrame({ job: 'a-(1)', firstSeenNs: 1_000_000_000n, ...last }));
    const text = screen.getByTestId('joblens-job-header').textContent;
    expect(text).toContain(`Last output${time}`);
    expect(text).toMatch(words);
    expect(text).not.toMatch(/Running|Ran|0 ms/);
  });

  it('says why a job failed', () => {
    draw(job, createFrame(FAILED));
    expect(screen.getByTestId('joblens-reason').textContent).toBe('exit code 1: ValueError: bad shape');
    expect(screen.queryByRole('progressbar')).toBeNull();
  });

  it('says why a job failed before its facts where it is narrow, since the panel cuts what comes last', () => {
    draw(job, createFrame(FAILED), 360);
    expect(screen.getByTestId('joblens-job-header').textContent).toMatch(/ValueError: bad shapeRan1s/);
  });

  it.each([
    [
      { experiment: 'a "b" (c).d-e', group: "it's x=y", seed: '7' },
      [
        ['a "b" (c).d-e', '/d/joblens-compare?var-tag=experiment%3Da%20%22b%22%20(c).d-e'],
        ["it's x=y", '/d/joblens-compare?var-tag=experiment%3Da%20%22b%22%20(c).d-e&var-by=group'],
      ],
    ],
    [{ group: 'g.1' }, [['g.1', '/d/joblens-compare?var-tag=group%3Dg.1']]],
    [{ seed: '7', experimental: 'no' }, []],
  ])('leads to the jobs of its experiment, side by side: %p', (tags, links) => {
    draw(job, createFrame({ ...RUNNING, tags }));
    const found = within(screen.getByTestId('joblens-job-header')).queryAllByRole('link');
    expect(found.map((link) => [link.textContent, link.getAttribute('href')])).toEqual(links);
  });

  it('has the whole command, tags and configuration behind a click', async () => {
    draw(job, createFrame(RUNNING));
    await userEvent.click(screen.getByRole('button', { name: 'Details' }));
    const drawer = await screen.findByTestId('joblens-job-drawer');
    expect(within(drawer).getByRole('region', { name: 'Command' }).textContent).toContain(RUNNING.command);
    expect(within(drawer).getByRole('region', { name: 'Tags' }).textContent).toContain('seed=7');
    expect(within(drawer).getByRole('region', { name: 'Configuration' }).textContent).toContain('"lr": 0.1');
    const tag = within(drawer).getByRole('link', { name: 'seed=7' });
    expect(tag.getAttribute('href')).toBe('/d/joblens-compare?var-tag=seed%3D7');
  });

  it.each([
    [
      '{"b":9007199254740993,"1":[1e999,-0,{}],"a":[]}',
      '"b": 9007199254740993,\n  "1": [\n    1e999,\n    -0,\n    {}\n  ],\n  "a": []\n}',
    ],
    ['<img onerror=alert(1)> ${__x} [', '<img onerror=alert(1)> ${__x} ['],
    ['['.repeat(5000), '['.repeat(5000)],
  ])('shows the configuration %p as it was printed', async (config, shown) => {
    draw(job, createFrame({ ...RUNNING, config }));
    await userEvent.click(screen.getByRole('button', { name: 'Details' }));
    const drawer = await screen.findByTestId('joblens-job-drawer');
    expect(within(drawer).getByRole('region', { name: 'Configuration' }).textContent).toContain(shown);
  });
});

describe('the list of jobs', () => {
  const list = createFrame(FAILED, { job: 'done', state: 'COMPLETED', startedMs: 10, endedMs: 20 }, RUNNING);
  const readJobs = (): string[] => screen.queryAllByRole('link').map((link) => link.textContent);

  it('has what runs on top, and a link for each', () => {
    draw(jobs, list);
    expect(readJobs()).toEqual(['48213', 'x/1', 'done']);
    const [running, failed] = screen.getAllByRole('link').map((link) => new URL((link as HTMLAnchorElement).href));
    expect(running?.search).toBe(`?var-job=48213&var-user=ann&from=${NOW_MS - 600_000}&to=now&refresh=10s`);
    expect(failed?.search).toBe('?var-job=x%2F1&var-user=ann&from=1000&to=4000');
  });

  it.each([1200, 360])('says state, progress and reason at a width of %p', (width) => {
    draw(jobs, list, width);
    expect(screen.getAllByTestId('joblens-state').map(({ textContent }) => textContent)).toEqual([
      'Running',
      'Failed',
      'Completed',
    ]);
    expect(screen.getAllByRole('progressbar')).toHaveLength(1);
    expect(screen.getByText('exit code 1: ValueError: bad shape')).toBeTruthy();
  });

  it('shows the last values whole, as many as fit, and all in the title', () => {
    const values = new Map(Array.from({ length: 30 }, (_, at) => [`it's a, (key) ${at}`, at + 0.5] as const));
    for (const width of [760, 1200, 2560]) {
      draw(jobs, createFrame({ ...RUNNING, values }), width);
      const shown = screen.getByText(/, \+\d+$/);
      const [, texts = '', more = ''] = /^(.*), \+(\d+)$/.exec(shown.textContent) ?? [];
      const all = [...values].map(([key, value]) => `${key} ${value}`);
      expect(texts).toBe(all.slice(0, all.length - Number(more)).join(', '));
      expect(shown.title).toBe(all.join(', '));
      cleanup();
    }
  });

  it('finds a job as one types, and shows all again', async () => {
    draw(jobs, list);
    const search = screen.getByPlaceholderText('Search jobs', { exact: false });
    await userEvent.type(search, 'shape');
    expect(readJobs()).toEqual(['x/1']);
    expect(screen.getByText('1 of 3 jobs')).toBeTruthy();
    await userEvent.type(search, ' nowhere');
    await userEvent.click(screen.getByRole('button', { name: 'Show all' }));
    expect(readJobs()).toHaveLength(3);
  });

  it.each(['fail-1', 'lr=3e-4', 'a.b', '(x)', '[0]', 'n^2$', 'a|b', 'c*+?', '{1}', '\\d', "it's", '"q"', '/tmp'])(
    'finds the name %p, each sign of which is a sign',
    async (name) => {
      draw(jobs, createFrame({ job: `sweep ${name}`, state: 'FAILED', startedMs: 10 }, { ...RUNNING, job: 'other' }));
      // A brace and a bracket are special to userEvent.
      await userEvent.type(
        screen.getByPlaceholderText('Search jobs', { exact: false }),
        name.replace(/[[{]/g, (sign) => sign + sign)
      );
      expect(readJobs()).toEqual([`sweep ${name}`]);
    }
  );

  it('shows the jobs of one kind, and all again', async () => {
    draw(jobs, list);
    await userEvent.click(screen.getByRole('button', { name: 'Completed 1' }));
    expect(readJobs()).toEqual(['done']);
    await userEvent.click(screen.getByRole('button', { name: 'Completed 1' }));
    expect(readJobs()).toHaveLength(3);
  });

  it('goes to the search with the key /, but not while one types', async () => {
    draw(jobs, list);
    render(<textarea aria-label="elsewhere" />);
    const search = screen.getByLabelText('Search jobs');
    await userEvent.type(screen.getByLabelText('elsewhere'), '/tmp');
    expect(document.activeElement).not.toBe(search);
    screen.getByRole('region', { name: 'List of jobs' }).focus();
    await userEvent.keyboard('/');
    expect(document.activeElement).toBe(search);
    await userEvent.keyboard('a/b');
    expect((search as HTMLInputElement).value).toBe('a/b');
  });

  it('has one row of controls on a phone, where one button opens the others', async () => {
    draw(jobs, list, 360);
    const toolbar = screen.getByRole('search');
    const readButtons = (): readonly (string | null)[] =>
      within(toolbar)
        .getAllByRole('button')
        .map((button) => button.getAttribute('aria-label') ?? button.textContent);
    expect(readButtons()).toEqual(['Filter by state', 'Sort', 'Columns']);
    await userEvent.click(within(toolbar).getByRole('button', { name: 'Filter by state' }));
    await userEvent.click(within(toolbar).getByRole('button', { name: 'Failed 1' }));
    expect(readJobs()).toEqual(['x/1']);
    await userEvent.click(within(toolbar).getByRole('button', { name: 'Filter by state: Failed' }));
    expect(readButtons()).toEqual(['Filter by state: Failed', 'Sort', 'Columns']);
    expect(readJobs()).toEqual(['x/1']);
  });

  it('sorts by a column, both ways, and as before', async () => {
    draw(jobs, list);
    const click = (): Promise<void> => userEvent.click(screen.getByRole('button', { name: /^Started/ }));
    await click();
    expect(readJobs()).toEqual(['48213', 'x/1', 'done']);
    await click();
    expect(readJobs()).toEqual(['done', 'x/1', '48213']);
    expect(screen.getByRole('columnheader', { name: /^Started/ }).getAttribute('aria-sort')).toBe('ascending');
    await click();
    expect(readJobs()).toEqual(['48213', 'x/1', 'done']);
  });

  it('sorts on a phone, where no heading is, both ways, and as before', async () => {
    draw(jobs, list, 360);
    const sort = async (name: string): Promise<string | null> => {
      await userEvent.click(screen.getByRole('button', { name: /^Sort/ }));
      await userEvent.click(await screen.findByRole('menuitem', { name }));
      return screen.getByRole('button', { name: /^Sort/ }).getAttribute('aria-label');
    };
    expect([await sort('Started'), readJobs()]).toEqual(['Sort: Started, descending', ['48213', 'x/1', 'done']]);
    expect([await sort('Started'), readJobs()]).toEqual(['Sort: Started, ascending', ['done', 'x/1', '48213']]);
    expect([await sort('Running first, then the newest'), readJobs()]).toEqual(['Sort', ['48213', 'x/1', 'done']]);
  });

  it('shows a skeleton while the first answer is awaited, and says that it loads', async () => {
    const found = { counts: [], sinceNs: 1n, isDone: false, offset: 0, pageSize: 200 };
    const empty = { refId: 'A', jobs: [], totalJobs: 0, nowMs: NOW_MS, executedQuery: '', found };
    const place = { width: 1200, height: 600, timeZone: 'utc', jobKey: '', ask: () => NEVER };
    render(<>{jobs.open([createJobsFrame(empty)]).draw(place as unknown as ViewProps, {})}</>);
    expect(await screen.findByTestId('joblens-skeleton')).toBeTruthy();
    expect(screen.getByText(/^Loading: the time range is looked through/)).toBeTruthy();
    expect(screen.queryByText(/No job of this time range matches/)).toBeNull();
  });

  it.each([1200, 390])('leads from chosen jobs to the page that compares them, %d px wide', (width) => {
    draw(jobs, createFrame({ job: "it's 1" }, { job: 'a-(b) & "c"' }), width);
    const choose = (name: string): void => {
      fireEvent.click(screen.getByRole('checkbox', { name: `Choose ${name} to compare it` }));
    };
    expect(screen.queryByRole('link', { name: /^Compare/ })).toBeNull();
    choose("it's 1");
    choose('a-(b) & "c"');
    const link = screen.getByRole<HTMLAnchorElement>('link', { name: 'Compare 2 jobs' });
    expect(new URL(link.href).searchParams.getAll('var-jobs')).toEqual(["it's 1", 'a-(b) & "c"']);
    choose("it's 1");
    expect(screen.getByRole('link', { name: 'Compare 1 job' })).toBeTruthy();
  });

  it('opens the details of a job', async () => {
    draw(jobs, list);
    await userEvent.click(screen.getByRole('button', { name: 'Details of x/1' }));
    expect((await screen.findByTestId('joblens-job-drawer')).textContent).toContain('ValueError: bad shape');
  });
});

it('lists the last numbers so that each line ends with a number, where the header is too narrow for all', () => {
  const values = new Map([
    ['step', 10],
    ['loss', 0.5],
  ]);
  draw(job, createFrame({ ...RUNNING, values }), 340);
  const parts = screen.getByTitle('step 10, loss 0.5').children;
  expect([...parts].map(({ textContent }) => textContent)).toEqual(['step 10', ', loss 0.5']);
});
