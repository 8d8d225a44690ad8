import { css, cx } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { useStyles2, useTheme2 } from '@grafana/ui';
import React, { useMemo, useRef, useState } from 'react';
import { useWholeRows } from '../../parts/hooks/use-whole-rows.js';
import { readTheme } from '../../parts/panel-theme.js';
import { CELL_CH, type DiffRow, type DiffTable, groupRows } from '../model/diff-table.js';

interface DiffGridProps {
  readonly table: DiffTable;
  readonly height: number;
}

const ROW_HEIGHT_PX = 28;

/** One row a fact and one column a job; the names of facts and jobs stay in sight. */
export function DiffGrid({ table, height }: DiffGridProps): React.ReactElement {
  const styles = useStyles2(getStyles);
  const groups = useMemo(() => groupRows(table.rows), [table.rows]);
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  const toggle = (what: string): void => {
    const next = new Set(opened);
    if (!next.delete(what)) next.add(what);
    setOpened(next);
  };
  const container = useRef<HTMLDivElement>(null);
  const wholePx = useWholeRows(container, groups.length + table.rows.length, height, ROW_HEIGHT_PX);
  return (
    <div
      ref={container}
      className={styles.scroll}
      style={{ height: wholePx }}
      tabIndex={0}
      role="region"
      aria-label="Facts"
    >
      <table className={styles.table}>
        <thead>
          <tr>
            <td className={cx(styles.head, styles.name)} />
            {table.jobs.map((job) => (
              <th key={job} scope="col" className={styles.head} title={job}>
                {job}
              </th>
            ))}
          </tr>
        </thead>
        {groups.map(([risk, rows]) => (
          <tbody key={risk}>
            <tr>
              <th scope="rowgroup" className={cx(styles.name, styles.risk)}>
                {risk}
              </th>
              <td colSpan={table.jobs.length} className={styles.rest} aria-hidden="true" />
            </tr>
            {rows.map((row) => (
              <FactLine key={row.what} row={row} isOpen={opened.has(row.what)} onToggle={() => toggle(row.what)} />
            ))}
          </tbody>
        ))}
      </table>
    </div>
  );
}

interface FactLineProps {
  readonly row: DiffRow;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
}

function FactLine({ row, isOpen, onToggle }: FactLineProps): React.ReactElement {
  const styles = useStyles2(getStyles);
  const { visualization } = readTheme(useTheme2());
  const { palette } = visualization;
  const { what, differs, cells, marks, isLong } = row;
  return (
    <tr className={differs ? undefined : styles.equal} data-testid="joblens-fact">
      <th scope="row" className={cx(styles.name, styles.fact)} title={what}>
        {isLong ? (
          <button type="button" className={styles.open} aria-expanded={isOpen} onClick={onToggle}>
            {what} <span aria-hidden="true">{isOpen ? '▾' : '▸'}</span>
          </button>
        ) : (
          what
        )}
      </th>
      {cells.map((cell, at) => {
        const mark = marks[at];
        const name = mark === undefined ? undefined : palette[mark % palette.length];
        return (
          <td
            key={at}
            className={cx(styles.cell, isOpen && styles.whole, differs && styles.different)}
            style={name === undefined ? undefined : tint(visualization.getColorByName(name))}
            title={cell}
          >
            {cell ?? '–'}
          </td>
        );
      })}
    </tr>
  );
}

/** Behind the words, so that they keep their contrast. */
function tint(colour: string): React.CSSProperties {
  return {
    background: `color-mix(in srgb, ${colour} 18%, transparent)`,
    boxShadow: `inset 3px 0 ${colour}`,
  };
}

const CUT = { overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' } as const;

type StyleName =
  'scroll' | 'table' | 'head' | 'name' | 'risk' | 'rest' | 'fact' | 'open' | 'cell' | 'whole' | 'different' | 'equal';

function getStyles(grafanaTheme: GrafanaTheme2): Record<StyleName, string> {
  const theme = readTheme(grafanaTheme);
  const { colors, typography } = theme;
  return {
    scroll: css({ overflow: 'auto', outlineOffset: -2, overscrollBehavior: 'contain' }),
    table: css({
      borderCollapse: 'separate',
      borderSpacing: 0,
      fontSize: typography.bodySmall.fontSize,
      fontVariantNumeric: 'tabular-nums',
      'tbody > tr': { height: ROW_HEIGHT_PX },
    }),
    head: css({
      position: 'sticky',
      top: 0,
      zIndex: 1,
      maxWidth: `${CELL_CH + 2}ch`,
      padding: '4px 1ch',
      background: colors.background.secondary,
      borderBottom: `1px solid ${colors.border.medium}`,
      fontWeight: typography.fontWeightMedium,
      textAlign: 'left',
      ...CUT,
    }),
    // On a phone, a column of names leaves room for two jobs.
    name: css({
      position: 'sticky',
      left: 0,
      zIndex: 2,
      maxWidth: 'min(34ch, 38vw)',
      padding: '4px 1ch',
      background: colors.background.secondary,
      textAlign: 'left',
      ...CUT,
    }),
    risk: css({ color: colors.text.secondary, fontWeight: typography.fontWeightMedium }),
    rest: css({ background: colors.background.secondary }),
    fact: css({
      background: colors.background.primary,
      borderBottom: `1px solid ${colors.border.weak}`,
      fontWeight: 'normal',
      paddingLeft: '2ch',
    }),
    open: css({
      padding: 0,
      border: 'none',
      background: 'none',
      font: 'inherit',
      '&:hover': { color: colors.text.link },
    }),
    cell: css({
      maxWidth: `${CELL_CH + 2}ch`,
      padding: '4px 1ch',
      borderBottom: `1px solid ${colors.border.weak}`,
      ...CUT,
    }),
    whole: css({ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }),
    different: css({ fontWeight: typography.fontWeightMedium }),
    equal: css({ 'th, td': { color: colors.text.secondary } }),
  };
}
