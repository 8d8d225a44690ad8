import { type DataFrame, dateTime, EventBusSrv, LoadingState, type PanelProps, type ScopedVars } from '@grafana/data';
import { locationService } from '@grafana/runtime';
import { act, configure, fireEvent, render, screen, waitFor } from '@testing-library/react';
import React from 'react';
import { of } from 'rxjs';
import { createTemplates } from '../../test/fake-templates.js';
import { createExperimentsFrame } from '../query-types/compare/experiment-frames.js';
import { VIEWS, type ViewName } from '../registry/registry.js';
import { JoblensPanel } from './JoblensPanel.js';
import { DEFAULT_OPTIONS, type PanelOptions } from './options.js';

// Elements may take long to appear on a busy machine.
configure({ asyncUtilTimeout: 30_000 });

let templates = createTemplates({});
let questions = 0;
let answer: readonly DataFrame[] = [];
jest.mock('@grafana/runtime', () => ({
  ...jest.requireActual<object>('@grafana/runtime'),
  getTemplateSrv: () => templates,
  // A store that has nothing, but where a test says.
  getDataSourceSrv: () => ({
    get: () => {
      questions += 1;
      return Promise.resolve({ query: () => of({ data: answer }) });
    },
  }),
}));

beforeEach(() => {
  questions = 0;
});

const NAMES = ['a-(1)', 'b "2"', "c.3 'x'"];
/** The views of named jobs; each may have no frame. */
const OF_JOBS: readonly ViewName[] = ['graph', 'table', 'log', 'compare', 'groups', 'diff', 'gantt'];

function createProps(view: ViewName, job: string): PanelProps<PanelOptions> {
  const range = { from: dateTime(0), to: dateTime(100_000) };
  const timeRange = { ...range, raw: range };
  const { queryType } = VIEWS[view].needs;
  const datasource = { type: 'joblens-datasource', uid: 'joblens' };
  const request = {
    requestId: 'Q1',
    range: timeRange,
    targets: [{ refId: 'A', datasource, queryType, job, tag: '$tag' }],
  };
  return {
    data: { series: [], state: LoadingState.Done, timeRange, request },
    timeRange,
    ...{ timeZone: 'utc', title: 'Numbers', width: 800, height: 400, eventBus: new EventBusSrv() },
    options: { ...DEFAULT_OPTIONS, views: [view] },
    ...{ onOptionsChange: jest.fn(), onFieldConfigChange: jest.fn(), onChangeTimeRange: jest.fn() },
    // Grafana writes several values as {a,b}.
    replaceVariables: (text: string, scopedVars?: ScopedVars, format?: (value: unknown) => string) =>
      templates.replace(
        text,
        scopedVars,
        format ?? ((value) => (Array.isArray(value) ? `{${value.join(',')}}` : String(value)))
      ),
  } as unknown as PanelProps<PanelOptions>;
}

describe.each(OF_JOBS)('an empty view %s', (view) => {
  it.each([
    ['all jobs', NAMES, ['jobs']],
    ['all jobs, of which there is one', NAMES.slice(0, 1), ['jobs']],
    ['several jobs', NAMES, []],
  ])('says nothing of one job where a query is about %s', async (_name, jobs, all) => {
    templates = createTemplates({ jobs, tag: '' }, all);
    render(<JoblensPanel {...createProps(view, '$jobs')} />);
    expect(screen.getByRole('status').textContent).toContain(VIEWS[view].emptiness.title);
    // Its answer comes.
    await act(async () => {});
    // The views of several jobs ask for experiments alone.
    expect(questions).toBe(all.length > 0 && (view === 'compare' || view === 'diff') ? 1 : 0);
  });

  it.each(NAMES)('names the one job that is chosen: %s', async (job) => {
    templates = createTemplates({ jobs: [job], tag: '' });
    render(<JoblensPanel {...createProps(view, '${jobs}')} />);
    expect(await screen.findByText(`Job ${job} is not known`)).toBeTruthy();
  });
});

describe.each(['compare', 'diff'] as const)('an empty view %s that is about no jobs', (view) => {
  const EXPERIMENTS = ['-', '.', 'a (b)', 'lr=0.1, "x"', "it's a-b.c", '  spaces', '$tag'];
  const FRAME = createExperimentsFrame({
    refId: 'A',
    experiments: ['  ', ...EXPERIMENTS].map((name) => ({ name, runs: 12, users: ['ann', 'bob (b)'], lastDayMs: 0 })),
    total: 9000,
    executedQuery: '',
  });
  beforeEach(() => {
    answer = [FRAME];
    locationService.push('/d/joblens-compare');
  });
  afterEach(() => {
    answer = [];
  });

  it.each(EXPERIMENTS)('offers the experiment %j, which fills the variable', async (name) => {
    templates = createTemplates({ jobs: [], tag: '' }, ['jobs']);
    render(<JoblensPanel {...createProps(view, '$jobs')} />);
    const rows = await screen.findAllByRole('row');
    expect(rows).toHaveLength(1 + EXPERIMENTS.length);
    const row = rows[1 + EXPERIMENTS.indexOf(name)];
    expect(row?.textContent).toBe(`${name}121970-01-01ann, bob (b)`);
    const button = row?.querySelector('button');
    if (button) fireEvent.click(button);
    expect(locationService.getSearch().get('var-tag')).toBe(`experiment=${name}`);
    expect(screen.getByText('The newest 7 of 9000 experiments')).toBeTruthy();
  });

  it('leads to their runs where the tag is no variable of the dashboard', async () => {
    templates = createTemplates({ jobs: [] }, ['jobs']);
    render(<JoblensPanel {...createProps(view, '$jobs')} />);
    const link = await screen.findByRole('link', { name: "it's a-b.c" });
    expect(link.getAttribute('href')).toBe("/d/joblens-compare?var-tag=experiment%3Dit's%20a-b.c");
  });

  it('offers nothing where there is none, or where several jobs are named', async () => {
    templates = createTemplates({ jobs: NAMES, tag: '' });
    const { unmount } = render(<JoblensPanel {...createProps(view, '$jobs')} />);
    expect(screen.getByRole('status').textContent).toContain(VIEWS[view].emptiness.title);
    expect(questions).toBe(0);
    unmount();
    answer = [];
    templates = createTemplates({ jobs: [], tag: '' }, ['jobs']);
    render(<JoblensPanel {...createProps(view, '$jobs')} />);
    await waitFor(() => expect(questions).toBe(1));
    await act(async () => {});
    expect(screen.queryByRole('table')).toBeNull();
  });
});
