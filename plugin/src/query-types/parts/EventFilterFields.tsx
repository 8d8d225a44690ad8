import { InlineField, InlineFieldRow, Input } from '@grafana/ui';
import React from 'react';
import { useDraft } from './editor-fields.js';
import type { EventFilterQuery } from './event-filter.js';
import { LABEL_WIDTH, NameMultiSelect } from './NameSelect.js';
import type { EditorProps, FoundNames } from './query-type.js';

type ListKey = 'jobs' | 'users' | 'tags' | 'topics' | 'fromStates' | 'toStates' | 'schedulerIds';
type TextKey = 'after' | 'before' | 'text';
export type FilterPart = ListKey | TextKey;

type Props = EditorProps<EventFilterQuery> & {
  /** The fields to show. */
  readonly parts: readonly FilterPart[];
};

interface ListField {
  readonly label: string;
  readonly tooltip: string;
  readonly placeholder: string;
  readonly kind?: Parameters<Props['loadNames']>[0];
}

const LIST_FIELDS: Readonly<Record<ListKey, ListField>> = {
  jobs: { label: 'Jobs', tooltip: 'Any of these jobs, or a variable such as $job', placeholder: 'All', kind: 'jobs' },
  users: { label: 'Users', tooltip: 'Any of these users', placeholder: 'All', kind: 'users' },
  tags: { label: 'Tags', tooltip: 'Tags of the job as KEY=VALUE; all must match', placeholder: 'experiment=warmup' },
  schedulerIds: { label: 'Scheduler id', tooltip: 'Ids that a scheduler gave to jobs', placeholder: 'All' },
  topics: { label: 'Topics', tooltip: 'Any of these; state holds the transitions', placeholder: 'All', kind: 'topics' },
  fromStates: { label: 'From state', tooltip: 'Any of these', placeholder: 'All', kind: 'states' },
  toStates: { label: 'To state', tooltip: 'Any of these', placeholder: 'All', kind: 'states' },
};

interface TextField {
  readonly label: string;
  readonly tooltip: string;
  readonly placeholder: string;
}

const TEXT_FIELDS: Readonly<Record<TextKey, TextField>> = {
  after: { label: 'After', tooltip: 'Inclusive; within the time range', placeholder: 'now-1h' },
  before: { label: 'Before', tooltip: 'Inclusive; within the time range', placeholder: '2026-11-23T08:00:00Z' },
  text: { label: 'Text', tooltip: 'A part of the data, in any case', placeholder: 'exit code 1' },
};

const NONE_FOUND = (): Promise<FoundNames> => Promise.resolve({ names: [], isLimited: false });

/** The fields that narrow which events count. A query that names one job or user as other types do shows it, too. */
export function EventFilterFields(props: Props): React.ReactElement {
  const { parts } = props;
  return (
    <>
      <InlineFieldRow>
        {parts.map((part) => (isListKey(part) ? <ListInput key={part} {...props} part={part} /> : null))}
      </InlineFieldRow>
      <InlineFieldRow>
        {parts.map((part) => (isListKey(part) ? null : <TextInput key={part} {...props} part={part} />))}
      </InlineFieldRow>
    </>
  );
}

function isListKey(part: FilterPart): part is ListKey {
  return Object.keys(LIST_FIELDS).includes(part);
}

/** What the types of query that know one name only have saved. */
const SINGLE: Readonly<Partial<Record<ListKey, 'job' | 'user'>>> = { jobs: 'job', users: 'user' };

function ListInput({ query, change, loadNames, part }: Props & { readonly part: ListKey }): React.ReactElement {
  const { kind, ...field } = LIST_FIELDS[part];
  const single = SINGLE[part];
  const own = single === undefined ? undefined : query[single];
  const values = [...(own === undefined || own === '' ? [] : [own]), ...(query[part] ?? [])];
  return (
    <NameMultiSelect
      id={`${query.refId}-${part}`}
      {...field}
      values={values}
      loadNames={kind === undefined ? NONE_FOUND : loadNames(kind)}
      onChange={(names) => change({ [part]: names, ...(single !== undefined && { [single]: undefined }) })}
    />
  );
}

const TEXT_WIDTH = 32;

function TextInput({ query, change, part }: Props & { readonly part: TextKey }): React.ReactElement {
  const { label, tooltip, placeholder } = TEXT_FIELDS[part];
  const [text, setText] = useDraft(query[part] ?? '');
  return (
    <InlineField label={label} labelWidth={LABEL_WIDTH} tooltip={tooltip}>
      <Input
        id={`${query.refId}-${part}`}
        aria-label={label}
        width={TEXT_WIDTH}
        value={text}
        placeholder={placeholder}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
        onBlur={() => change({ [part]: text.trim() === '' ? undefined : text })}
      />
    </InlineField>
  );
}
