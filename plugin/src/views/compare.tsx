import React from 'react';
import { RunsView } from './compare/components/RunsView.js';
import { readRuns } from './compare/model/runs.js';
import { EmptyState } from './parts/components/EmptyState.js';
import type { PanelTable } from './parts/components/tables.js';
import { createView, type ViewProps } from './view.js';

interface CompareOptions {
  /** The dashboard's variable with the chosen jobs; check boxes write it. */
  readonly jobsVariable: string;
}

interface CompareProps extends ViewProps {
  readonly model: PanelTable | undefined;
  readonly options: CompareOptions;
}

const NOTHING = {
  title: 'No runs to compare',
  hint: 'Choose an experiment, or name jobs, or a tag that they share. `joblens run --experiment NAME …` begins one.',
};

function Compare({ model, options, width, height, timeZone, hub }: CompareProps): React.ReactElement {
  if (model === undefined) return <EmptyState {...NOTHING} />;
  return <RunsView {...{ table: model, width, height, timeZone, hub }} variable={options.jobsVariable} />;
}

/** Jobs side by side, one row each. */
export const compare = createView<PanelTable | undefined, CompareOptions>({
  title: 'Runs',
  heightShare: 2,
  needs: { queryType: 'compare', label: 'Compare' },
  drawn: 'jobs side by side, which only a query of the type Compare gives',
  emptiness: NOTHING,
  readOptions: ({ jobsVariable }) => ({ jobsVariable: typeof jobsVariable === 'string' ? jobsVariable : 'jobs' }),
  addOptions: (builder, { jobsVariable }) =>
    builder.addTextInput({
      path: 'jobsVariable',
      name: 'Runs: variable that check boxes write',
      description: 'A variable of the dashboard with several values; it holds the chosen jobs',
      defaultValue: jobsVariable,
    }),
  createModel: readRuns,
  isEmpty: (table) => table === undefined || table.rowCount === 0,
  Component: Compare,
});
