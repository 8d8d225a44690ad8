import { type DataFrame, dateTime, EventBusSrv } from '@grafana/data';
import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import React from 'react';
import { of, Subject } from 'rxjs';
import { createJobKey } from '../frames/frame-meta.js';
import { createJobsFrame } from '../query-types/jobs/jobs.js';
import { jobs } from './jobs.js';
import { log } from './log.js';
import { createHoverHub } from './parts/hover.js';
import { keepRule, recallRule, useKeptRule } from './parts/hooks/kept-rules.js';
import { createLogFrame, createTableFrame } from './testing/frames.js';
import { defineSizes } from './testing/log-panel.js';
import type { AskChanges, View, ViewProps } from './view.js';

// jsdom has no canvas: what is drawn is checked in a browser, here only what surrounds it.
jest.mock('./graph/components/Plot.js', () => ({ Plot: () => null }));

const JOBS = ['7', 'sweep lr=3e-4', "it's (a).b", '"q", x', '../$job', 'läuft'];
const RULE = { regex: String.raw`loss: (?<loss>-?\d+\.\d+)` };

beforeAll(defineSizes);
beforeEach(() => window.localStorage.clear());
afterEach(() => jest.restoreAllMocks());

describe('the memory of rules', () => {
  it.each(JOBS)('has the rule of %p, by data source, and where it was drawn', (job) => {
    for (const other of JOBS) if (other !== job) keepRule({ source: 'x', job: other }, 'log', 'logfmt');
    keepRule({ source: 'x', job }, 'log', RULE);
    expect(recallRule({ source: 'x', job }, 'log')).toEqual(RULE);
    expect(recallRule({ source: 'x', job })).toEqual(RULE);
    expect(recallRule({ source: 'x', job }, 'graph')).toBeUndefined();
    expect(recallRule({ source: 'y', job })).toBeUndefined();
    keepRule({ source: 'x', job }, 'log', undefined);
    expect(recallRule({ source: 'x', job })).toBeUndefined();
  });

  it('is bounded: the newest stay', () => {
    for (let at = 0; at < 300; at++) keepRule({ source: 'x', job: `job ${at}` }, 'log', RULE);
    const known = Array.from({ length: 300 }, (_, at) => recallRule({ source: 'x', job: `job ${at}` }) !== undefined);
    expect(known.filter(Boolean)).toHaveLength(100);
    expect(known.indexOf(true)).toBe(200);
  });

  it.each([
    '{',
    '7',
    'null',
    '[null, 7, [], {"source": "x", "job": "7", "place": "log", "rule": {"preset": "of-tomorrow"}}]',
    '[{"source": "x", "job": "7", "place": "log"}, {"source": "x", "job": "7", "place": "sky", "rule": "json"}]',
  ])('reads nothing from %p, and forgets it', (stored) => {
    window.localStorage.setItem('joblens.rules', stored);
    expect(recallRule({ source: 'x', job: '7' })).toBeUndefined();
    keepRule({ source: 'x', job: '7' }, 'log', 'json');
    expect(recallRule({ source: 'x', job: '7' })).toBe('json');
  });

  it('holds on the page where the browser stores nothing', async () => {
    jest.spyOn(Storage.prototype, 'getItem').mockImplementation(() => {
      throw new Error('forbidden');
    });
    jest.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
      throw new Error('full');
    });
    const Drawing = (): React.ReactElement => {
      const [rule, setRule] = useKeptRule('log', { source: 'x', job: '7' }, '');
      return <button onClick={() => setRule('logfmt')}>{JSON.stringify(rule ?? null)}</button>;
    };
    render(<Drawing />);
    await userEvent.click(screen.getByText('null'));
    expect(screen.getByText('"logfmt"')).toBeTruthy();
  });
});

/** Answers as the store does to the question for the rows of a rule. */
function createAsk(answer: (query: Readonly<Record<string, unknown>>) => DataFrame[]) {
  const asked: Array<Readonly<Record<string, unknown>>> = [];
  const ask = ({ query = {} }: AskChanges) => {
    asked.push(query);
    return of(answer(query));
  };
  return { ask, asked };
}

function create(view: View, frames: DataFrame[], ask: ViewProps['ask']): React.ReactElement {
  const ends = { from: dateTime(0), to: dateTime(100_000) };
  const place = {
    ...{ width: 1200, height: 600, timeZone: 'utc', source: 'x', jobKey: createJobKey(frames), ask },
    ...{ timeRange: { ...ends, raw: ends }, hub: createHoverHub(new EventBusSrv()) },
    annotations: [],
    replaceVariables: (text: string) => text,
  };
  return view.open(frames).draw(place as unknown as ViewProps, {});
}

function draw(view: View, frames: DataFrame[], ask: ViewProps['ask']): void {
  render(create(view, frames, ask));
}

const ROWS = [1, 2, 3].map((step) => ({ step, loss: 1 / step }));

it('are never those of another job with the same rule, however late its own come', () => {
  const [first = '', second = ''] = JOBS.slice(1);
  for (const job of [first, second]) keepRule({ source: 'x', job }, 'log', RULE);
  const answers: Array<Subject<DataFrame[]>> = [];
  const createSlow = () => () => {
    const answer = new Subject<DataFrame[]>();
    answers.push(answer);
    return answer;
  };
  const drawn = (job: string): React.ReactElement =>
    create(log, [createLogFrame([{ text: 'loss: 0.5' }], { job })], createSlow());
  const { rerender } = render(drawn(first));
  act(() => answers[0]?.next([createTableFrame({ rows: ROWS, job: first })]));
  expect(screen.queryByText('Reading the log …')).toBeNull();
  rerender(drawn(second));
  expect(screen.getByText('Reading the log …')).toBeTruthy();
});

describe.each(JOBS)('the numbers that were drawn of the log of %p', (job) => {
  const lines = [{ timeNs: 1_000_000_000n, text: 'loss: 0.5' }];
  const rowsOf = (query: Readonly<Record<string, unknown>>): DataFrame[] =>
    query['rule'] === undefined ? [] : [createTableFrame({ rows: ROWS, job })];

  it('are drawn again when the page is loaded again, until they are closed', async () => {
    const { ask } = createAsk(rowsOf);
    const load = (): void => draw(log, [createLogFrame(lines, { job })], ask);
    load();
    expect(screen.queryByTestId('joblens-drawn')).toBeNull();
    cleanup();
    keepRule({ source: 'x', job }, 'log', RULE);
    load();
    expect(screen.getByTestId('joblens-drawn-rule').textContent).toContain(RULE.regex);
    await userEvent.click(screen.getByRole('button', { name: 'Close the graph' }));
    cleanup();
    load();
    expect(screen.queryByTestId('joblens-drawn')).toBeNull();
  });

  it('have their course and last number in the list, asked of this job alone', async () => {
    keepRule({ source: 'x', job }, 'graph', RULE);
    const { ask, asked } = createAsk(rowsOf);
    const records = [job, 'other'].map((name) => ({
      ...{ job: name, user: 'ann', timeNs: 1n, values: new Map(), state: 'COMPLETED', startedMs: 1000, endedMs: 2000 },
    }));
    const list = { refId: 'A', jobs: records, totalJobs: 2, nowMs: 100_000, executedQuery: '' };
    draw(jobs, [createJobsFrame(list)], ask);
    await waitFor(() => expect(screen.getByRole('img', { name: `loss of ${job}` })).toBeTruthy());
    expect(screen.getByText('loss 0.33333')).toBeTruthy();
    expect(asked.filter(({ rule }) => rule !== undefined).map((query) => query['job'])).toEqual([[job]]);
  });
});
