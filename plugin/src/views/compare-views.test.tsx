import { type DataFrame, dateTime, EventBusSrv } from '@grafana/data';
import { locationService } from '@grafana/runtime';
import { listGroupKeys } from '@joblens/core/ask/comparison/choose-groups';
import { compareGroups } from '@joblens/core/ask/comparison/compare-groups';
import { type ComparedFact, compareJobs, type FactKind } from '@joblens/core/ask/comparison/compare-jobs';
import type { JobRecord } from '@joblens/core/ask/jobs/jobs';
import { act, configure, fireEvent, render, screen, within } from '@testing-library/react';
import React from 'react';
import { of, Subject } from 'rxjs';
import { createCompareFrame } from '../query-types/compare/compare-frames.js';
import { createDiffFrame } from '../query-types/compare/diff-frames.js';
import { createGroupsFrame } from '../query-types/compare/group-frames.js';
import { compare } from './compare.js';
import { diff } from './diff.js';
import { groups } from './groups.js';
import { createHoverHub } from './parts/hover.js';
import { type KeptValues, KeptValuesContext } from './parts/hooks/kept-state.js';
import type { View, ViewProps } from './view.js';

// Elements may take long to appear on a busy machine.
configure({ asyncUtilTimeout: 30_000 });

// jsdom lays nothing out: rows are drawn where there is room.
beforeAll(() => {
  for (const name of ['clientHeight', 'clientWidth', 'offsetWidth', 'offsetHeight'])
    Object.defineProperty(HTMLElement.prototype, name, { configurable: true, get: () => 600 });
});

let jobsVariable: unknown;
let otherVariables: ReadonlyArray<{ readonly name: string; readonly current: { readonly value: string } }> = [];
jest.mock('@grafana/runtime', () => ({
  ...jest.requireActual<object>('@grafana/runtime'),
  getTemplateSrv: () => ({
    getVariables: () => [
      ...(jobsVariable === undefined ? [] : [{ name: 'jobs', current: { value: jobsVariable } }]),
      ...otherVariables,
    ],
  }),
}));

beforeEach(() => {
  jobsVariable = ['$__all'];
  otherVariables = [];
  locationService.push('/d/joblens-compare?var-tag=experiment%3Da');
});

const LONG = `train.py --data ${'x'.repeat(80)}`;
const CONFIGS = ['{"lr": 0.01, "act": "relu"}', '{"lr": 0.1, "act": "relu"}', '{"lr": 0.1, "act": "tanh"}'];
const NAMES = ['a-(1)', 'b "2"', 'c 3'];

function createJobs() {
  return NAMES.map((job, at) => {
    const config = CONFIGS[at] ?? '';
    const command = at === 0 ? LONG : 'train.py';
    const record: JobRecord = {
      ...{ job, user: 'ann', timeNs: 0n, values: new Map(), state: 'COMPLETED', startedMs: 0, endedMs: 1000 },
      ...{ config, command, host: 'n-1' },
    };
    return { record, tables: [] };
  });
}

const JOBS = createJobs();
const FACTS = compareJobs(JOBS, { stat: 'last', nowMs: 0 });
const EQUAL = FACTS.filter(({ differs }) => !differs).length;

const RUNS = createCompareFrame({
  ...{ refId: 'A', jobs: JOBS, total: 3, facts: FACTS, keys: [], by: undefined, nowMs: 0, executedQuery: '' },
});

function createDiff(isWhole: boolean, jobs = JOBS): DataFrame {
  const all = compareJobs(jobs, { stat: 'last', nowMs: 0 });
  const facts = isWhole ? all : all.filter(({ differs }) => differs);
  const equal = all.filter(({ differs }) => !differs).length;
  return createDiffFrame({ refId: 'A', jobs, total: 1000, facts, equal, executedQuery: '' });
}

