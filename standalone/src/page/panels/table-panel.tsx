import {
  identityOverrideProcessor,
  PanelPlugin,
  type DataFrame,
  type FieldConfigEditorBuilder,
  type PanelProps,
} from '@grafana/data';
import { Table, type TableSortByFieldState } from '@grafana/ui';
import type { TableCellHeight } from '@grafana/schema';
import * as React from 'react';
import { withMeta } from './meta.js';

interface TableOptions {
  readonly frameIndex?: number;
  readonly showHeader?: boolean;
  readonly cellHeight?: TableCellHeight;
  readonly sortBy?: TableSortByFieldState[];
}

/**
 * The column settings of Grafana's table that this one draws. `inspect` is missing, because npm does not have its
 * editor.
 */
const COLUMN_SETTINGS = ['width', 'minWidth', 'align', 'hidden', 'cellOptions', 'displayMode', 'filterable'];
const COLUMN_DEFAULTS: Readonly<Record<string, unknown>> = { align: 'auto', cellOptions: { type: 'auto' } };

/**
 * A substitute for Grafana's table panel, with @grafana/ui's table: links, units, mappings with colours, sorting,
 * filters.
 */
export function createTablePanel(): PanelPlugin {
  const plugin = new PanelPlugin<TableOptions, Record<string, unknown>>(TablePanel).useFieldConfig({
    useCustomConfig: registerColumns,
  });
  return withMeta(plugin, { id: 'table', name: 'Table' });
}

function registerColumns(builder: FieldConfigEditorBuilder<Record<string, unknown>>): void {
  for (const id of COLUMN_SETTINGS) {
    builder.addCustomEditor({
      id,
      path: id,
      name: id,
      editor: () => null,
      override: () => null,
      process: identityOverrideProcessor,
      shouldApply: () => true,
      defaultValue: COLUMN_DEFAULTS[id],
    });
  }
}

function TablePanel({
  data,
  options,
  width,
  height,
  timeRange,
  fieldConfig,
}: PanelProps<TableOptions>): React.JSX.Element {
  const [sortBy, setSortBy] = React.useState(options.sortBy ?? []);
  const frame = data.series[options.frameIndex ?? 0];
  if (frame === undefined || frame.fields.length === 0) return <EmptyTable height={height} />;
  return (
    <Table
      // The table remembers its sorting by column position, so another set of columns needs another table.
      key={columnKey(frame)}
      data={frame}
      width={width}
      height={height}
      noHeader={options.showHeader === false}
      cellHeight={options.cellHeight}
      showTypeIcons={false}
      resizable
      initialSortBy={sortBy}
      onSortByChange={setSortBy}
      timeRange={timeRange}
      fieldConfig={fieldConfig}
      ariaLabel="Table"
    />
  );
}

function columnKey(frame: DataFrame): string {
  return frame.fields.map(({ name }) => name).join('\n');
}

function EmptyTable({ height }: { height: number }): React.JSX.Element {
  return (
    <div style={{ height, display: 'flex', alignItems: 'center', justifyContent: 'center' }}>
      <span>No data</span>
    </div>
  );
}
