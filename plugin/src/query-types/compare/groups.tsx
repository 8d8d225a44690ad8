import type { DataFrame, SelectableValue } from '@grafana/data';
import { InlineField, InlineFieldRow, Select } from '@grafana/ui';
import { chooseGroupFact, chooseResult, listGroupKeys } from '@joblens/core/ask/comparison/choose-groups';
import { compareGroups } from '@joblens/core/ask/comparison/compare-groups';
import { compareJobs } from '@joblens/core/ask/comparison/compare-jobs';
import { isUsageKey } from '@joblens/core/ask/tables/job-usage';
import React from 'react';
import { map, type Observable } from 'rxjs';
import { fillInFields } from '../parts/change-query.js';
import { JobFields, LimitField, TagField, TextField } from '../parts/editor-fields.js';
import { LABEL_WIDTH } from '../parts/NameSelect.js';
import {
  describeParts,
  type EditorProps,
  fillIn,
  type QueryType,
  readLimit,
  type RunContext,
} from '../parts/query-type.js';
import { ByField, StatField } from './CompareFields.js';
import { type ComparisonQuery, GROUPED_JOBS, readCompared, readStat } from '../parts/comparison-query.js';
import { createGroupsFrame } from './group-frames.js';

export interface GroupsQuery extends ComparisonQuery {
  /** The key of the configurations, or the tag, that makes the groups; none means the likeliest. May hold variables. */
  by?: string;
  /** The number that is compared; none means the first whose name says what is better. May hold variables. */
  metric?: string;
  /** Which numbers are better, `lower` or `higher`; anything else means by the name. May hold variables. */
  direction?: string;
}

/** Means beside that of the compared number. */
const SHOWN_RESULTS = 12;

/** Jobs by a value that some of them share: is one group better than another? */
export const groups: QueryType<GroupsQuery> = {
  label: 'Groups',
  description: 'One row a group of jobs, such as all seeds of a setting: means, and whether the best is surely better',
  isRunnable: ({ job = '', tag = '' }) => job.length > 0 || tag !== '',
  run,
  describe: ({ job, tag, user, by, metric }) => describeParts('groups', job, tag, user, by, metric),
  fillIn: (query, scopedVars, templates) =>
    fillInFields(query, ['job', 'user', 'tag', 'by', 'metric', 'direction'], scopedVars, templates),
  Editor,
};

function run(query: GroupsQuery, context: RunContext): Observable<DataFrame[]> {
  const { refId } = query;
  const stat = readStat(query, context);
  const [wantedBy, metric, told] = [query.by, query.metric, query.direction].map((part) => fillIn(part, context)[0]);
  const direction = told === 'lower' || told === 'higher' ? told : undefined;
  const asked = { limit: readLimit(query.limit, GROUPED_JOBS), joinsTag: false };
  return readCompared(query, asked, context).pipe(
    map(({ answer: { jobs, total }, executedQuery }) => {
      const facts = compareJobs(jobs, { stat, nowMs: context.nowMs });
      const keys = listGroupKeys(facts);
      const by = chooseGroupFact(facts, keys, wantedBy);
      const numeric = facts.filter(({ kind }) => kind === 'result');
      const result = chooseResult(numeric, metric);
      const results = numeric.filter(({ name }) => !isUsageKey(name)).slice(0, SHOWN_RESULTS);
      const comparison = by && result && compareGroups(by, result, { facts, stat, direction });
      const isTold = direction !== undefined;
      const found = { keys, by, result, results, comparison, isTold };
      return [createGroupsFrame({ refId, jobs, total, ...found, executedQuery })];
    })
  );
}

const DIRECTIONS: ReadonlyArray<SelectableValue<string>> = [
  { value: '', label: 'By its name' },
  { value: 'lower', label: 'Lower' },
  { value: 'higher', label: 'Higher' },
];

function Editor(props: EditorProps<GroupsQuery>): React.ReactElement {
  const { query, change } = props;
  const { direction = '' } = query;
  const metricTip = 'The number that is compared';
  return (
    <>
      <JobFields {...props} allJobs="Those with the tag" />
      <InlineFieldRow>
        <TagField {...props} />
        <ByField {...props} placeholder="The likeliest key" />
      </InlineFieldRow>
      <InlineFieldRow>
        <TextField
          {...props}
          part="metric"
          label="Metric"
          placeholder="The first with a direction"
          tooltip={metricTip}
        />
        <StatField {...props} />
        <InlineField label="Better is" labelWidth={LABEL_WIDTH} tooltip="Which numbers are better; or a variable">
          <Select<string>
            inputId={`${query.refId}-direction`}
            aria-label="Better is"
            width={16}
            allowCustomValue
            options={[...DIRECTIONS]}
            value={DIRECTIONS.find(({ value }) => value === direction) ?? { value: direction, label: direction }}
            onChange={({ value }) => change({ direction: value === '' ? undefined : value })}
          />
        </InlineField>
      </InlineFieldRow>
      <LimitField {...props} defaultLimit={GROUPED_JOBS} />
    </>
  );
}
