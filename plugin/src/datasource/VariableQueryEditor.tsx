import type { QueryEditorProps, SelectableValue } from '@grafana/data';
import { InlineField, Select } from '@grafana/ui';
import React from 'react';
import type { JoblensQuery, VariableKind } from '../query-types/query-type.js';
import type { NameSource } from './name-source.js';
import { LABEL_WIDTH, NameSelect } from '../query-types/NameSelect.js';
import { changeQuery } from '../query-types/change-query.js';
import type { JoblensOptions, VariableQuery } from './types.js';
import { parseVariableQuery } from './variable-query.js';

type Props = QueryEditorProps<NameSource, JoblensQuery, JoblensOptions, VariableQuery>;

const KIND_CHOICES: ReadonlyArray<SelectableValue<VariableKind> & { value: VariableKind }> = [
  { value: 'jobs', label: 'Jobs', description: 'Highest number first' },
  { value: 'users', label: 'Users' },
  { value: 'series', label: 'Tables', description: 'Kinds of metadata lines' },
  { value: 'fields', label: 'Keys', description: 'Keys of metadata lines' },
];

/** Edits a dashboard variable: the kind of names that fill it, and the jobs they come from. */
export function VariableQueryEditor({ query: saved, datasource, onChange }: Props): React.ReactElement {
  const query = parseVariableQuery(saved);
  const change = (changes: { readonly [K in keyof VariableQuery]?: VariableQuery[K] | undefined }): void =>
    onChange(changeQuery(query, changes));
  return (
    <>
      <InlineField label="Values" labelWidth={LABEL_WIDTH}>
        <Select<VariableKind>
          inputId="joblens-variable-kind"
          aria-label="Values"
          width={32}
          options={[...KIND_CHOICES]}
          value={query.query}
          onChange={({ value }) => change({ query: value ?? 'jobs' })}
        />
      </InlineField>
      {query.query !== 'jobs' && (
        <NameSelect
          id="joblens-variable-job"
          label="Job"
          tooltip="Only of this job; a variable such as $job is allowed"
          placeholder="All jobs"
          value={query.job}
          loadNames={() => datasource.findNames({ query: 'jobs' })}
          onChange={(job) => change({ job })}
        />
      )}
      {query.query !== 'users' && (
        <NameSelect
          id="joblens-variable-user"
          label="User"
          tooltip="Only of this user's jobs"
          placeholder="All users"
          value={query.user}
          loadNames={() => datasource.findNames({ query: 'users' })}
          onChange={(user) => change({ user })}
        />
      )}
    </>
  );
}
