import React from 'react';
import { EmptyState } from './parts/components/EmptyState.js';
import { createTables, NO_ROWS, type PanelTable, QUESTION_TYPES, STORED_ROWS } from './parts/components/tables.js';
import { useNewestRows } from './table/model/newest-rows.js';
import { TableView } from './table/components/TableView.js';
import { createView, type ViewProps } from './view.js';

interface TableOptions {
  readonly newestFirst: boolean;
  /** Rows on a page. */
  readonly pageSize: number;
}

interface TableProps extends ViewProps {
  readonly model: readonly PanelTable[];
  readonly options: TableOptions;
}

const DEFAULT_PAGE_SIZE = 100;
const MAX_PAGE_SIZE = 10_000;

export function readTableOptions({ newestFirst = true, pageSize }: Partial<TableOptions>): TableOptions {
  const rows = Math.trunc(pageSize ?? DEFAULT_PAGE_SIZE);
  return { newestFirst, pageSize: rows >= 1 ? Math.min(rows, MAX_PAGE_SIZE) : DEFAULT_PAGE_SIZE };
}

function Table({ model, options, width, height, timeZone, hub, ask }: TableProps): React.ReactElement {
  const tables = useNewestRows(model, ask);
  if (tables.length === 0) return <EmptyState title="Loading rows …" hint="" />;
  return <TableView {...{ tables, width, height, timeZone, hub, ask }} {...options} />;
}

/** The rows, newest first, page by page. */
export const table = createView<readonly PanelTable[], TableOptions>({
  title: 'Table',
  heightShare: 3,
  needs: { queryType: 'metadata', label: 'Metadata', others: QUESTION_TYPES },
  drawn: 'frames with at least one row',
  emptiness: NO_ROWS,
  stored: STORED_ROWS,
  readOptions: readTableOptions,
  addOptions: (builder, defaults) =>
    builder
      .addBooleanSwitch({ path: 'newestFirst', name: 'Table: newest first', defaultValue: defaults.newestFirst })
      .addNumberInput({
        path: 'pageSize',
        name: 'Table: rows a page',
        defaultValue: defaults.pageSize,
        settings: { min: 1, max: MAX_PAGE_SIZE, integer: true },
      }),
  createModel: createTables,
  isEmpty: (tables) => tables.every(({ rowCount }) => rowCount === 0),
  Component: Table,
});
