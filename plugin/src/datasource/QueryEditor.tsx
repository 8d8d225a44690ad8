import type { QueryEditorProps, SelectableValue } from '@grafana/data';
import { InlineField, InlineFieldRow, Input, RadioButtonGroup, TextArea } from '@grafana/ui';
import React, { useEffect, useState } from 'react';
import type { NameSource } from './name-source.js';
import { LABEL_WIDTH, NameMultiSelect, NameSelect } from './NameSelect.js';
import { changeQuery } from './query-change.js';
import {
  DEFAULT_JOBS,
  DEFAULT_LOG_LINES,
  DEFAULT_TABLE_ROWS,
  type JoblensOptions,
  type JoblensQuery,
  type QueryType,
  queryTypeOf,
  type StreamChoice,
  type VariableKind,
} from './types.js';

type Props = QueryEditorProps<NameSource, JoblensQuery, JoblensOptions>;
interface PartProps {
  readonly query: JoblensQuery;
  readonly change: (changes: { readonly [K in keyof JoblensQuery]?: JoblensQuery[K] | undefined }) => void;
  readonly loadNames: (kind: VariableKind) => () => Promise<readonly string[]>;
}

const TYPE_CHOICES: Array<SelectableValue<QueryType>> = [
  { value: 'logs', label: 'Logs', description: 'The lines that jobs printed' },
  { value: 'metadata', label: 'Metadata', description: 'Tables of the metadata lines that jobs printed' },
  { value: 'jobs', label: 'Jobs', description: 'One row a job' },
  { value: 'influxql', label: 'InfluxQL', description: 'Your own query' },
];
const STREAM_CHOICES: Array<SelectableValue<StreamChoice>> = [
  { value: 'stdout', label: 'stdout' },
  { value: 'stderr', label: 'stderr' },
  { value: 'both', label: 'Both' },
];
const EXAMPLE = `SELECT "loss" FROM "job_metadata" WHERE "job" = '$job' AND $timeFilter`;

/** Edits one query. Choices run at once, typed text when the field is left. */
export function QueryEditor({ query, datasource, onChange, onRunQuery }: Props): React.ReactElement {
  const change: PartProps['change'] = (changes) => {
    onChange(changeQuery(query, changes));
    onRunQuery();
  };
  const loadNames: PartProps['loadNames'] = (kind) => () => {
    const { job, user, series } = query;
    // A list must not be narrowed by the choice it is there to change.
    return datasource.findNames({
      query: kind,
      ...(job === undefined || kind === 'jobs' ? {} : { job }),
      ...(user === undefined || kind === 'users' ? {} : { user }),
      ...(series === undefined || kind !== 'fields' ? {} : { series }),
    });
  };
  const type = queryTypeOf(query);
  const parts = { query, change, loadNames };
  return (
    <>
      <InlineField label="Type" labelWidth={LABEL_WIDTH}>
        <RadioButtonGroup options={TYPE_CHOICES} value={type} onChange={(queryType) => change({ queryType })} />
      </InlineField>
      {type === 'influxql' ? (
        <RawQueryField {...parts} />
      ) : (
        <>
          <WhoseFields {...parts} />
          {type === 'metadata' && <TableFields {...parts} />}
          {type === 'logs' && <StreamField {...parts} />}
          <LimitField {...parts} />
        </>
      )}
    </>
  );
}

function WhoseFields({ query, change, loadNames }: PartProps): React.ReactElement {
  return (
    <InlineFieldRow>
      <NameSelect
        id={`${query.refId}-job`}
        label="Job"
        tooltip="A job, or a variable such as $job"
        placeholder="All jobs"
        value={query.job}
        loadNames={loadNames('jobs')}
        onChange={(job) => change({ job })}
      />
      <NameSelect
        id={`${query.refId}-user`}
        label="User"
        tooltip="Whose jobs"
        placeholder="All users"
        value={query.user}
        loadNames={loadNames('users')}
        onChange={(user) => change({ user })}
      />
    </InlineFieldRow>
  );
}

function TableFields({ query, change, loadNames }: PartProps): React.ReactElement {
  return (
    <InlineFieldRow>
      <NameSelect
        id={`${query.refId}-series`}
        label="Table"
        tooltip="Metadata lines with the same keys make one table"
        placeholder="All tables"
        value={query.series}
        loadNames={loadNames('series')}
        onChange={(series) => change({ series })}
      />
      <NameMultiSelect
        id={`${query.refId}-fields`}
        label="Keys"
        tooltip="The columns to show"
        placeholder="All keys"
        values={query.fields}
        loadNames={loadNames('fields')}
        onChange={(fields) => change({ fields })}
      />
    </InlineFieldRow>
  );
}

function StreamField({ query, change }: PartProps): React.ReactElement {
  return (
    <InlineField label="Stream" labelWidth={LABEL_WIDTH}>
      <RadioButtonGroup
        options={STREAM_CHOICES}
        value={query.stream ?? 'stdout'}
        onChange={(stream) => change({ stream })}
      />
    </InlineField>
  );
}

const LIMIT_HINTS: Readonly<Record<Exclude<QueryType, 'influxql'>, string>> = {
  logs: String(DEFAULT_LOG_LINES),
  metadata: String(DEFAULT_TABLE_ROWS),
  jobs: String(DEFAULT_JOBS),
};

function LimitField({ query, change }: PartProps): React.ReactElement {
  const type = queryTypeOf(query);
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
        placeholder={type === 'influxql' ? '' : LIMIT_HINTS[type]}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
        onBlur={commit}
      />
    </InlineField>
  );
}

function RawQueryField({ query, change }: PartProps): React.ReactElement {
  const [text, setText] = useDraft(query.rawQuery ?? '');
  return (
    <InlineField label="Query" labelWidth={LABEL_WIDTH} grow tooltip="$timeFilter stands for the time range">
      <TextArea
        id={`${query.refId}-raw`}
        rows={4}
        spellCheck={false}
        value={text}
        placeholder={EXAMPLE}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
        onBlur={() => change({ rawQuery: text })}
      />
    </InlineField>
  );
}

/** Text that is being typed; follows the saved one when that changes. */
function useDraft(saved: string): [string, (text: string) => void] {
  const [text, setText] = useState(saved);
  useEffect(() => setText(saved), [saved]);
  return [text, setText];
}
