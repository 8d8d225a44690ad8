import { css } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { Button, Select, useStyles2 } from '@grafana/ui';
import React, { useEffect, useMemo, useState } from 'react';
import type { HoverHub } from '../parts/hover.js';
import type { PanelTable } from '../parts/tables.js';
import { readTheme } from '../parts/panel-theme.js';
import { createCellColumns } from './cell.js';
import { createPage, orderRows, type Page } from './row-order.js';
import { TableGrid } from './TableGrid.js';

interface TableViewProps {
  readonly tables: readonly PanelTable[];
  readonly width: number;
  readonly height: number;
  readonly timeZone: string;
  readonly newestFirst: boolean;
  readonly pageSize: number;
  readonly hub: HoverHub;
}

const TOOLBAR_HEIGHT_PX = 32;
const ROOM_FOR_WORDS_PX = 420;

/** The table that is shown: the viewer's choice while it is there, else the one with the most rows. */
function useChosenTable(tables: readonly PanelTable[]): [PanelTable | undefined, (id: string) => void] {
  const [id, setId] = useState<string | undefined>(undefined);
  const largest = tables.reduce<PanelTable | undefined>(
    (all, table) => (all === undefined || table.totalRows > all.totalRows ? table : all),
    undefined
  );
  return [tables.find((table) => table.id === id) ?? largest, setId];
}

function describePage(page: Page, table: PanelTable): string {
  const count = (value: number): string => value.toLocaleString('en-US');
  const total =
    table.totalRows > table.rowCount ? `${count(table.rowCount)} of ${count(table.totalRows)}` : count(table.rowCount);
  if (page.count === 1) return `${total} ${table.rowCount === 1 && table.totalRows === 1 ? 'row' : 'rows'}`;
  return `${count(page.from + 1)}–${count(page.from + page.rows.length)} of ${total} rows`;
}

/** Rows newest first, keys in the order printed, through any number of rows by pages. */
export function TableView(props: TableViewProps): React.ReactElement | null {
  const { tables, width, height, timeZone, pageSize, hub } = props;
  const styles = useStyles2(getStyles);
  const [table, chooseTable] = useChosenTable(tables);
  const [newestFirst, setNewestFirst] = useState(props.newestFirst);
  const [pageIndex, setPageIndex] = useState(0);
  const tableId = table?.id;
  useEffect(() => setNewestFirst(props.newestFirst), [props.newestFirst]);
  useEffect(() => setPageIndex(0), [tableId, newestFirst, pageSize]);
  const order = useMemo(() => (table === undefined ? [] : orderRows(table, newestFirst)), [table, newestFirst]);
  const page = useMemo(() => createPage(order, pageIndex, pageSize), [order, pageIndex, pageSize]);
  const columns = useMemo(
    () => (table === undefined ? [] : createCellColumns(table, page.rows, timeZone)),
    [table, page.rows, timeZone]
  );
  if (table === undefined) return null;
  return (
    <section style={{ width, height }} className={styles.view} aria-label="Table" data-testid="joblens-table">
      <div className={styles.bar}>
        {tables.length > 1 && (
          <div className={styles.chooser} data-testid="joblens-table-chooser">
            <Select<string>
              aria-label="Table to show"
              className={styles.select}
              width="auto"
              value={table.id}
              options={tables.map((each) => ({
                value: each.id,
                label: each.label,
                description: `${each.totalRows} rows`,
              }))}
              onChange={(item) => chooseTable(item.value ?? table.id)}
              menuShouldPortal
            />
          </div>
        )}
        <Button
          size="sm"
          variant="secondary"
          fill="text"
          icon={newestFirst ? 'arrow-down' : 'arrow-up'}
          onClick={() => setNewestFirst(!newestFirst)}
          aria-label={`Order: ${newestFirst ? 'newest first' : 'oldest first'}. Change`}
          data-testid="joblens-table-order"
        >
          {newestFirst ? 'Newest first' : 'Oldest first'}
        </Button>
        <div className={styles.space} />
        {width >= ROOM_FOR_WORDS_PX && <span className={styles.note}>{describePage(page, table)}</span>}
        {page.count > 1 && <Pager page={page} onPage={setPageIndex} />}
      </div>
      <TableGrid
        {...{ table, columns, page, width, hub }}
        resetKey={`${table.id} ${page.index} ${String(newestFirst)}`}
        height={Math.max(0, height - TOOLBAR_HEIGHT_PX)}
      />
    </section>
  );
}

function Pager({ page, onPage }: { page: Page; onPage: (index: number) => void }): React.ReactElement {
  const isFirst = page.index === 0;
  const isLast = page.index === page.count - 1;
  return (
    <nav aria-label="Pages" style={{ display: 'flex', flexShrink: 0 }} data-testid="joblens-table-pager">
      <PageButton label="First page" icon="angle-double-right" isMirrored isOff={isFirst} onClick={() => onPage(0)} />
      <PageButton label="Previous page" icon="angle-left" isOff={isFirst} onClick={() => onPage(page.index - 1)} />
      <PageButton label="Next page" icon="angle-right" isOff={isLast} onClick={() => onPage(page.index + 1)} />
      <PageButton label="Last page" icon="angle-double-right" isOff={isLast} onClick={() => onPage(page.count - 1)} />
    </nav>
  );
}

interface PageButtonProps {
  readonly label: string;
  readonly icon: 'angle-left' | 'angle-right' | 'angle-double-right';
  /** Grafana has no icon that points twice to the left. */
  readonly isMirrored?: boolean;
  readonly isOff: boolean;
  readonly onClick: () => void;
}

function PageButton({ label, icon, isMirrored, isOff, onClick }: PageButtonProps): React.ReactElement {
  return (
    <Button
      style={isMirrored === true ? { transform: 'scaleX(-1)' } : undefined}
      size="sm"
      variant="secondary"
      fill="text"
      icon={icon}
      disabled={isOff}
      onClick={onClick}
      aria-label={label}
      title={label}
    />
  );
}

function getStyles(
  grafanaTheme: GrafanaTheme2
): Record<'view' | 'bar' | 'chooser' | 'select' | 'space' | 'note', string> {
  const theme = readTheme(grafanaTheme);
  return {
    view: css({ display: 'flex', flexDirection: 'column', minWidth: 0 }),
    bar: css({
      display: 'flex',
      alignItems: 'center',
      gap: theme.spacing(1),
      height: TOOLBAR_HEIGHT_PX,
      flexShrink: 0,
      overflow: 'hidden',
    }),
    chooser: css({ minWidth: 80, maxWidth: '50%' }),
    select: css({ height: 24, minHeight: 24 }),
    space: css({ flexGrow: 1 }),
    note: css({
      color: theme.colors.text.secondary,
      fontSize: theme.typography.bodySmall.fontSize,
      fontVariantNumeric: 'tabular-nums',
      whiteSpace: 'nowrap',
      overflow: 'hidden',
      textOverflow: 'ellipsis',
    }),
  };
}
