import { css, cx } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { useStyles2 } from '@grafana/ui';
import { useVirtualizer, type Virtualizer } from '@tanstack/react-virtual';
import { formatJobKey } from '@joblens/core/ask/heartbeats/find-jobs';
import React, { useEffect, useMemo, useRef } from 'react';
import type { JobRow } from '../../parts/job-rows.js';
import { readTheme } from '../../parts/panel-theme.js';
import { type JobsColumn, layOutJobs } from '../model/job-columns.js';
import type { JobsOrder } from '../../../frames/job-order.js';
import { JobLine, TARGET_PX } from './JobLine.js';
import type { Trend } from '../model/trend.js';
import type { ComparedJobs } from '../hooks/use-compared-jobs.js';
import type { ChosenFacets } from '../hooks/use-facets.js';

interface JobsTableProps {
  /** In the order to show. */
  readonly rows: readonly JobRow[];
  readonly width: number;
  readonly timeZone: string;
  readonly order: JobsOrder | undefined;
  readonly onOrder: (order: JobsOrder | undefined) => void;
  readonly onDetails: (rowKey: string) => void;
  readonly trends: ReadonlyMap<string, Trend>;
  readonly facets: Pick<ChosenFacets, 'chosen' | 'facetsOf'>;
  readonly compared: ComparedJobs;
  /** Told which jobs are in the document. */
  readonly onVisible: (rows: readonly JobRow[]) => void;
}

const ROW_HEIGHT_PX = 40;
const HEAD_HEIGHT_PX = 37;
/** A guess, until a block is measured. */
const BLOCK_HEIGHT_PX = 104;
const OVERSCAN_ROWS = 12;

/** Only the jobs in sight are in the document. */
export function JobsTable(props: JobsTableProps): React.ReactElement {
  const { rows, width, timeZone, order, trends, compared, onOrder, onDetails, onVisible } = props;
  const { chosen, facetsOf } = props.facets;
  const styles = useStyles2(getStyles);
  const layout = useMemo(() => layOutJobs(width, chosen), [width, chosen]);
  const { isTable, columns } = layout;
  const container = useRef<HTMLDivElement>(null);
  const virtualizer = useLines(rows, width, isTable, container);
  const items = virtualizer.getVirtualItems();
  const [first, last] = [items[0]?.index ?? 0, items.at(-1)?.index ?? 0];
  useEffect(() => onVisible(rows.slice(first, last + 1)), [rows, first, last, onVisible]);
  const before = items[0]?.start ?? 0;
  const after = virtualizer.getTotalSize() - (items.at(-1)?.end ?? 0);
  return (
    <div className={styles.room}>
      <div
        ref={container}
        className={cx(styles.scroll, isTable && styles.wholeRows)}
        tabIndex={0}
        role="region"
        aria-label="List of jobs"
      >
        <table
          className={cx(styles.table, isTable ? styles.lines : styles.blocks)}
          style={isTable ? { minWidth: layout.tablePx } : undefined}
          role="table"
          aria-rowcount={rows.length + 1}
        >
          <Head {...{ columns, order, onOrder }} />
          <tbody role="rowgroup">
            <Gap height={before} columns={columns.length} />
            {items.map((item) => {
              const row = rows[item.index];
              return (
                row && (
                  <JobLine
                    key={item.key}
                    lineRef={isTable ? undefined : virtualizer.measureElement}
                    index={item.index}
                    {...{ row, timeZone, layout }}
                    trend={trends.get(formatJobKey(row))}
                    facets={facetsOf(row)}
                    isCompared={compared.isChosen(row)}
                    onCompared={() => compared.toggle(row)}
                    onDetails={() => onDetails(formatJobKey(row))}
                  />
                )
              );
            })}
            <Gap height={after} columns={columns.length} />
          </tbody>
        </table>
      </div>
    </div>
  );
}

/** The jobs in sight: lines of a table are all as high, blocks are measured. */
function useLines(
  rows: readonly JobRow[],
  width: number,
  isTable: boolean,
  container: React.RefObject<HTMLDivElement | null>
): Virtualizer<HTMLDivElement, HTMLTableRowElement> {
  return useVirtualizer<HTMLDivElement, HTMLTableRowElement>({
    count: rows.length,
    getScrollElement: () => container.current,
    estimateSize: () => (isTable ? ROW_HEIGHT_PX : BLOCK_HEIGHT_PX),
    getItemKey: (index) => {
      const row = rows[index];
      return row === undefined ? index : formatJobKey(row);
    },
    overscan: OVERSCAN_ROWS,
    initialRect: { width, height: 800 },
    useFlushSync: false,
  });
}

