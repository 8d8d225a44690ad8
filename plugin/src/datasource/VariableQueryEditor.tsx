import type { QueryEditorProps, SelectableValue } from '@grafana/data';
import { InlineField, Select } from '@grafana/ui';
import React from 'react';
import type { JoblensQuery, VariableKind } from '../query-types/parts/query-type.js';
import type { NameSource } from './name-source.js';
import { LABEL_WIDTH, NameSelect } from '../query-types/parts/NameSelect.js';
import { changeQuery } from '../query-types/parts/change-query.js';
import type { JoblensOptions, VariableQuery } from './types.js';
import { parseVariableQuery, withSearch } from './variable-query.js';

type Props = QueryEditorProps<NameSource, JoblensQuery, JoblensOptions, VariableQuery>;

const KIND_CHOICES: ReadonlyArray<SelectableValue<VariableKind> & { value: VariableKind }> = [
  { value: 'jobs', label: 'Jobs', description: 'The newest 1,000, running jobs first; typing finds the others' },
  { value: 'users', label: 'Users' },
  { value: 'series', label: 'Tables', description: 'Kinds of metadata lines' },
  { value: 'fields', label: 'Keys', description: 'Keys of metadata lines' },
  { value: 'topics', label: 'Topics', description: 'Of events, the most frequent first' },
  { value: 'states', label: 'States', description: 'That jobs have come to' },
  { value: 'categories', label: 'Categories', description: 'Of spans' },
  { value: 'workers', label: 'Workers', description: 'That spans ran on' },
];

/** Edits a dashboard variable: the kind of names that fill it, and the jobs they come from. */
export function VariableQueryEditor({ query: saved, datasource, onChange }: Props): React.ReactElement {
  const query = parseVariableQuery(saved);
  const change = (changes: { readonly [K in keyof VariableQuery]?: VariableQuery[K] | undefined }): void =>
    onChange(withSearch(changeQuery(query, changes)));
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
      {query.query !== 'jobs' && query.query !== 'states' && (
        <NameSelect
          id="joblens-variable-job"
          label="Job"
          tooltip="Only of this job; a variable such as $job is allowed"
          placeholder="All jobs"
          value={query.job}
          loadNames={(search) => datasource.findNames({ query: 'jobs', ...(search === '' ? {} : { search }) })}
          onChange={(job) => change({ job })}
        />
      )}
      {query.query !== 'users' && query.query !== 'states' && (
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
