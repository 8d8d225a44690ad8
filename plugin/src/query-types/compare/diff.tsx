import type { DataFrame } from '@grafana/data';
import { InlineField, InlineFieldRow, InlineSwitch } from '@grafana/ui';
import { compareJobs } from '@joblens/core/ask/comparison/compare-jobs';
import React from 'react';
import { map, type Observable } from 'rxjs';
import { fillInFields } from '../parts/change-query.js';
import { JobFields, LimitField, TagField } from '../parts/editor-fields.js';
import { LABEL_WIDTH } from '../parts/NameSelect.js';
import { describeParts, type EditorProps, type QueryType, readLimit, type RunContext } from '../parts/query-type.js';
import { StatField } from './CompareFields.js';
import { type ComparisonQuery, readCompared, readStat } from '../parts/comparison-query.js';
import { createDiffFrame } from './diff-frames.js';

export interface DiffQuery extends ComparisonQuery {
  /** What is equal, too. */
  all?: boolean;
}

/** A column each; more are asked for by a limit. */
const DEFAULT_JOBS = 50;

/** What differs between jobs: one row a fact, one column a job. */
export const diff: QueryType<DiffQuery> = {
  label: 'Diff',
  description: 'What differs between jobs, what more often explains another result first: one column a job',
  isRunnable: ({ job = '', tag = '' }) => job.length > 0 || tag !== '',
  run,
  describe: ({ job, tag, user }) => describeParts('diff', job, tag, user),
  fillIn: (query, scopedVars, templates) => fillInFields(query, ['job', 'user', 'tag'], scopedVars, templates),
  Editor,
};

function run(query: DiffQuery, context: RunContext): Observable<DataFrame[]> {
  const { refId, all = false } = query;
  const stat = readStat(query, context);
  const asked = { limit: readLimit(query.limit, DEFAULT_JOBS), joinsTag: false };
  return readCompared(query, asked, context).pipe(
    map(({ answer: { jobs, total }, executedQuery }) => {
      const facts = compareJobs(jobs, { stat, nowMs: context.nowMs });
      const shown = all ? facts : facts.filter(({ differs }) => differs);
      const equal = facts.length - facts.filter(({ differs }) => differs).length;
      return [createDiffFrame({ refId, jobs, total, facts: shown, equal, executedQuery })];
    })
  );
}

function Editor(props: EditorProps<DiffQuery>): React.ReactElement {
  const { query, change } = props;
  return (
    <>
      <JobFields {...props} allJobs="Those with the tag" />
      <InlineFieldRow>
        <TagField {...props} />
        <StatField {...props} />
        <InlineField label="Show what is equal" labelWidth={LABEL_WIDTH + 4}>
          <InlineSwitch
            id={`${query.refId}-all`}
            aria-label="Show what is equal"
            value={query.all === true}
            onChange={({ currentTarget }) => change({ all: currentTarget.checked ? true : undefined })}
          />
        </InlineField>
      </InlineFieldRow>
      <LimitField {...props} defaultLimit={DEFAULT_JOBS} />
    </>
  );
}
