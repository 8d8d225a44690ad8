import { css } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { useStyles2 } from '@grafana/ui';
import React from 'react';
import { readTheme } from '../../parts/panel-theme.js';
import type { FactRow } from '../model/lines/facts.js';

const LINE_PX = 22;
const PADDING_PX = 8;
/** More lines are scrolled: the graphs are what one looks at. */
const MAX_LINES = 3;
/** What a letter is wide at most, what surrounds a fact, and how wide one is at most. */
const [LETTER_PX, FACT_GAP_PX, MAX_FACT_PX] = [7, 24, 360];

function countLines({ owner, facts }: FactRow, widthPx: number): number {
  let [lines, takenPx] = [1, owner.length * LETTER_PX];
  for (const { key, value } of facts) {
    const factPx = Math.min(MAX_FACT_PX, (key.length + value.length + 1) * LETTER_PX) + FACT_GAP_PX;
    const isNewLine = takenPx > 0 && takenPx + factPx > widthPx;
    lines += isNewLine ? 1 : 0;
    takenPx = isNewLine ? factPx : takenPx + factPx;
  }
  return lines;
}

/** The height that rows of facts take above the graphs. */
export function measureFacts(rows: readonly FactRow[], widthPx: number): number {
  if (rows.length === 0) return 0;
  const lines = rows.reduce((sum, row) => sum + countLines(row, widthPx), 0);
  return Math.min(MAX_LINES, lines) * LINE_PX + PADDING_PX;
}

interface FactsProps {
  readonly rows: readonly FactRow[];
  readonly heightPx: number;
}

/** What was printed once, as keys and values. */
export function Facts({ rows, heightPx }: FactsProps): React.ReactElement {
  const styles = useStyles2(getStyles);
  return (
    <div className={styles.box} style={{ height: heightPx }} tabIndex={0} role="group" aria-label="Printed once">
      {rows.map(({ id, owner, facts }) => (
        <div key={id} className={styles.row} data-testid="joblens-facts">
          {owner !== '' && <span className={styles.key}>{owner}</span>}
          <dl className={styles.row}>
            {facts.map(({ key, value }) => (
              <div key={key} className={styles.fact} title={`${key}: ${value}`}>
                <dt className={styles.key}>{key}</dt>
                <dd className={styles.value}>{value}</dd>
              </div>
            ))}
          </dl>
        </div>
      ))}
    </div>
  );
}

function getStyles(grafanaTheme: GrafanaTheme2): Record<'box' | 'row' | 'fact' | 'key' | 'value', string> {
  const theme = readTheme(grafanaTheme);
  return {
    box: css({ overflowY: 'auto', padding: theme.spacing(0.5, 0.5), fontSize: theme.typography.bodySmall.fontSize }),
    row: css({ display: 'flex', flexWrap: 'wrap', columnGap: FACT_GAP_PX, margin: 0 }),
    fact: css({
      display: 'flex',
      alignItems: 'baseline',
      gap: theme.spacing(0.75),
      height: LINE_PX,
      maxWidth: MAX_FACT_PX,
      lineHeight: `${LINE_PX}px`,
    }),
    key: css({
      flexShrink: 1,
      overflow: 'hidden',
      textOverflow: 'ellipsis',
      whiteSpace: 'nowrap',
      fontWeight: 400,
      lineHeight: `${LINE_PX}px`,
      color: theme.colors.text.secondary,
    }),
    value: css({
      margin: 0,
      minWidth: 0,
      overflow: 'hidden',
      textOverflow: 'ellipsis',
      whiteSpace: 'nowrap',
      fontVariantNumeric: 'tabular-nums',
    }),
  };
}
