import type { DataFrame } from '@grafana/data';
import { InlineFieldRow } from '@grafana/ui';
import { compareJobs } from '@joblens/core/ask/comparison/compare-jobs';
import React from 'react';
import { map, type Observable } from 'rxjs';
import { fillInFields } from '../parts/change-query.js';
import { JobFields, LimitField, TagField } from '../parts/editor-fields.js';
import { NameMultiSelect } from '../parts/NameSelect.js';
import {
  describeParts,
  type EditorProps,
  fillIn,
  type QueryType,
  readLimit,
  type RunContext,
} from '../parts/query-type.js';
import { createCompareFrame } from './compare-frames.js';
import { ByField, StatField } from './CompareFields.js';
import { type CompareQuery, readCompared, readStat } from '../parts/comparison-query.js';

const DEFAULT_JOBS = 1000;

/** Jobs side by side, one row each: what they were given, and what came of it. */
export const compare: QueryType<CompareQuery> = {
  label: 'Compare',
  description: 'One row a job: configuration and tags that differ, then numbers from the summaries of its tables',
  isRunnable: ({ job = '', tag = '' }) => job.length > 0 || tag !== '',
  run,
  describe: ({ job, tag, user, by }) => describeParts('compare', job, tag, user, by),
  fillIn: (query, scopedVars, templates) => fillInFields(query, ['job', 'user', 'tag', 'by'], scopedVars, templates),
  Editor,
};

function run(query: CompareQuery, context: RunContext): Observable<DataFrame[]> {
  const { nowMs } = context;
  const stat = readStat(query, context);
  const [by] = fillIn(query.by, context);
  const keys = (query.keys ?? []).flatMap((key) => fillIn(key, context));
  const asked = { limit: readLimit(query.limit, DEFAULT_JOBS), joinsTag: true };
  return readCompared(query, asked, context).pipe(
    map(({ answer: { jobs, total }, executedQuery }) => {
      const facts = compareJobs(jobs, { stat, nowMs });
      return [createCompareFrame({ refId: query.refId, jobs, total, facts, keys, by, nowMs, executedQuery })];
    })
  );
}

function Editor(props: EditorProps<CompareQuery>): React.ReactElement {
  const { query, change, loadNames } = props;
  return (
    <>
      <JobFields {...props} allJobs="Those with the tag" />
      <InlineFieldRow>
        <TagField {...props} />
        <ByField {...props} />
      </InlineFieldRow>
      <InlineFieldRow>
        <NameMultiSelect
          id={`${query.refId}-keys`}
          label="Keys"
          tooltip="Numbers, tags and keys of the configuration to show"
          placeholder="What differs, and the main numbers"
          values={query.keys}
          loadNames={loadNames('fields')}
          onChange={(keys) => change({ keys })}
        />
        <StatField {...props} />
      </InlineFieldRow>
      <LimitField {...props} defaultLimit={DEFAULT_JOBS} />
    </>
  );
}
