import type { DataFrame } from '@grafana/data';
import { InlineFieldRow } from '@grafana/ui';
import { listExperiments } from '@joblens/core/ask/labels/experiments';
import React from 'react';
import { map, type Observable } from 'rxjs';
import { fillInFields } from '../parts/change-query.js';
import { LimitField, NameField } from '../parts/editor-fields.js';
import {
  describeParts,
  type EditorProps,
  fillIn,
  type JoblensQuery,
  type QueryType,
  readLimit,
  type RunContext,
} from '../parts/query-type.js';
import { runReading, withQuery } from '../parts/run-reading.js';
import { createExperimentsFrame } from './experiment-frames.js';

const DEFAULT_EXPERIMENTS = 100;

/** The experiments that can be compared, whenever they ran. */
export const experiments: QueryType = {
  label: 'Experiments',
  description: 'One row an experiment, the newest first: how many runs it has, and whose',
  run,
  describe: ({ user }) => describeParts('experiments', user),
  fillIn: (query, scopedVars, templates) => fillInFields(query, ['user'], scopedVars, templates),
  Editor,
};

function run({ refId, user, limit }: JoblensQuery, context: RunContext): Observable<DataFrame[]> {
  return runReading(() => withQuery(listExperiments({ user: fillIn(user, context) })), context).pipe(
    map(({ answer, executedQuery }) => {
      const shown = answer.slice(0, readLimit(limit, DEFAULT_EXPERIMENTS));
      return [createExperimentsFrame({ refId, experiments: shown, total: answer.length, executedQuery })];
    })
  );
}

function Editor(props: EditorProps<JoblensQuery>): React.ReactElement {
  return (
    <>
      <InlineFieldRow>
        <NameField {...props} part="user" kind="users" label="User" placeholder="All users" tooltip="Whose runs" />
      </InlineFieldRow>
      <LimitField {...props} defaultLimit={DEFAULT_EXPERIMENTS} />
    </>
  );
}