function create(
  view: View,
  frame: DataFrame,
  parts: Partial<ViewProps> = {},
  kept: KeptValues = new Map()
): React.ReactElement {
  const ends = { from: dateTime(0), to: dateTime(1) };
  const props = {
    ...{ width: 900, height: 500, timeZone: 'utc', timeRange: { ...ends, raw: ends }, annotations: [], jobKey: '[]' },
    ...{ source: '', hub: createHoverHub(new EventBusSrv()), onTimeRange: () => undefined },
    ...{ replaceVariables: (text: string) => text, ask: undefined, ...parts },
  };
  return <KeptValuesContext.Provider value={kept}>{view.open([frame]).draw(props, {})}</KeptValuesContext.Provider>;
}

function show(view: View, frame: DataFrame, parts: Partial<ViewProps> = {}): void {
  render(create(view, frame, parts));
}

const readChosen = (): readonly string[] => locationService.getSearch().getAll('var-jobs');
const listJobs = (): readonly (string | null)[] => screen.getAllByRole('link').map(({ textContent }) => textContent);

describe('the runs', () => {
  it('are one row each, sorted by a click on a column and filtered by what is typed above it', () => {
    show(compare, RUNS);
    expect(listJobs()).toEqual(NAMES);
    const lr = screen.getByRole('columnheader', { name: /lr$/ });
    fireEvent.click(within(lr).getByRole('button'));
    expect(listJobs()[2]).toBe('a-(1)');
    fireEvent.click(screen.getByRole('button', { name: 'Filter by columns' }));
    fireEvent.change(screen.getByLabelText('Filter config.act'), { target: { value: 'tanh' } });
    expect(listJobs()).toEqual(['c 3']);
    expect(screen.getByRole('status').textContent).toBe('1 of 3 runs, all below');
  });

  it('that are unlike show what several have, and the rest on a click', () => {
    const keys = Array.from({ length: 9 }, (_, at) => `key ${at} - "(a.b)"`);
    const jobs = JOBS.map((job, at) => {
      const own = Object.fromEntries(keys.map((key) => [`${at} ${key}`, at]));
      return { ...job, record: { ...job.record, config: JSON.stringify({ lr: at, ...own }) } };
    });
    const facts = compareJobs(jobs, { stat: 'last', nowMs: 0 });
    show(
      compare,
      createCompareFrame({
        ...{ refId: 'A', jobs, total: 3, facts, keys: [], by: undefined, nowMs: 0, executedQuery: '' },
      })
    );
    const countColumns = (): number => screen.getAllByRole('columnheader').length;
    const few = countColumns();
    expect(few).toBeLessThan(12);
    expect(screen.getByRole('columnheader', { name: /lr$/ })).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: 'Show 27 keys of one run alone' }));
    expect(countColumns()).toBe(few + 27);
    fireEvent.click(screen.getByRole('button', { name: 'Hide 27 keys of one run alone' }));
    expect(countColumns()).toBe(few);
  });

  it('are chosen by check boxes, which write the variable into the address', () => {
    show(compare, RUNS);
    fireEvent.click(screen.getByRole('checkbox', { name: 'Choose b "2"' }));
    expect(readChosen()).toEqual(['b "2"']);
    fireEvent.click(screen.getByRole('checkbox', { name: 'Choose c 3' }));
    expect(readChosen()).toEqual(['b "2"', 'c 3']);
    expect(locationService.getSearch().get('var-tag')).toBe('experiment=a');
    expect(screen.getByRole('status').textContent).toBe('3 runs, 2 chosen');
    fireEvent.click(screen.getByRole('button', { name: 'Show all' }));
    expect(readChosen()).toEqual(['$__all']);
  });

  it('that pass the filters are all chosen at once', () => {
    show(compare, RUNS);
    fireEvent.click(screen.getByRole('button', { name: 'Filter by columns' }));
    fireEvent.change(screen.getByLabelText('Filter config.lr'), { target: { value: '0.1' } });
    fireEvent.click(screen.getByRole('checkbox', { name: 'Choose all of these' }));
    expect(readChosen()).toEqual(['b "2"', 'c 3']);
    fireEvent.click(screen.getByRole('checkbox', { name: 'Choose none' }));
    expect(readChosen()).toEqual(['$__all']);
  });

  it('show what the variable names', () => {
    jobsVariable = ['a-(1)'];
    show(compare, RUNS);
    expect(screen.getByRole<HTMLInputElement>('checkbox', { name: 'Choose a-(1)' }).checked).toBe(true);
    expect(screen.getByRole<HTMLInputElement>('checkbox', { name: 'Choose c 3' }).checked).toBe(false);
  });

  it('have no check boxes where the dashboard has no such variable', () => {
    jobsVariable = undefined;
    show(compare, RUNS);
    expect(screen.queryAllByRole('checkbox')).toEqual([]);
    expect(listJobs()).toEqual(NAMES);
  });
});

