import type { SelectableValue } from '@grafana/data';
import { InlineField, Select } from '@grafana/ui';
import { RESULT_STATS, type ResultStat } from '@joblens/core/ask/comparison/compare-jobs';
import React from 'react';
import { TextField } from '../parts/editor-fields.js';
import { LABEL_WIDTH } from '../parts/NameSelect.js';
import type { EditorProps } from '../parts/query-type.js';
import type { CompareQuery } from '../parts/comparison-query.js';

type FieldProps = Pick<EditorProps<CompareQuery>, 'query' | 'change'>;

interface ByFieldProps extends FieldProps {
  /** What it is without one. */
  readonly placeholder?: string;
}

export function ByField({ placeholder = 'The tag group', ...props }: ByFieldProps): React.ReactElement {
  const tooltip = 'The key of the configurations, or the tag, whose values make the groups';
  return <TextField {...props} part="by" label="Group by" placeholder={placeholder} tooltip={tooltip} />;
}

const STAT_LABELS: Readonly<Record<ResultStat, string>> = {
  ...{ last: 'Last', min: 'Lowest', max: 'Highest', mean: 'Mean' },
  ...{ 'x-at-min': 'X at the lowest', 'x-at-max': 'X at the highest' },
};
const STAT_CHOICES: ReadonlyArray<SelectableValue<string>> = RESULT_STATS.map((value) => ({
  value,
  label: STAT_LABELS[value],
}));

/** Which of the numbers of a key; a variable may be typed. */
export function StatField({ query, change }: FieldProps): React.ReactElement {
  const { stat = 'last' } = query;
  return (
    <InlineField label="Number" labelWidth={LABEL_WIDTH} tooltip="Which of the numbers of each key; or a variable">
      <Select<string>
        inputId={`${query.refId}-stat`}
        aria-label="Number"
        width={16}
        allowCustomValue
        options={[...STAT_CHOICES]}
        value={STAT_CHOICES.find(({ value }) => value === stat) ?? { value: stat, label: stat }}
        onChange={({ value }) => change({ stat: value === 'last' ? undefined : value })}
      />
    </InlineField>
  );
}
