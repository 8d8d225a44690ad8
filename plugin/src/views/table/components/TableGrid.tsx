import { css, cx } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { useStyles2 } from '@grafana/ui';
import { useVirtualizer } from '@tanstack/react-virtual';
import React, { useEffect, useRef } from 'react';
import type { HoverHub } from '../../parts/hover.js';
import type { PanelTable } from '../../parts/components/tables.js';
import { readTheme } from '../../parts/panel-theme.js';
import { splitHeader, type CellColumn } from '../model/cell.js';
import type { RowChoice } from '../model/column-filter.js';
import type { Page } from '../model/row-order.js';
import { isRowClick, useRowHub } from '../hooks/use-row-hub.js';
import { useWholeRows } from '../../parts/hooks/use-whole-rows.js';
import { type RowSelection, SELECTION_CH, SelectAllCell, SelectCell } from './SelectionCells.js';

interface TableGridProps {
  readonly table: PanelTable;
  readonly columns: readonly CellColumn[];
  readonly page: Page;
  readonly width: number;
  readonly height: number;
  readonly hub: HoverHub;
  /** The view starts at the top again when this changes. */
  readonly resetKey: string;
  readonly choice: RowChoice;
  readonly onSort: (column: string) => void;
  /** Fields above the columns to filter by. */
  readonly hasFilters: boolean;
  readonly onFilter: (column: string, text: string) => void;
  /** Check boxes before the columns. */
  readonly selection?: RowSelection | undefined;
}

const ROW_HEIGHT_PX = 26;
const OVERSCAN_ROWS = 10;
const CELL_PADDING_CH = 2.5;
const SCROLLBAR_PX = 16;
/** Digits of one width are wider than the 0 that `ch` measures in some fonts. */
const CH_FACTOR = 1.1;

function measureColumn(widthCh: number): number {
  return widthCh * CH_FACTOR + CELL_PADDING_CH;
}

/** Columns with texts that are cut share the room that the table leaves. */
function createColumnWidths(columns: readonly CellColumn[], totalCh: number, widthPx: number): string[] {
  const cut = columns.filter(({ widthCh, wantedCh }) => wantedCh > widthCh).length;
  const share = `max(0px, ${widthPx - SCROLLBAR_PX}px - ${totalCh}ch) / ${Math.max(1, cut)}`;
  return columns.map(({ widthCh, wantedCh }) => {
    const least = `${measureColumn(widthCh)}ch`;
    return wantedCh > widthCh ? `min(${measureColumn(wantedCh)}ch, calc(${least} + ${share}))` : least;
  });
}

type ColumnWidthsProps = Pick<TableGridProps, 'columns' | 'width' | 'selection'> & { readonly widthCh: number };

function ColumnWidths({ columns, widthCh, width, selection }: ColumnWidthsProps): React.ReactElement {
  return (
    <colgroup>
      {selection && <col style={{ width: `${SELECTION_CH}ch` }} />}
      {createColumnWidths(columns, widthCh, width).map((each, index) => (
        <col key={index} style={{ width: each }} />
      ))}
      <col />
    </colgroup>
  );
}

