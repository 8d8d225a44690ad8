import React from 'react';
import { JobsView } from './jobs/components/JobsView.js';
import { type JobsModel, readJobsModel } from './jobs/model/jobs-model.js';
import { createView, type ViewProps } from './view.js';

interface JobsProps extends ViewProps {
  readonly model: JobsModel;
}

function Jobs({ model, width, height, timeZone, timeRange, source, ask }: JobsProps): React.ReactElement {
  return <JobsView {...{ model, width, height, timeZone, timeRange, source, ask }} />;
}

/** A list of jobs to find one in, running ones first. */
export const jobs = createView<JobsModel, object>({
  title: 'Jobs',
  heightShare: 3,
  needs: { queryType: 'jobs', label: 'Jobs' },
  drawn: 'jobs, which only a query of the type Jobs gives',
  emptiness: {
    title: 'No job ran in this time range',
    hint: 'Nothing is logged until the owner of a job opts in: `joblens run --mode enabled -- COMMAND`.',
  },
  readOptions: () => ({}),
  addOptions: () => undefined,
  createModel: readJobsModel,
  isEmpty: ({ rows, isLoading }) => rows.length === 0 && !isLoading,
  Component: Jobs,
});