/** The widths of the columns, and their titles. */
function Head({
  columns,
  order,
  onOrder,
}: Pick<JobsTableProps, 'order' | 'onOrder'> & { readonly columns: readonly JobsColumn[] }): React.ReactElement {
  return (
    <>
      <colgroup>
        {columns.map(({ id, widthPx }) => (
          <col key={id} style={{ width: widthPx }} />
        ))}
      </colgroup>
      <thead role="rowgroup">
        <tr role="row">
          {columns.map(({ id, title, sort }) => (
            <HeadCell key={id} {...{ title, sort, order, onOrder }} />
          ))}
        </tr>
      </thead>
    </>
  );
}

/** In the place of the rows that are out of sight. */
function Gap({ height, columns }: { readonly height: number; readonly columns: number }): React.ReactElement | null {
  if (height <= 0) return null;
  return (
    <tr aria-hidden="true">
      <td colSpan={columns} style={{ height, padding: 0 }} />
    </tr>
  );
}

interface HeadCellProps {
  readonly title: string;
  readonly sort: JobsColumn['sort'];
  readonly order: JobsOrder | undefined;
  readonly onOrder: (order: JobsOrder | undefined) => void;
}

/** A first click sorts downwards, a second upwards, a third as before. */
function HeadCell({ title, sort, order, onOrder }: HeadCellProps): React.ReactElement {
  if (sort === undefined) {
    return (
      <th role="columnheader" scope="col">
        {title}
      </th>
    );
  }
  const isSorted = order?.key === sort;
  const next = !isSorted
    ? { key: sort, isDescending: true }
    : order.isDescending
      ? { key: sort, isDescending: false }
      : undefined;
  return (
    <th
      role="columnheader"
      scope="col"
      aria-sort={isSorted ? (order.isDescending ? 'descending' : 'ascending') : 'none'}
    >
      <button type="button" title={title} onClick={() => onOrder(next)}>
        {title}
        <span aria-hidden="true">{isSorted ? (order.isDescending ? ' ↓' : ' ↑') : ''}</span>
      </button>
    </th>
  );
}

const CUT = { overflow: 'hidden', textOverflow: 'ellipsis' } as const;

function getStyles(
  grafanaTheme: GrafanaTheme2
): Record<'room' | 'scroll' | 'wholeRows' | 'table' | 'lines' | 'blocks', string> {
  const theme = readTheme(grafanaTheme);
  const { colors, typography } = theme;
  return {
    room: css({ flexGrow: 1, minHeight: 0, containerType: 'size' }),
    scroll: css({ maxHeight: '100%', overflowX: 'auto', overflowY: 'auto' }),
    // No row is cut at the lower edge.
    wholeRows: css({
      maxHeight: `calc(${HEAD_HEIGHT_PX}px + round(down, 100cqh - ${HEAD_HEIGHT_PX}px, ${ROW_HEIGHT_PX}px))`,
    }),
    table: css({
      width: '100%',
      tableLayout: 'fixed',
      borderCollapse: 'separate',
      borderSpacing: 0,
      'th, td': { padding: theme.spacing(0.75, 1), textAlign: 'left', verticalAlign: 'middle' },
      th: {
        position: 'sticky',
        top: 0,
        zIndex: 1,
        background: colors.background.primary,
        borderBottom: `1px solid ${colors.border.medium}`,
        color: colors.text.secondary,
        fontSize: typography.bodySmall.fontSize,
        fontWeight: typography.fontWeightMedium,
        whiteSpace: 'nowrap',
      },
      'th button': {
        minWidth: TARGET_PX,
        minHeight: TARGET_PX,
        maxWidth: '100%',
        ...CUT,
        textAlign: 'left',
        padding: 0,
        border: 'none',
        background: 'none',
        color: 'inherit',
        font: 'inherit',
      },
      'th button:hover': { color: colors.text.primary },
    }),
    lines: css({
      'tbody > tr': { height: ROW_HEIGHT_PX },
      'th, tbody > tr > td': { ...CUT, whiteSpace: 'nowrap' },
      'th, tbody > tr > td:last-child': { overflow: 'visible' },
      'tbody > tr > td': { paddingTop: 0, paddingBottom: 0 },
    }),
    blocks: createBlocksStyle(theme),
  };
}

/** Each row is a block of its own where a table has no room. */
function createBlocksStyle(theme: ReturnType<typeof readTheme>): string {
  return css({
    display: 'block',
    'colgroup, thead': { display: 'none' },
    tbody: { display: 'block' },
    'tbody > tr': {
      display: 'flex',
      flexWrap: 'wrap',
      alignItems: 'center',
      columnGap: theme.spacing(1.5),
      padding: theme.spacing(1, 0.5),
      borderBottom: `1px solid ${theme.colors.border.weak}`,
    },
    'tbody > tr > td': { borderBottom: 'none', padding: theme.spacing(0.25, 0) },
    'tbody > tr > td:empty': { display: 'none' },
    'tbody > tr > td:last-child': { marginLeft: 'auto' },
  });
}
