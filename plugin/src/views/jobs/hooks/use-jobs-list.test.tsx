import type { DataFrame } from '@grafana/data';
import { act, renderHook, waitFor } from '@testing-library/react';
import { Subject } from 'rxjs';
import { createJobsFrame } from '../../../query-types/jobs/jobs.js';
import type { AskChanges } from '../../view.js';
import { readJobsModel } from '../model/jobs-model.js';
import { type JobsChoice, useJobsList } from './use-jobs-list.js';

const PLAIN: JobsChoice = { search: '', kind: undefined, order: undefined, offset: 0 };

function createFrame(names: readonly string[], totalJobs: number, sinceNs?: bigint): DataFrame {
  const jobs = names.map((job) => ({ job, user: 'ann', state: 'FAILED', timeNs: 0n, values: new Map() }));
  const found = {
    counts: [['failed', totalJobs] as const],
    sinceNs,
    isDone: sinceNs === undefined,
    offset: 0,
    pageSize: 2,
  };
  return createJobsFrame({ refId: 'A', jobs, totalJobs, executedQuery: '', nowMs: 0, found });
}

function renderList(frame: DataFrame) {
  const asked: AskChanges[] = [];
  const answers = new Subject<readonly DataFrame[]>();
  const ask = (changes: AskChanges) => {
    asked.push(changes);
    return answers;
  };
  const model = readJobsModel([frame]);
  const { result, rerender } = renderHook(
    (choice: JobsChoice) => useJobsList({ model, ask, timeZone: 'utc' }, choice),
    { initialProps: PLAIN }
  );
  return { asked, answers, result, rerender };
}

const names = (list: ReturnType<typeof useJobsList>): string => list.shown.map(({ job }) => job).join(' ');

describe('a list of jobs', () => {
  it('that is whole is searched without a question', () => {
    const { asked, result, rerender } = renderList(createFrame(['a-1', 'b.2'], 2));
    rerender({ ...PLAIN, search: 'b.' });
    expect([names(result.current), result.current.status, asked]).toEqual(['b.2', '1 of 2 jobs', []]);
  });

  it('that is a part asks for others, and says how far back they were looked for', async () => {
    const { asked, answers, result, rerender } = renderList(createFrame(['a-1', 'b.2'], 1234));
    expect([names(result.current), result.current.status]).toEqual(['a-1 b.2', '1,234 jobs']);
    const question = { search: 'lr=3e-4 (x', offset: 0, kind: 'failed' };
    rerender({ ...PLAIN, search: ' lr=3e-4 (x ', kind: 'failed' });
    await waitFor(() => expect(asked).toEqual([{ query: { question } }]));
    act(() => answers.next([createFrame(['c'], 1, 1_700_000_000_000_000_000n)]));
    expect([names(result.current), result.current.status]).toEqual(['c', '1 job found since Nov 14, 22:13 …']);
    expect(result.current.isStopped).toBe(false);
    act(() => result.current.onStopped?.(true));
    expect([result.current.status, answers.observed]).toEqual(['1 job found since Nov 14, 22:13, stopped', false]);
    act(() => result.current.onStopped?.(false));
    await waitFor(() => expect(asked).toEqual([{ query: { question } }, { query: { question } }]));
    act(() => answers.next([createFrame(['c', 'd'], 3)]));
    act(() => answers.complete());
    expect([names(result.current), result.current.status]).toEqual(['c d', '3 jobs found']);
    expect(result.current.isStopped).toBeUndefined();
    rerender(PLAIN);
    expect(names(result.current)).toBe('a-1 b.2');
  });
});
