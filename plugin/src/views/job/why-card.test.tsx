import type { DataFrame } from '@grafana/data';
import type { JobRecord } from '@joblens/core/ask/jobs/jobs';
import type { WhyReport } from '@joblens/core/report/why-report';
import { fireEvent, render, screen, within } from '@testing-library/react';
import React from 'react';
import { EMPTY, of } from 'rxjs';
import { createWhyFrame } from '../../query-types/compare/why-frames.js';
import { createJobsFrame } from '../../query-types/jobs/jobs.js';
import { job as jobView } from '../job.js';
import type { Ask, AskChanges, ViewProps } from '../view.js';

const JOB = "-7 (o'hara).x";
const GOOD = 'good "6" & 5';

function createJobs(state: string): DataFrame {
  const parts = { user: 'ann', timeNs: 1n, values: new Map(), startedMs: 1000, endedMs: 2000, reason: 'Killed' };
  const jobs: readonly JobRecord[] = [{ job: JOB, state, ...parts }];
  return createJobsFrame({ refId: 'A', jobs, totalJobs: 1, nowMs: 9000, executedQuery: '' });
}

const REPORT: WhyReport = {
  ...{ job: JOB, user: 'ann', kind: 'failed' },
  firstFailure: { process: { rank: 5, node: 'n-2' }, message: 'AttributeError: bool', alike: 1 },
  against: { by: 'name', label: 'train', jobs: [GOOD, '4'] },
  differences: ['packages', 'config.lr', 'host', 'folder'].map((name, at) => ({
    ...{ risk: 'config', name, text: `${at} → ${at + 1}` },
  })),
};

beforeAll(() => {
  // jsdom knows no pseudo-elements, of which the drawer asks for the scroll bar's.
  const compute = window.getComputedStyle.bind(window);
  jest.spyOn(window, 'getComputedStyle').mockImplementation((element) => compute(element));
});

function draw(state: string, width: number, report: WhyReport = REPORT): readonly AskChanges[] {
  const asked: AskChanges[] = [];
  const ask: Ask = (changes) => {
    if (changes.query?.['queryType'] !== 'why') return EMPTY;
    asked.push(changes);
    return of([createWhyFrame({ refId: 'A', report, executedQuery: '' })]);
  };
  const place = { width, height: 150, timeZone: 'utc', jobKey: '', ask, hub: { select: () => undefined } };
  render(<>{jobView.open([createJobs(state)]).draw(place as unknown as ViewProps, {})}</>);
  return asked;
}

const listDifferences = (): readonly (string | null)[] =>
  within(screen.getByTestId('joblens-why'))
    .getAllByRole('listitem')
    .map(({ textContent }) => textContent);

describe('the card of a job that failed', () => {
  it('shows who failed first and the three likeliest differences, and the rest on request', () => {
    const asked = draw('FAILED', 1200);
    expect(asked).toEqual([{ query: { queryType: 'why', job: [JOB], user: ['ann'] } }]);
    expect(screen.getByText('rank 5 on n-2 failed first: AttributeError: bool')).toBeDefined();
    expect(listDifferences()).toEqual(['packages 0 → 1', 'config.lr 1 → 2', 'host 2 → 3']);
    fireEvent.click(screen.getByRole('button', { name: '1 more' }));
    expect(listDifferences()).toHaveLength(4);
  });

  it('leads to the differences of the two jobs', () => {
    draw('FAILED', 1200);
    const address = new URL(screen.getByRole<HTMLAnchorElement>('link', { name: GOOD }).href);
    expect(address.pathname).toBe('/d/joblens-compare');
    expect(address.searchParams.getAll('var-jobs')).toEqual([GOOD, JOB]);
  });

  it('is behind a button where there is no room for it', () => {
    draw('FAILED', 390);
    expect(screen.queryByTestId('joblens-why')).toBeNull();
    fireEvent.click(screen.getByRole('button', { name: 'What differs' }));
    expect(listDifferences()).toHaveLength(4);
  });

  it.each(['COMPLETED', 'RUNNING', 'PENDING', 'CANCELLED'])(
    'is neither asked for nor there of one that is %s',
    (state) => {
      expect(draw(state, 1200)).toEqual([]);
      expect(screen.queryByTestId('joblens-why')).toBeNull();
      expect(screen.queryByRole('button', { name: 'What differs' })).toBeNull();
    }
  );

  it('is not there where nothing is known', () => {
    draw('FAILED', 1200, { job: JOB, user: 'ann', kind: 'failed', differences: [], alone: 'it has no name' });
    expect(screen.queryByTestId('joblens-why')).toBeNull();
  });
});
