import { css } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { Button, useStyles2 } from '@grafana/ui';
import React, { useEffect, useMemo, useState } from 'react';
import type { HoverHub } from '../../parts/hover.js';
import { readTheme } from '../../parts/panel-theme.js';
import { TABS_HEIGHT_PX } from '../../parts/components/TabStrip.js';
import type { PanelTable } from '../../parts/components/tables.js';
import type { Ask } from '../../view.js';
import { createCellColumns } from '../model/cell.js';
import { listTypedFilters, nextSort, type RowChoice } from '../model/column-filter.js';
import { formatCount } from '@joblens/core/words/counts';
import { countDownload, describeDownload, describePage } from '../model/describe-page.js';
import { createRowReader } from '../model/store-rows.js';
import { isTabbed, TableList, TableTabs } from './TableChooser.js';
import { hasTimeOrder } from '../model/row-order.js';
import { TableGrid } from './TableGrid.js';
import { TablePager } from './TablePager.js';
import { OrderButton, TableTools } from './TableTools.js';
import { useTableCopy } from '../hooks/use-table-copy.js';
import { type TableDownload, useTableDownload } from '../hooks/use-table-download.js';
import { type TablePage, useTablePage } from '../hooks/use-table-page.js';

interface TableViewProps {
  readonly tables: readonly PanelTable[];
  readonly width: number;
  readonly height: number;
  readonly timeZone: string;
  readonly newestFirst: boolean;
  readonly pageSize: number;
  readonly hub: HoverHub;
  readonly ask: Ask | undefined;
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

interface Choices extends RowChoice {
  readonly hidden: ReadonlySet<string>;
}

const NO_CHOICES: Choices = { filters: new Map(), sort: undefined, hidden: new Set() };

/** What the viewer chose for one table. */
function useTableChoices(id: string) {
  const [choices, setChoices] = useState(NO_CHOICES);
  const [hasFilters, setFilters] = useState(false);
  useEffect(() => setChoices(NO_CHOICES), [id]);
  return {
    choices,
    hasFilters,
    sortBy: (column: string) => setChoices({ ...choices, sort: nextSort(choices.sort, column) }),
    filterBy: (column: string, text: string) => {
      const filters = new Map([...choices.filters, [column, text] as const].filter(([, each]) => each !== ''));
      if (text === '') filters.delete(column);
      setChoices({ ...choices, filters });
    },
    toggleFilters: () => {
      if (hasFilters) setChoices({ ...choices, filters: new Map() });
      setFilters(!hasFilters);
    },
    toggleColumn: (column: string) => {
      const hidden = new Set(choices.hidden);
      if (!hidden.delete(column)) hidden.add(column);
      setChoices({ ...choices, hidden });
    },
  };
}

/** Rows newest first, keys in the order printed, through any number of rows by pages. */
export function TableView(props: TableViewProps): React.ReactElement | null {
  const [table, chooseTable] = useChosenTable(props.tables);
  return table === undefined ? null : <OneTable {...props} table={table} onTable={chooseTable} />;
}

interface OneTableProps extends TableViewProps {
  readonly table: PanelTable;
  readonly onTable: (id: string) => void;
}

function OneTable(props: OneTableProps): React.ReactElement {
  const { table, width, height, timeZone, pageSize, hub, ask } = props;
  const styles = useStyles2(getStyles);
  const [isNewestFirst, setNewestFirst] = useState(props.newestFirst);
  useEffect(() => setNewestFirst(props.newestFirst), [props.newestFirst]);
  const chosen = useTableChoices(table.id);
  const { sort, filters, hidden } = chosen.choices;
  const choice = useMemo((): RowChoice => ({ sort, filters }), [sort, filters]);
  const read = useMemo(() => createRowReader(table, ask), [table, ask]);
  const view = useTablePage({ table, read, isNewestFirst, pageSize, choice });
  const shown = useMemo(
    () => ({ ...view.table, columns: view.table.columns.filter(({ name }) => !hidden.has(name)) }),
    [view.table, hidden]
  );
  const columns = useMemo(() => createCellColumns(shown, view.page.rows, timeZone), [shown, view.page.rows, timeZone]);
  const download = useTableDownload({ table, columns: shown.columns, read, choice, isNewestFirst });
  const copy = useTableCopy(shown, view.page.rows);
  const chooser = { tables: props.tables, shown: table, onChoose: props.onTable };
  const isFiltered = listTypedFilters(filters).length > 0;
  const sortedBy = table.columns.find(({ name }) => name === sort?.column)?.title;
  const wanted = { scope: view.scope, total: view.total, totalRows: table.totalRows, isFiltered, sortedBy };
  const hasTabs = isTabbed(props.tables);
  const headHeight = TOOLBAR_HEIGHT_PX + (hasTabs ? TABS_HEIGHT_PX : 0);
  return (
    <section style={{ width, height }} className={styles.view} aria-label="Table" data-testid="joblens-table">
      {hasTabs && <TableTabs {...chooser} />}
      <div className={styles.bar}>
        {!hasTabs && props.tables.length > 1 && <TableList {...chooser} />}
        {hasTimeOrder(table) && <OrderButton isNewestFirst={isNewestFirst} onChange={setNewestFirst} />}
        <TableTools {...{ table, download, copy, hidden }} {...chosen} downloaded={describeDownload(wanted)} />
        <div className={styles.space} />
        <Note {...{ view, table, width, download, copied: copy.message }} wantedRows={countDownload(wanted)} />
        {!(view.isFirst && view.isLast) && <TablePager {...view} onStep={view.step} />}
      </div>
      <TableGrid
        {...{ columns, width, hub, choice }}
        table={shown}
        page={view.page}
        resetKey={`${table.id} ${view.from} ${String(isNewestFirst)}`}
        height={Math.max(0, height - headHeight)}
        onSort={chosen.sortBy}
        hasFilters={chosen.hasFilters}
        onFilter={chosen.filterBy}
      />
    </section>
  );
}

interface NoteProps {
  readonly view: TablePage;
  readonly table: PanelTable;
  readonly width: number;
  readonly download: TableDownload;
  /** How many rows a download has, if that is known. */
  readonly wantedRows: number | undefined;
  /** What was just copied. */
  readonly copied: string | undefined;
}

function Note({ view, table, width, download, wantedRows, copied }: NoteProps): React.ReactElement | null {
  const styles = useStyles2(getStyles);
  const { progress, problem, cancel } = download;
  if (progress !== undefined) {
    return (
      <>
        <span className={styles.note}>{describeProgress(progress, wantedRows)}</span>
        <Button size="sm" variant="secondary" fill="text" onClick={cancel}>
          Cancel
        </Button>
      </>
    );
  }
  const rows = { rows: view.page.rows.length, loadedRows: table.rowCount, totalRows: table.totalRows };
  const described = problem === undefined ? describePage({ ...view, ...rows }) : `The download failed: ${problem}`;
  const text = copied ?? described;
  if (width < ROOM_FOR_WORDS_PX) return null;
  return (
    <>
      <span className={styles.note} title={text} role="status" data-testid="joblens-table-note">
        {text}
      </span>
      {view.newer !== undefined && (
        <Button size="sm" variant="secondary" fill="text" icon="sync" onClick={view.newer.sortAgain}>
          {`${formatCount(view.newer.rows)} newer`}
        </Button>
      )}
    </>
  );
}

function describeProgress(rows: number, wantedRows: number | undefined): string {
  if (wantedRows === undefined) return `Reading rows: ${formatCount(rows)} so far`;
  return `Reading ${formatCount(rows)} of ${formatCount(Math.max(rows, wantedRows))} rows`;
}

function getStyles(grafanaTheme: GrafanaTheme2): Record<'view' | 'bar' | 'space' | 'note', string> {
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
