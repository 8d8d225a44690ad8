import { InlineField, InlineFieldRow, Input } from '@grafana/ui';
import React, { useEffect, useState } from 'react';
import { LABEL_WIDTH, NameSelect } from './NameSelect.js';
import type { EditorProps, JoblensQuery, VariableKind } from './query-type.js';

interface JobFieldsProps extends EditorProps<JoblensQuery> {
  /** In the field without a job: what the query then does. Default: it is about all jobs. */
  readonly allJobs?: string;
}

/** Whose jobs, and which. */
export function JobFields(props: JobFieldsProps): React.ReactElement {
  const { allJobs = 'All jobs' } = props;
  return (
    <InlineFieldRow>
      <NameField
        {...props}
        part="job"
        kind="jobs"
        label="Job"
        placeholder={allJobs}
        tooltip="A job, or a variable such as $job"
      />
      <NameField {...props} part="user" kind="users" label="User" placeholder="All users" tooltip="Whose jobs" />
    </InlineFieldRow>
  );
}

interface NameFieldProps<Q extends JoblensQuery, K extends keyof Q> extends EditorProps<Q> {
  readonly part: K;
  /** The names that the store offers. */
  readonly kind: VariableKind;
  readonly label: string;
  readonly placeholder: string;
  readonly tooltip: string;
}

/** A part of a query that is one name: chosen from those of the store, or typed. */
export function NameField<Q extends JoblensQuery, K extends keyof Q & string>(
  props: NameFieldProps<Q, K>
): React.ReactElement {
  const { query, change, loadNames, part, kind, label, placeholder, tooltip } = props;
  const value = query[part];
  return (
    <NameSelect
      id={`${query.refId}-${part}`}
      label={label}
      tooltip={tooltip}
      placeholder={placeholder}
      value={typeof value === 'string' ? value : undefined}
      loadNames={loadNames(kind)}
      onChange={(name) => change({ [part]: name } as { readonly [P in keyof Q]?: Q[P] | undefined })}
    />
  );
}

interface LimitFieldProps extends Pick<EditorProps<JoblensQuery>, 'query' | 'change'> {
  /** How many are taken without a limit, or words for it. */
  readonly defaultLimit: number | string;
}

/** How many to take; saved when the field is left. */
export function LimitField({ query, change, defaultLimit }: LimitFieldProps): React.ReactElement {
  const [text, setText] = useDraft(query.limit === undefined ? '' : String(query.limit));
  const commit = (): void => {
    const limit = Number(text);
    change({ limit: text.trim() !== '' && Number.isInteger(limit) && limit > 0 ? limit : undefined });
  };
  return (
    <InlineField label="Limit" labelWidth={LABEL_WIDTH} tooltip="The newest ones, of each table">
      <Input
        id={`${query.refId}-limit`}
        width={16}
        type="number"
        min={1}
        value={text}
        placeholder={String(defaultLimit)}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
        onBlur={commit}
      />
    </InlineField>
  );
}

interface TextFieldProps<Q extends JoblensQuery, K extends keyof Q> extends Pick<EditorProps<Q>, 'query' | 'change'> {
  readonly part: K;
  readonly label: string;
  readonly placeholder: string;
  readonly tooltip: string;
}

/** A part of a query as text, which may hold variables; saved when the field is left. */
export function TextField<Q extends JoblensQuery, K extends keyof Q & string>(
  props: TextFieldProps<Q, K>
): React.ReactElement {
  const { query, change, part, label, placeholder, tooltip } = props;
  const saved = String(query[part] ?? '');
  const [text, setText] = useDraft(saved);
  const save = (): void => {
    const changes = { [part]: text === '' ? undefined : text } as { readonly [P in keyof Q]?: Q[P] | undefined };
    if (text !== saved) change(changes);
  };
  return (
    <InlineField label={label} labelWidth={LABEL_WIDTH} tooltip={`${tooltip}; variables are allowed`}>
      <Input
        id={`${query.refId}-${part}`}
        aria-label={label}
        width={26}
        value={text}
        placeholder={placeholder}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
        onBlur={save}
      />
    </InlineField>
  );
}

/** The jobs of an experiment, for instance. */
export function TagField(props: Pick<EditorProps<JoblensQuery>, 'query' | 'change'>): React.ReactElement {
  return (
    <TextField {...props} part="tag" label="Tag" placeholder="experiment=warmup" tooltip="Jobs with it: KEY=VALUE" />
  );
}

/** Text that is being typed; it follows the saved one when that changes. */
export function useDraft(saved: string): [string, (text: string) => void] {
  const [text, setText] = useState(saved);
  useEffect(() => setText(saved), [saved]);
  return [text, setText];
}
