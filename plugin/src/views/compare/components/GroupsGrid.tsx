import { css, cx } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { useStyles2 } from '@grafana/ui';
import { countOf } from '@joblens/core/words/counts';
import React from 'react';
import { readTheme } from '../../parts/panel-theme.js';
import type { GroupRow, GroupsTable } from '../model/groups.js';
import { DotStrip } from './DotStrip.js';

interface GroupsGridProps {
  readonly table: GroupsTable;
  readonly width: number;
}

/** Below it, the numbers of runs stand below the name, and other numbers are left out. */
const NARROW_PX = 640;

/** One row a group, the best first: its mean, each of its runs as a dot, and how far it is from the best. */
export function GroupsGrid({ table, width }: GroupsGridProps): React.ReactElement {
  const styles = useStyles2(getStyles);
  const { rows, metric, otherMetrics, by = '' } = table;
  const isNarrow = width < NARROW_PX;
  const points = rows.flatMap((row) => row.points);
  const range = [Math.min(...points), Math.max(...points)] as const;
  return (
    <table className={styles.table}>
      <thead>
        <tr>
          <th scope="col">{by.replace(/^(?:config|tag)\./, '')}</th>
          {!isNarrow && (
            <th scope="col" className={styles.number}>
              runs
            </th>
          )}
          <th scope="col" className={styles.number}>
            {metric}
          </th>
          <th scope="col" className={styles.dots}>
            each run
          </th>
          <th scope="col">from the best</th>
          {!isNarrow &&
            otherMetrics.map((name) => (
              <th key={name} scope="col" className={styles.number}>
                {name}
              </th>
            ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, at) => (
          <tr key={row.name} data-testid="joblens-group">
            <th scope="row" className={styles.name}>
              {row.name}
              {isNarrow && <div className={styles.note}>{countRuns(row)}</div>}
            </th>
            {!isNarrow && <td className={styles.number}>{countRuns(row)}</td>}
            <td className={styles.number}>{row.mean ?? '–'}</td>
            <td className={styles.dots}>
              <DotStrip points={row.points} mean={row.meanValue} range={range} />
            </td>
            <td className={cx(row.behind === undefined && styles.note)} title={row.verdict}>
              {row.behind ?? (at === 0 && rows.length > 1 && row.mean !== undefined ? 'the best' : '–')}
            </td>
            {!isNarrow &&
              row.others.map((text, column) => (
                <td key={column} className={styles.number}>
                  {text ?? '–'}
                </td>
              ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function countRuns({ runs, seeds }: GroupRow): string {
  return seeds === undefined || seeds === runs ? String(runs) : `${runs} (${countOf(seeds, 'seed')})`;
}

function getStyles(grafanaTheme: GrafanaTheme2): Record<'table' | 'name' | 'number' | 'dots' | 'note', string> {
  const theme = readTheme(grafanaTheme);
  const { colors, typography } = theme;
  return {
    table: css({
      borderCollapse: 'collapse',
      fontSize: typography.bodySmall.fontSize,
      fontVariantNumeric: 'tabular-nums',
      'th, td': { padding: '4px 1ch', textAlign: 'left', borderBottom: `1px solid ${colors.border.weak}` },
      thead: { th: { color: colors.text.secondary, fontWeight: typography.fontWeightMedium, whiteSpace: 'nowrap' } },
    }),
    name: css({ fontWeight: typography.fontWeightMedium, maxWidth: '28ch', overflowWrap: 'anywhere' }),
    number: css({ 'table &': { textAlign: 'right', whiteSpace: 'nowrap' } }),
    dots: css({ width: '22%', minWidth: 80, maxWidth: 320 }),
    note: css({ color: colors.text.secondary, fontWeight: 'normal' }),
  };
}
