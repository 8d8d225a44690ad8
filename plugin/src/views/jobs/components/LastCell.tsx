import { css, cx } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { useStyles2 } from '@grafana/ui';
import { formatNumber } from '@joblens/core/numbers/format-number';
import React from 'react';
import { readStateKind } from '../../../frames/state-kind.js';
import type { JobRow } from '../../parts/job-rows.js';
import { readReason } from '../../parts/job-state.js';
import { readTheme } from '../../parts/panel-theme.js';
import { SPARKLINE_MAX_PX, SPARKLINE_MIN_PX, Sparkline } from '../../parts/components/Sparkline.js';
import { estimateTextPx, fitValues } from '../model/fit-values.js';
import type { Trend } from '../model/trend.js';

interface LastCellProps {
  readonly row: JobRow;
  readonly trend: Trend | undefined;
  /** The width of a line. */
  readonly roomPx: number;
  /** A reason then takes as many lines as it needs. */
  readonly isBlock: boolean;
}

const GAP_PX = 12;
const PADDING_PX = 16;
/** Less is not worth looking at. */
const MIN_VALUES_PX = 90;
const SPARKLINE_SHARE = 0.2;

/** Why a job is in its state, and the last numbers that it printed: what has no room whole is in the title. */
export function LastCell({ row, trend, roomPx, isBlock }: LastCellProps): React.ReactElement | null {
  const styles = useStyles2(getStyles);
  const reason = readReason(row);
  const sharePx = roomPx * SPARKLINE_SHARE;
  const sparkPx = Math.round(Math.min(SPARKLINE_MAX_PX, Math.max(SPARKLINE_MIN_PX, sharePx)));
  const reasonPx = reason === undefined || isBlock ? 0 : estimateTextPx(reason) + GAP_PX;
  const valuesPx = roomPx - PADDING_PX - reasonPx - sparkPx - GAP_PX;
  const values = listValues(row, trend);
  if (reason === undefined && values.length === 0) return null;
  const hasValues = values.length > 0 && (reason === undefined || valuesPx >= MIN_VALUES_PX);
  return (
    <span className={cx(styles.parts, isBlock && styles.lines)}>
      {reason !== undefined && (
        <span
          title={reason}
          className={cx(
            readStateKind(row) === 'failed' ? styles.failure : styles.faint,
            isBlock ? styles.whole : styles.line
          )}
        >
          {reason}
        </span>
      )}
      {hasValues && (
        <>
          {trend !== undefined && (
            <Sparkline values={trend.values} widthPx={sparkPx} title={`${trend.key} of ${row.job}`} />
          )}
          <LastValues values={values} mainKey={trend?.key} roomPx={valuesPx} />
        </>
      )}
    </span>
  );
}

/** As the job printed them as metadata; else the last number that somebody drew of its log. */
function listValues({ lastValues, values }: JobRow, trend: Trend | undefined): readonly string[] {
  if (lastValues.length > 0) return lastValues;
  // A frame of an older page, or of a snapshot, has them as one text.
  if (values !== undefined) return [values];
  const last = trend?.values.at(-1);
  return trend === undefined || last === undefined ? [] : [`${trend.key} ${formatNumber(last)}`];
}

interface LastValuesProps {
  readonly values: readonly string[];
  readonly mainKey: string | undefined;
  readonly roomPx: number;
}

function LastValues({ values, mainKey, roomPx }: LastValuesProps): React.ReactElement {
  const styles = useStyles2(getStyles);
  const { shown, more } = fitValues(values, roomPx, mainKey);
  return (
    <span className={cx(styles.faint, styles.line)} title={values.join(', ')}>
      {shown.join(', ')}
      {more > 0 && `, +${more}`}
    </span>
  );
}

function getStyles(
  grafanaTheme: GrafanaTheme2
): Record<'parts' | 'lines' | 'line' | 'whole' | 'failure' | 'faint', string> {
  const theme = readTheme(grafanaTheme);
  const { colors, typography } = theme;
  const small = { fontSize: typography.bodySmall.fontSize };
  return {
    parts: css({ display: 'flex', alignItems: 'center', gap: GAP_PX, minWidth: 0 }),
    lines: css({ flexWrap: 'wrap', rowGap: theme.spacing(0.5) }),
    line: css({ minWidth: 0, overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' }),
    whole: css({ flexBasis: '100%', overflowWrap: 'anywhere' }),
    failure: css({ ...small, color: colors.error.text }),
    faint: css({ ...small, color: colors.text.secondary }),
  };
}