describe('the differences', () => {
  const readRow = (what: string): readonly (string | null)[] => {
    const row = screen.getByRole('rowheader', { name: new RegExp(what) }).closest('tr');
    return [...(row?.querySelectorAll('td') ?? [])].map(({ textContent }) => textContent);
  };

  it('are one row a fact, with one colour for each value', () => {
    show(diff, createDiff(false));
    expect(readRow('config.lr')).toEqual(['0.01', '0.1', '0.1']);
    const cells = screen.getByRole('rowheader', { name: 'config.lr' }).closest('tr')?.querySelectorAll('td') ?? [];
    const colours = [...cells].map((cell) => cell.style.boxShadow);
    expect(colours[1]).toBe(colours[2]);
    expect(colours[0]).not.toBe(colours[1]);
    expect(screen.queryByRole('rowheader', { name: 'host' })).toBeNull();
    expect(screen.getByRole('status').textContent).toContain('differ between 3 of 1,000 runs');
  });

  it('show a long value whole on request', () => {
    show(diff, createDiff(false));
    const name = screen.getByRole('button', { name: 'command' });
    expect(name.getAttribute('aria-expanded')).toBe('false');
    fireEvent.click(name);
    expect(name.getAttribute('aria-expanded')).toBe('true');
    expect(readRow('command')[0]).toBe(LONG);
  });

  it('show what is equal on request, which the store is asked for then', async () => {
    const ask = jest.fn(() => of([createDiff(true)]));
    show(diff, createDiff(false), { ask });
    expect(ask).not.toHaveBeenCalled();
    await act(async () => {
      fireEvent.click(screen.getByRole('button', { name: `Show ${EQUAL} equal` }));
      await Promise.resolve();
    });
    expect(ask).toHaveBeenCalledWith({ query: { all: true } });
    expect(readRow('host')).toEqual(['n-1', 'n-1', 'n-1']);
  });

  it('are those of the chosen runs, however late what is equal in others comes', () => {
    const answers: Array<Subject<DataFrame[]>> = [];
    const createAsk = () => () => {
      const answer = new Subject<DataFrame[]>();
      answers.push(answer);
      return answer;
    };
    const kept: KeptValues = new Map();
    const pairs = [JOBS.slice(0, 2), JOBS.slice(1)];
    const draw = (jobs: typeof JOBS): React.ReactElement =>
      create(diff, createDiff(false, jobs), { ask: createAsk() }, kept);
    const { rerender } = render(draw(pairs[0] ?? []));
    fireEvent.click(screen.getByRole('button', { name: /^Show \d+ equal$/ }));
    act(() => answers[0]?.next([createDiff(true, pairs[0])]));
    expect(readRow('host')).toEqual(['n-1', 'n-1']);
    rerender(draw(pairs[1] ?? []));
    expect(screen.queryByRole('columnheader', { name: 'a-(1)' })).toBeNull();
    expect(readRow('config.act')).toEqual(['relu', 'tanh']);
    act(() => answers[0]?.next([createDiff(true, pairs[0])]));
    expect(screen.queryByRole('columnheader', { name: 'a-(1)' })).toBeNull();
    act(() => answers[1]?.next([createDiff(true, pairs[1])]));
    expect(screen.getByRole('columnheader', { name: 'c 3' })).toBeTruthy();
    expect(readRow('host')).toEqual(['n-1', 'n-1']);
  });
});

