import type { DataFrame } from '@grafana/data';
import { readWhy } from '@joblens/core/ask/why/read-why';
import { createWhyReport } from '@joblens/core/report/why-report';
import React from 'react';
import { map, type Observable } from 'rxjs';
import { fillInFields } from '../parts/change-query.js';
import { JobFields } from '../parts/editor-fields.js';
import {
  describeParts,
  type EditorProps,
  fillIn,
  type JoblensQuery,
  type QueryType,
  type RunContext,
} from '../parts/query-type.js';
import { runReading, withQuery } from '../parts/run-reading.js';
import { createWhyFrame } from './why-frames.js';

/** Why one job failed: what is other in it than in jobs like it that went well. */
export const why: QueryType = {
  label: 'Why',
  description:
    'Why a job failed: what is other than in the last jobs like it that went well, the likeliest cause first',
  isRunnable: ({ job = '', user = '' }) => job.length > 0 && user.length > 0,
  run,
  describe: ({ job, user }) => describeParts('why', job, user),
  fillIn: (query, scopedVars, templates) => fillInFields(query, ['job', 'user'], scopedVars, templates),
  Editor,
};

function run(query: JoblensQuery, context: RunContext): Observable<DataFrame[]> {
  const [job, user] = [fillIn(query.job, context), fillIn(query.user, context)].map(([first]) => first);
  if (job === undefined || user === undefined) throw new RangeError('Why is asked of one job: choose it, and its user');
  const { refId } = query;
  return runReading(() => withQuery(readWhy({ job, user, nowMs: context.nowMs })), context).pipe(
    map(({ answer, executedQuery }) =>
      answer === undefined ? [] : [createWhyFrame({ refId, report: createWhyReport(answer), executedQuery })]
    )
  );
}

function Editor(props: EditorProps<JoblensQuery>): React.ReactElement {
  return <JobFields {...props} allJobs="Choose one" />;
}
