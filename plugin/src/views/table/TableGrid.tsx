import { css, cx } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { useStyles2 } from '@grafana/ui';
import { useVirtualizer } from '@tanstack/react-virtual';
import React, { useEffect, useMemo, useRef, useState } from 'react';
import { findRowAt, type HoverHub } from '../parts/hover.js';
import type { PanelTable } from '../parts/tables.js';
import { readTheme } from '../parts/panel-theme.js';
import { splitHeader, type CellColumn } from './cell.js';
import type { Page } from './row-order.js';

interface TableGridProps {
  readonly table: PanelTable;
  readonly columns: readonly CellColumn[];
  readonly page: Page;
  readonly width: number;
  readonly height: number;
  readonly hub: HoverHub;
  /** The view starts at the top again when this changes. */
  readonly resetKey: string;
}

const ROW_HEIGHT_PX = 26;
const OVERSCAN_ROWS = 10;
const CELL_PADDING_CH = 2.5;
/** Digits of one width are wider than the 0 that `ch` measures in some fonts. */
const CH_FACTOR = 1.1;

function measureColumn({ widthCh }: CellColumn): number {
  return widthCh * CH_FACTOR + CELL_PADDING_CH;
}

/** The row under the mouse here, or the newest at the instant hovered elsewhere. */
function useHoveredRow(table: PanelTable, hub: HoverHub): [number, (row: number) => void] {
  const [hovered, setHovered] = useState(-1);
  const source = useMemo(() => ({}), []);
  const { timesMs } = table;
  useEffect(
    () =>
      hub.subscribe(source, (timeMs) => {
        setHovered(timeMs === undefined || timesMs === undefined ? -1 : findRowAt(timesMs, timeMs));
      }),
    [hub, source, timesMs]
  );
  const hover = (row: number): void => {
    setHovered(row);
    hub.publish(source, row < 0 ? undefined : timesMs?.[row]);
  };
  return [hovered, hover];
}

/** One page as a real table: sticky header, widths fixed for the page, only the rows in sight in the document. */
export function TableGrid(props: TableGridProps): React.ReactElement {
  const { table, columns, page, width, height, hub, resetKey } = props;
  const styles = useStyles2(getStyles);
  const container = useRef<HTMLDivElement>(null);
  const [hovered, hover] = useHoveredRow(table, hub);
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
  const widthCh = columns.reduce((sum, column) => sum + measureColumn(column), 0);
  const items = virtualizer.getVirtualItems();
  const belowPx = virtualizer.getTotalSize() - (items[items.length - 1]?.end ?? 0);
  return (
    <div
      ref={container}
      className={styles.scroll}
      style={{ width, height }}
      tabIndex={0}
      role="region"
      aria-label="Rows"
      onMouseLeave={() => hover(-1)}
    >
      <table className={styles.table} style={{ width: `max(100%, ${widthCh}ch)` }} aria-rowcount={page.rows.length + 1}>
        <colgroup>
          {columns.map((column, index) => (
            <col key={index} style={{ width: `${measureColumn(column)}ch` }} />
          ))}
          <col />
        </colgroup>
        <Header columns={columns} />
        <tbody>
          <Spacer height={items[0]?.start ?? 0} span={columns.length + 1} />
          {items.map(({ index }) => {
            const row = page.rows[index];
            if (row === undefined) return null;
            return (
              <tr
                key={row}
                aria-rowindex={index + 2}
                className={cx(styles.row, row === hovered && styles.hovered)}
                onMouseEnter={() => hover(row)}
                data-testid="joblens-table-row"
              >
                <Cells columns={columns} row={row} />
              </tr>
            );
          })}
          <Spacer height={belowPx} span={columns.length + 1} />
        </tbody>
      </table>
    </div>
  );
}

function Header({ columns }: { columns: readonly CellColumn[] }): React.ReactElement {
  const styles = useStyles2(getStyles);
  return (
    <thead>
      <tr aria-rowindex={1}>
        {columns.map((column, index) => (
          <th
            key={index}
            scope="col"
            className={cx(styles.head, column.isNumeric && styles.number)}
            title={column.title}
          >
            {splitHeader(column.title).map((part, place) => (
              <React.Fragment key={place}>
                {place > 0 && <wbr />}
                {part}
              </React.Fragment>
            ))}
          </th>
        ))}
        <th className={styles.head} aria-hidden="true" />
      </tr>
    </thead>
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

type StyleName = 'scroll' | 'table' | 'head' | 'row' | 'hovered' | 'cell' | 'number' | 'link';

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
