import { dateTime, EventBusSrv, LoadingState, type PanelProps, type ScopedVars } from '@grafana/data';
import { configure, render, screen } from '@testing-library/react';
import React from 'react';
import { of } from 'rxjs';
import { createTemplates } from '../../test/fake-templates.js';
import { VIEWS, type ViewName } from '../registry/registry.js';
import { JoblensPanel } from './JoblensPanel.js';
import { DEFAULT_OPTIONS, type PanelOptions } from './options.js';

// Elements may take long to appear on a busy machine.
configure({ asyncUtilTimeout: 30_000 });

let templates = createTemplates({});
let questions = 0;
jest.mock('@grafana/runtime', () => ({
  ...jest.requireActual<object>('@grafana/runtime'),
  getTemplateSrv: () => templates,
  // A store that has nothing.
  getDataSourceSrv: () => ({
    get: () => {
      questions += 1;
      return Promise.resolve({ query: () => of({ data: [] }) });
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
  ])('says nothing of one job where a query is about %s', (_name, jobs, all) => {
    templates = createTemplates({ jobs, tag: '' }, all);
    render(<JoblensPanel {...createProps(view, '$jobs')} />);
    expect(screen.getByRole('status').textContent).toContain(VIEWS[view].emptiness.title);
    expect(questions).toBe(0);
  });

  it.each(NAMES)('names the one job that is chosen: %s', async (job) => {
    templates = createTemplates({ jobs: [job], tag: '' });
    render(<JoblensPanel {...createProps(view, '${jobs}')} />);
    expect(await screen.findByText(`Job ${job} is not known`)).toBeTruthy();
  });
});