/** One page as a real table: sticky header, widths fixed for the page, only the rows in sight in the document. */
export function TableGrid(props: TableGridProps): React.ReactElement {
  const { table, columns, page, width, height, hub, resetKey, selection } = props;
  const styles = useStyles2(getStyles);
  const container = useRef<HTMLDivElement>(null);
  const { hovered, hover, select } = useRowHub(table, hub);
  const virtualizer = useVirtualizer<HTMLDivElement, HTMLTableRowElement>({
    count: page.rows.length,
    getScrollElement: () => container.current,
    estimateSize: () => ROW_HEIGHT_PX,
    overscan: OVERSCAN_ROWS,
    initialRect: { width, height },
    // The rows of a scroll may come one frame later; a flush within a layout effect is an error in React 17.
    useFlushSync: false,
  });
  useEffect(() => virtualizer.scrollToOffset(0), [virtualizer, resetKey]);
  const wholePx = useWholeRows(container, page.rows.length, height, ROW_HEIGHT_PX);
  const widthCh = columns.reduce((sum, column) => sum + measureColumn(column.widthCh), selection ? SELECTION_CH : 0);
  const span = columns.length + (selection === undefined ? 1 : 2);
  const items = virtualizer.getVirtualItems();
  const belowPx = virtualizer.getTotalSize() - (items[items.length - 1]?.end ?? 0);
  return (
    <div
      ref={container}
      className={styles.scroll}
      style={{ width, height: wholePx }}
      tabIndex={0}
      role="region"
      aria-label="Rows"
      onMouseLeave={() => hover(-1)}
    >
      <table className={styles.table} style={{ width: `max(100%, ${widthCh}ch)` }} aria-rowcount={page.rows.length + 1}>
        <ColumnWidths {...{ columns, widthCh, width, selection }} />
        <Header {...props} />
        <tbody>
          <Spacer height={items[0]?.start ?? 0} span={span} />
          {items.map(({ index }) => {
            const row = page.rows[index];
            if (row === undefined) return null;
            return (
              <tr
                key={row}
                aria-rowindex={index + 2}
                className={cx(styles.row, row === hovered && styles.hovered, select && styles.clickable)}
                onMouseEnter={() => hover(row)}
                onClick={(event) => isRowClick(event) && select?.(row)}
                data-testid="joblens-table-row"
              >
                {selection && <SelectCell {...{ selection, row }} />}
                <Cells columns={columns} row={row} />
              </tr>
            );
          })}
          <Spacer height={belowPx} span={span} />
        </tbody>
      </table>
    </div>
  );
}

function Header(props: TableGridProps): React.ReactElement {
  const { columns, hasFilters, choice, onFilter, selection } = props;
  const styles = useStyles2(getStyles);
  const headers = useStyles2(getHeaderStyles);
  return (
    <thead>
      <tr aria-rowindex={1}>
        {selection && <SelectAllCell selection={selection} className={styles.head} />}
        {columns.map((column, index) => (
          <HeaderCell key={index} {...props} column={column} />
        ))}
        <th className={styles.head} aria-hidden="true" />
      </tr>
      {hasFilters && (
        <tr>
          {selection && <td className={headers.filterCell} aria-hidden="true" />}
          {columns.map(({ name, title, isNumeric }, index) => (
            <td key={index} className={headers.filterCell}>
              {name !== undefined && (
                <input
                  className={headers.filter}
                  aria-label={`Filter ${title}`}
                  placeholder={isNumeric ? '>0.5' : 'text'}
                  title="Numbers: >0.5, 0.1..0.5, =3, !=3. Texts: a part in any case, =text, !=text. NaN: =NaN"
                  value={choice.filters.get(name) ?? ''}
                  onChange={({ currentTarget }) => onFilter(name, currentTarget.value)}
                />
              )}
            </td>
          ))}
          <td className={headers.filterCell} aria-hidden="true" />
        </tr>
      )}
    </thead>
  );
}

/** A click sorts by the column: falling, rising, not at all. */
function HeaderCell({ column, choice, onSort }: TableGridProps & { readonly column: CellColumn }): React.ReactElement {
  const styles = useStyles2(getStyles);
  const headers = useStyles2(getHeaderStyles);
  const { name, title, isNumeric } = column;
  const { sort } = choice;
  const isSorted = name !== undefined && sort?.column === name;
  const words = splitHeader(title).map((part, place) => (
    <React.Fragment key={place}>
      {place > 0 && <wbr />}
      {part}
    </React.Fragment>
  ));
  return (
    <th
      scope="col"
      className={cx(styles.head, isNumeric && styles.number)}
      title={title}
      {...(isSorted && { 'aria-sort': sort.isDescending ? 'descending' : 'ascending' })}
    >
      {name === undefined ? (
        words
      ) : (
        <button type="button" className={cx(headers.sort, isNumeric && styles.number)} onClick={() => onSort(name)}>
          {words}
          {isSorted && <span aria-hidden="true" className={sort.isDescending ? headers.falling : headers.rising} />}
        </button>
      )}
    </th>
  );
}

