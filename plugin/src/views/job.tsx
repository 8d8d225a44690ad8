import React from 'react';
import { JobHeader } from './job/JobHeader.js';
import { type JobRow, readJobRows } from './parts/job-rows.js';
import { createView, type ViewProps } from './view.js';

interface JobProps extends ViewProps {
  readonly model: readonly JobRow[];
}

function Job({ model: rows, width, height, timeZone, ask, hub }: JobProps): React.ReactElement {
  return (
    <div style={{ width, height, overflow: 'auto' }}>
      {rows.map((row) => (
        <JobHeader
          key={JSON.stringify([row.job, row.user])}
          {...{ row, width, timeZone, ask, hub }}
          isOneOfSeveral={rows.some((other) => other.job === row.job && other.user !== row.user)}
          {...(rows.length === 1 && { height })}
        />
      ))}
    </div>
  );
}

/** What one job is and how it does, in a few lines. */
export const job = createView<readonly JobRow[], object>({
  title: 'Job',
  heightShare: 1,
  needs: { queryType: 'jobs', label: 'Jobs' },
  drawn: 'jobs, which only a query of the type Jobs gives',
  emptiness: { title: 'No job in this time range', hint: 'A wider time range may show it.' },
  readOptions: () => ({}),
  addOptions: () => undefined,
  createModel: readJobRows,
  isEmpty: (rows) => rows.length === 0,
  Component: Job,
});
