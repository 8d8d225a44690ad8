import { css } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { useStyles2 } from '@grafana/ui';
import React from 'react';
import { readTheme } from '../../parts/panel-theme.js';
import type { LegendEntry, LegendLine } from '../model/plot/legend-entries.js';
import { LegendItem, type LegendEvents } from './LegendItem.js';
import {
  formatLineValue,
  nextSort,
  sortLines,
  summariseLine,
  SUMMARY_COLUMNS,
  type LegendSort,
  type SummaryColumn,
} from '../model/lines/line-summary.js';

interface LegendListProps extends LegendEvents {
  readonly entries: readonly LegendEntry[];
  /** Beside the graph, one name below the other. */
  readonly isColumn?: boolean;
}

/** Names beside each other. */
export function LegendList({ entries, isColumn = false, ...events }: LegendListProps): React.ReactElement {
  const styles = useStyles2(getStyles);
  return (
    <div className={isColumn ? styles.column : styles.list} data-testid="joblens-legend">
      {entries.map((entry) => (
        <LegendItem key={entry.name} entry={entry} {...events} />
      ))}
    </div>
  );
}

interface LegendTableProps extends LegendEvents {
  readonly lines: readonly LegendLine[];
  readonly sort: LegendSort | undefined;
  readonly onSort: (sort: LegendSort | undefined) => void;
}

const HEADS: Readonly<Record<SummaryColumn | 'name', string>> = { name: 'Name', last: 'Last', min: 'Min', max: 'Max' };

function readAriaSort(sort: LegendSort | undefined, column: LegendSort['column']): React.AriaAttributes['aria-sort'] {
  if (sort?.column !== column) return 'none';
  return sort.isDescending ? 'descending' : 'ascending';
}

/** The names of lines with their last, lowest and highest value, to be sorted by any of them. */
export function LegendTable({ lines, sort, onSort, ...events }: LegendTableProps): React.ReactElement {
  const styles = useStyles2(getStyles);
  return (
    <div className={styles.scroll}>
      <table className={styles.table} data-testid="joblens-legend" aria-label="Legend">
        <thead>
          <tr>
            {(['name', ...SUMMARY_COLUMNS] as const).map((column) => (
              <th key={column} aria-sort={readAriaSort(sort, column)} className={styles.head} scope="col">
                <button type="button" className={styles.sort} onClick={() => onSort(nextSort(sort, column))}>
                  {HEADS[column]}
                  {sort?.column === column && (sort.isDescending ? ' ↓' : ' ↑')}
                </button>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {sortLines(lines, sort).map((line) => (
            <tr key={line.model.name} className={styles.row}>
              <td className={styles.name}>
                <LegendItem entry={line} {...events} />
              </td>
              {SUMMARY_COLUMNS.map((column) => (
                <td key={column} className={styles.value}>
                  {formatLineValue(line.model, summariseLine(line.model)[column])}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

type StyleName = 'list' | 'column' | 'scroll' | 'table' | 'head' | 'sort' | 'row' | 'name' | 'value';

function getStyles(grafanaTheme: GrafanaTheme2): Record<StyleName, string> {
  const theme = readTheme(grafanaTheme);
  const cell = { padding: theme.spacing(0.25, 1), whiteSpace: 'nowrap' } as const;
  return {
    list: css({
      display: 'flex',
      flexWrap: 'wrap',
      gap: theme.spacing(0.25, 2),
      maxHeight: 66,
      overflowY: 'auto',
      padding: theme.spacing(0.25, 0.5),
    }),
    column: css({
      display: 'flex',
      flexDirection: 'column',
      gap: theme.spacing(0.25),
      height: '100%',
      overflowY: 'auto',
      padding: theme.spacing(0.25, 0.5, 0.25, 1),
    }),
    scroll: css({ overflow: 'auto', height: '100%', maxHeight: '100%' }),
    table: css({
      width: '100%',
      fontSize: theme.typography.bodySmall.fontSize,
      borderCollapse: 'collapse',
    }),
    head: css({
      position: 'sticky',
      top: 0,
      zIndex: 1,
      background: theme.colors.background.primary,
      textAlign: 'right',
      '&:first-child': { textAlign: 'left' },
      ...cell,
    }),
    sort: css({
      padding: 0,
      border: 'none',
      background: 'none',
      color: theme.colors.text.link,
      fontWeight: theme.typography.fontWeightMedium,
      '&:focus-visible': { outline: `2px solid ${theme.colors.text.link}`, outlineOffset: 1, borderRadius: 2 },
    }),
    row: css({ '&:hover': { background: theme.colors.action.hover } }),
    name: css({ ...cell, maxWidth: 0, width: '50%', overflow: 'hidden' }),
    value: css({ ...cell, textAlign: 'right', fontVariantNumeric: 'tabular-nums', color: theme.colors.text.secondary }),
  };
}
