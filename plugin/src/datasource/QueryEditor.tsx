import type { QueryEditorProps } from '@grafana/data';
import { Button, InlineField, RadioButtonGroup } from '@grafana/ui';
import React from 'react';
import { changeQuery } from '../query-types/parts/change-query.js';
import { LABEL_WIDTH } from '../query-types/parts/NameSelect.js';
import type { EditorProps, JoblensQuery } from '../query-types/parts/query-type.js';
import { findQueryType, QUERY_TYPES, queryTypeNameOf } from '../registry/registry.js';
import type { TagFilter } from '../store/tag-filters.js';
import type { NameSource } from './name-source.js';
import type { JoblensOptions } from './types.js';

type Props = QueryEditorProps<NameSource, JoblensQuery, JoblensOptions>;
type PartProps = EditorProps<JoblensQuery & { readonly series?: string }>;

const TYPE_CHOICES = Object.entries(QUERY_TYPES).map(([value, { label, description }]) => ({
  value,
  label,
  description,
}));

/** The filters that clicks in Explore have set; a click takes one away. */
function FilterList({ query, change }: Pick<PartProps, 'query' | 'change'>): React.ReactElement | null {
  const { filters = [] } = query;
  if (filters.length === 0) return null;
  const remove = (removed: TagFilter): void => {
    const rest = filters.filter((filter) => filter !== removed);
    change({ filters: rest.length === 0 ? undefined : rest });
  };
  return (
    <InlineField label="Filters" labelWidth={LABEL_WIDTH}>
      <>
        {filters.map((filter) => {
          const text = `${filter.key} ${filter.operator} ${filter.value}`;
          return (
            <Button key={text} variant="secondary" icon="times" tooltip="Take away" onClick={() => remove(filter)}>
              {text}
            </Button>
          );
        })}
      </>
    </InlineField>
  );
}

/** Edits one query. A choice runs at once, typed text when the field is left. */
export function QueryEditor({ query, datasource, onChange, onRunQuery }: Props): React.ReactElement {
  const change: PartProps['change'] = (changes) => {
    onChange(changeQuery(query, changes));
    onRunQuery();
  };
  const loadNames: PartProps['loadNames'] = (kind) => (search) => {
    const { job, user, series }: PartProps['query'] = query;
    // A list must not be narrowed by the choice it is there to change.
    return datasource.findNames({
      query: kind,
      ...(search === '' ? {} : { search }),
      ...(job === undefined || kind === 'jobs' ? {} : { job }),
      ...(user === undefined || kind === 'users' ? {} : { user }),
      ...(series === undefined || kind !== 'fields' ? {} : { series }),
    });
  };
  const type = findQueryType(query);
  return (
    <>
      <InlineField label="Type" labelWidth={LABEL_WIDTH}>
        <RadioButtonGroup
          options={TYPE_CHOICES}
          value={queryTypeNameOf(query)}
          onChange={(queryType) => change({ queryType })}
        />
      </InlineField>
      {type !== undefined && <type.Editor {...{ query, change, loadNames }} />}
      <FilterList {...{ query, change }} />
    </>
  );
}
