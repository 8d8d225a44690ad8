import React from 'react';
import { DiffView } from './diff/components/DiffView.js';
import { type DiffTable, readDiff } from './diff/model/diff-table.js';
import { EmptyState } from './parts/components/EmptyState.js';
import { createView, type ViewProps } from './view.js';

interface DiffProps extends ViewProps {
  readonly model: DiffTable | undefined;
}

const NOTHING = {
  title: 'No runs to compare',
  hint: 'Choose an experiment, or name two jobs or more, or a tag that they share.',
};

function Diff({ model, width, height, ask }: DiffProps): React.ReactElement {
  return model === undefined ? <EmptyState {...NOTHING} /> : <DiffView table={model} {...{ width, height, ask }} />;
}

/** What differs between jobs, what more often explains another result first. */
export const diff = createView<DiffTable | undefined, object>({
  title: 'Differences',
  heightShare: 2,
  needs: { queryType: 'diff', label: 'Diff' },
  drawn: 'differences between jobs, which only a query of the type Diff gives',
  emptiness: NOTHING,
  readOptions: () => ({}),
  addOptions: () => undefined,
  createModel: readDiff,
  isEmpty: (table) => table === undefined || table.jobs.length === 0,
  Component: Diff,
});
