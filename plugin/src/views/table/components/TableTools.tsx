import { Button, Dropdown, Menu } from '@grafana/ui';
import React from 'react';
import type { PanelTable } from '../../parts/components/tables.js';
import type { TableCopy } from '../hooks/use-table-copy.js';
import type { TableDownload } from '../hooks/use-table-download.js';

interface OrderButtonProps {
  readonly isNewestFirst: boolean;
  readonly onChange: (isNewestFirst: boolean) => void;
}

export function OrderButton({ isNewestFirst, onChange }: OrderButtonProps): React.ReactElement {
  return (
    <Button
      size="sm"
      variant="secondary"
      fill="text"
      icon={isNewestFirst ? 'arrow-down' : 'arrow-up'}
      onClick={() => onChange(!isNewestFirst)}
      aria-label={`Order: ${isNewestFirst ? 'newest first' : 'oldest first'}. Change`}
      data-testid="joblens-table-order"
    >
      {isNewestFirst ? 'Newest first' : 'Oldest first'}
    </Button>
  );
}

interface TableToolsProps {
  readonly table: PanelTable;
  readonly hidden: ReadonlySet<string>;
  readonly hasFilters: boolean;
  readonly toggleFilters: () => void;
  readonly toggleColumn: (column: string) => void;
  readonly copy: TableCopy;
  readonly download: TableDownload;
  /** Which rows are downloaded. */
  readonly downloaded: string;
}

/** Filter, columns, copy and download. */
export function TableTools({
  table,
  hidden,
  hasFilters,
  toggleFilters,
  ...props
}: TableToolsProps): React.ReactElement {
  const columns = (
    <Menu>
      {table.columns.map(({ name, title }) => (
        <Menu.Item
          key={name}
          label={title}
          icon={hidden.has(name) ? 'eye-slash' : 'eye'}
          onClick={() => props.toggleColumn(name)}
        />
      ))}
    </Menu>
  );
  const downloads = (
    <Menu>
      <Menu.Item label={`${props.downloaded}, as CSV`} onClick={() => props.download.start('csv')} />
      <Menu.Item label={`${props.downloaded}, as JSON lines`} onClick={() => props.download.start('jsonl')} />
    </Menu>
  );
  const copies = (
    <Menu>
      <Menu.Item label="Shown rows as CSV" onClick={() => props.copy.start('csv')} />
      <Menu.Item label="Shown rows as JSON lines" onClick={() => props.copy.start('jsonl')} />
      <Menu.Item label="Shown rows, tab-separated" onClick={() => props.copy.start('tsv')} />
    </Menu>
  );
  const button = { size: 'sm', variant: 'secondary', fill: 'text' } as const;
  return (
    <>
      <Button
        {...button}
        icon="filter"
        variant={hasFilters ? 'primary' : 'secondary'}
        aria-pressed={hasFilters}
        aria-label="Filter by columns"
        title="Filter by columns"
        onClick={toggleFilters}
      />
      <Dropdown overlay={columns}>
        <Button {...button} icon="eye" aria-label="Columns to show" title="Columns to show" />
      </Dropdown>
      <Dropdown overlay={copies}>
        <Button {...button} icon="copy" aria-label="Copy the shown rows" title="Copy the shown rows" />
      </Dropdown>
      <Dropdown overlay={downloads}>
        <Button {...button} icon="download-alt" aria-label="Download the table" title="Download the table" />
      </Dropdown>
    </>
  );
}
