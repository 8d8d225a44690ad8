import type { DataFrame } from '@grafana/data';
import type { JobRecord } from '@joblens/core/ask/jobs/jobs';
import type { LogLine } from '@joblens/core/rows/join-log-parts';
import { render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import React from 'react';
import { of } from 'rxjs';
import { createMarksFrame } from '../../query-types/events/job-marks.js';
import { createJobsFrame } from '../../query-types/jobs/jobs.js';
import { createLogsFrame } from '../../query-types/logs/log-frames.js';
import { job as jobView } from '../job.js';
import type { Ask, ViewProps } from '../view.js';

const JOB = "-7 (o'hara).x";
const USERS = ['ann', 'bob b.', ''];

function createJobs(reason: (user: string) => string | undefined): DataFrame {
  const jobs = USERS.map((user): JobRecord => {
    const said = reason(user);
    return {
      ...{
        job: JOB,
        user,
        timeNs: 1n,
        values: new Map(),
        state: 'FAILED',
        exitCode: 1,
        startedMs: 1000,
        endedMs: 2000,
      },
      ...(said !== undefined && { reason: said }),
    };
  });
  return createJobsFrame({ refId: 'A', jobs, totalJobs: jobs.length, nowMs: 9000, executedQuery: '' });
}

/** Answers as the store does: without a user, for all of them. */
const ask: Ask = ({ query = {} }) => {
  const asked = query['user'] as readonly string[] | undefined;
  const users = USERS.filter((user) => asked?.includes(user) ?? true);
  const place = { refId: 'A', executedQuery: '' };
  if (query['queryType'] === 'events') {
    const found = users.map((user, at) => ({
      ...{
        id: `${10 * USERS.indexOf(user) + 5}/Killed/${JOB}/${user}`,
        time: at,
        timeEnd: null,
        text: 'Killed',
        tags: [],
      },
    }));
    return of([createMarksFrame('A', { found, isLimited: false, executedQuery: '' }, false)]);
  }
  const lines = users.map((user, at): LogLine => ({
    ...{ timeNs: BigInt(at), job: JOB, user, stream: 'stderr', kind: 'output', line: `ValueError: of [${user}]` },
  }));
  return of([createLogsFrame({ ...place, job: JOB, lines, isLimited: false })]);
};

function draw(frame: DataFrame, select = (): void => undefined): readonly HTMLElement[] {
  const place = { width: 1200, height: 600, timeZone: 'utc', jobKey: '', ask, hub: { select } };
  render(<>{jobView.open([frame]).draw(place as unknown as ViewProps, {})}</>);
  return screen.getAllByTestId('joblens-job-header');
}

describe('jobs of several users with one id', () => {
  it('each says its own error, never that of another user', () => {
    const headers = draw(createJobs(() => undefined));
    const reasons = headers.map((header) => within(header).getByTestId('joblens-reason').textContent);
    expect([...reasons].sort()).toEqual(USERS.map((user) => `exit code 1: ValueError: of [${user}]`).sort());
    for (const header of headers) {
      const user = /of \[(.*)\]/.exec(header.textContent)?.[1] ?? '?';
      expect(within(header).getByRole('heading').textContent).toBe(`${JOB} of ${user}`);
    }
  });

  it('each leads to the line of its own reason', async () => {
    const seen: bigint[] = [];
    const select = ((_: object, timeNs: bigint): void => void seen.push(timeNs)) as unknown as () => void;
    for (const header of draw(
      createJobs(() => 'exit code 1: Killed'),
      select
    )) {
      await userEvent.click(within(header).getByTitle('Show the line of: exit code 1: Killed'));
    }
    expect(seen.sort()).toEqual([5n, 15n, 25n].sort());
  });

  it('each leads to its own page, where the id alone would show all of them', () => {
    const links = draw(createJobs(() => undefined)).map((header) => within(header).getByRole('link'));
    const users = links.map((link) => new URL((link as HTMLAnchorElement).href).searchParams.get('var-user'));
    expect(users.sort()).toEqual(['ann', 'bob b.', null].sort());
  });
});