const Cells = React.memo(function Cells({
  columns,
  row,
}: {
  columns: readonly CellColumn[];
  row: number;
}): React.ReactElement {
  const styles = useStyles2(getStyles);
  return (
    <>
      {columns.map((column, index) => {
        const { text, title } = column.readCell(row);
        const link = column.readLink(row);
        return (
          <td key={index} className={cx(styles.cell, column.isNumeric && styles.number)} title={title}>
            {link === undefined ? (
              text
            ) : (
              <a href={link.href} target={link.target} rel="noreferrer" className={styles.link}>
                {text}
              </a>
            )}
          </td>
        );
      })}
      <td className={styles.cell} aria-hidden="true" />
    </>
  );
});

function Spacer({ height, span }: { height: number; span: number }): React.ReactElement | null {
  if (height <= 0) return null;
  return (
    <tr aria-hidden="true">
      <td colSpan={span} style={{ height, padding: 0 }} />
    </tr>
  );
}

type StyleName = 'scroll' | 'table' | 'head' | 'row' | 'clickable' | 'hovered' | 'cell' | 'number' | 'link';

function getStyles(grafanaTheme: GrafanaTheme2): Record<StyleName, string> {
  const theme = readTheme(grafanaTheme);
  return {
    scroll: css({ overflow: 'auto', outlineOffset: -2, overscrollBehavior: 'contain' }),
    table: css({
      tableLayout: 'fixed',
      borderCollapse: 'separate',
      borderSpacing: 0,
      fontSize: theme.typography.bodySmall.fontSize,
      fontVariantNumeric: 'tabular-nums',
    }),
    head: css({
      position: 'sticky',
      top: 0,
      zIndex: 1,
      padding: '4px 1ch',
      background: theme.colors.background.secondary,
      borderBottom: `1px solid ${theme.colors.border.medium}`,
      color: theme.colors.text.primary,
      fontWeight: theme.typography.fontWeightMedium,
      lineHeight: 1.25,
      textAlign: 'left',
      verticalAlign: 'bottom',
      overflowWrap: 'anywhere',
    }),
    row: css({ height: ROW_HEIGHT_PX }),
    clickable: css({ cursor: 'pointer' }),
    hovered: css({ background: theme.colors.action.hover }),
    cell: css({
      height: ROW_HEIGHT_PX,
      padding: '0 1ch',
      borderBottom: `1px solid ${theme.colors.border.weak}`,
      overflow: 'hidden',
      textOverflow: 'ellipsis',
      whiteSpace: 'nowrap',
    }),
    number: css({ textAlign: 'right' }),
    link: css({ color: theme.colors.text.link, '&:hover': { textDecoration: 'underline' } }),
  };
}

function getHeaderStyles(
  grafanaTheme: GrafanaTheme2
): Record<'sort' | 'falling' | 'rising' | 'filterCell' | 'filter', string> {
  const theme = readTheme(grafanaTheme);
  return {
    sort: css({
      border: 'none',
      background: 'none',
      padding: 0,
      font: 'inherit',
      lineHeight: 'inherit',
      textAlign: 'inherit',
      overflowWrap: 'anywhere',
      '&:hover': { color: theme.colors.text.link },
    }),
    falling: css({ '&::after': { content: '" ↓"', color: theme.colors.text.link } }),
    rising: css({ '&::after': { content: '" ↑"', color: theme.colors.text.link } }),
    filterCell: css({ padding: '2px 4px', background: theme.colors.background.secondary }),
    filter: css({
      width: '100%',
      height: 22,
      padding: '0 4px',
      border: `1px solid ${theme.colors.border.medium}`,
      borderRadius: 2,
      background: theme.colors.background.primary,
      color: theme.colors.text.primary,
      fontSize: 'inherit',
    }),
  };
}
