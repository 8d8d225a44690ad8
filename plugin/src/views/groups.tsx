import React from 'react';
import { GroupsView } from './compare/components/GroupsView.js';
import { type GroupsTable, readGroups } from './compare/model/groups.js';
import { EmptyState } from './parts/components/EmptyState.js';
import { createView, type ViewProps } from './view.js';

interface GroupsOptions {
  /** Variables of the dashboard that the choices write. */
  readonly byVariable: string;
  readonly metricVariable: string;
  readonly directionVariable: string;
}

interface GroupsProps extends ViewProps {
  readonly model: GroupsTable | undefined;
  readonly options: GroupsOptions;
}

const NOTHING = {
  title: 'No groups to compare',
  hint: 'Choose an experiment in which runs share a value, such as a group: `joblens run --group NAME …`.',
};

function Groups({ model, options, width, height }: GroupsProps): React.ReactElement {
  return model === undefined ? (
    <EmptyState {...NOTHING} />
  ) : (
    <GroupsView table={model} variables={options} {...{ width, height }} />
  );
}

/** Whether one group of runs is better than another, how surely, and the means of each. */
export const groups = createView<GroupsTable | undefined, GroupsOptions>({
  title: 'Groups',
  heightShare: 2,
  needs: { queryType: 'groups', label: 'Groups' },
  drawn: 'groups of jobs, which only a query of the type Groups gives',
  emptiness: NOTHING,
  readOptions: ({ byVariable, metricVariable, directionVariable }) => ({
    byVariable: readName(byVariable, 'by'),
    metricVariable: readName(metricVariable, 'metric'),
    directionVariable: readName(directionVariable, 'direction'),
  }),
  addOptions: (builder, { byVariable, metricVariable, directionVariable }) =>
    builder
      .addTextInput({
        path: 'byVariable',
        name: 'Groups: variable of the key',
        description: 'The variable of the dashboard that the choice "Group by" writes',
        defaultValue: byVariable,
      })
      .addTextInput({
        path: 'metricVariable',
        name: 'Groups: variable of the metric',
        description: 'The variable of the dashboard that the choice of a number writes',
        defaultValue: metricVariable,
      })
      .addTextInput({
        path: 'directionVariable',
        name: 'Groups: variable of what is better',
        description: 'The variable of the dashboard that says which numbers are better',
        defaultValue: directionVariable,
      }),
  createModel: readGroups,
  isEmpty: (table) => table === undefined || (table.rows.length === 0 && table.keys.length === 0),
  Component: Groups,
});

function readName(stored: unknown, fallback: string): string {
  return typeof stored === 'string' ? stored : fallback;
}