describe('the groups', () => {
  const RESULTS = [0.51, 0.5, 0.53, 0.31, 0.3, 0.32];
  const fact = (kind: FactKind, name: string, values: ComparedFact['values']): ComparedFact => {
    return { ...{ kind, risk: 'config', name, values }, differs: true };
  };
  const by = fact('config', 'config.optim', ['sgd-(1)', 'sgd-(1)', 'sgd-(1)', 'a "w"', 'a "w"', 'a "w"']);
  const loss = fact('result', 'val_loss', RESULTS);
  const other = fact('tag', 'tag.half', ['x', 'x', 'y', 'y', 'x', 'y']);

  function createGroups(results: readonly ComparedFact[] = [loss], direction?: 'lower' | 'higher'): DataFrame {
    const facts = [by, other, ...results];
    const [result] = results;
    const comparison = result && compareGroups(by, result, { facts, stat: 'last', direction });
    const answer = { jobs: [], total: 0, keys: listGroupKeys(facts), by, result, results, comparison };
    return createGroupsFrame({ refId: 'A', ...answer, isTold: direction !== undefined, executedQuery: '' });
  }

  const readRows = (): readonly (string | null)[][] =>
    screen.getAllByTestId('joblens-group').map((row) => [...row.children].map(({ textContent }) => textContent));

  it('say in a sentence which is better, and have a row each, the best first', () => {
    show(groups, createGroups());
    expect(screen.getByRole('status').textContent).toMatch(/^val_loss is lower with optim=a "w" than with optim=sgd-/);
    expect(readRows()).toEqual([
      ['a "w"', '3', '0.31 ± 0.01', '', 'the best'],
      [
        'sgd-(1)',
        '3',
        expect.stringMatching(/^0\.5133\d* ± 0\.015$/),
        '',
        expect.stringMatching(/^\+0\.203.*, worse$/),
      ],
    ]);
  });

  it('are too few to tell with two seeds each', () => {
    show(groups, createGroups([fact('result', 'val_loss', [0.5, 0.6, undefined, 0.1, 0.2, undefined])]));
    expect(screen.getByRole('status').textContent).toMatch(/^too few seeds to tell whether val_loss is lower/);
    expect(readRows()[1]?.at(-1)).toBe('+0.4, too few seeds to tell');
  });

  it('are those of another key, number or direction on request, which the address then names', () => {
    otherVariables = ['by', 'metric', 'direction'].map((name) => ({ name, current: { value: '' } }));
    show(groups, createGroups());
    const choose = (label: string, option: string): void => {
      fireEvent.keyDown(screen.getByLabelText(label), { key: 'ArrowDown' });
      fireEvent.click(screen.getByText(option));
    };
    choose('Group by', 'tag half');
    expect(locationService.getSearch().get('var-by')).toBe('tag.half');
    choose('Better is', 'higher');
    expect(locationService.getSearch().get('var-direction')).toBe('higher');
    expect(locationService.getSearch().get('var-tag')).toBe('experiment=a');
  });

  it('say what they are, without a choice, where the dashboard has no such variables', () => {
    show(groups, createGroups());
    expect(screen.queryByLabelText('Group by')).toBeNull();
    expect(screen.getByText('lower (by its name)')).toBeDefined();
  });

  it('wait for numbers', () => {
    show(groups, createGroups([]));
    expect(screen.getByRole('status').textContent).toBe('No numbers to compare yet.');
  });
});
