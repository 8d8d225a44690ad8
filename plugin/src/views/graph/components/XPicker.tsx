import { css } from '@emotion/css';
import type { GrafanaTheme2, SelectableValue } from '@grafana/data';
import { Select, useStyles2 } from '@grafana/ui';
import React, { useMemo } from 'react';
import type { GraphModel } from '../model/lines/graphs.js';
import { formatXWish, listRunnersUp, listXOptions, type XOption, type XWish } from '../model/lines/x-choice.js';
import { readTheme } from '../../parts/panel-theme.js';
import { useSame } from '../../parts/hooks/use-same.js';

interface XPickerProps {
  readonly graph: GraphModel;
  readonly wish: XWish;
  readonly onChange: (wish: XWish) => void;
  /** The width of the whole toolbar. Without room, the reason is shown in the tooltip alone. */
  readonly roomPx: number;
}

/** In Grafana's units of 8 px; the menu is as wide as the field. */
const WIDE = 28;
const NARROW = 18;
const UNIT_PX = 8;
const LABEL_PX = 24;
const ROOM_FOR_WIDE_PX = 800;
const ROOM_FOR_REASON_PX = 760;
const REASON_PX = 18;

interface XSelectProps {
  readonly options: readonly XOption[];
  readonly chosen: string;
  readonly shownName: string;
  readonly reason: string;
  readonly width: number;
  readonly onChange: (wish: XWish) => void;
}

/** Rendered anew only where it changes: it costs more than the rest of the toolbar, at each refresh. */
const XSelect = React.memo(function XSelect(props: XSelectProps): React.ReactElement {
  const { options, chosen, shownName, reason, width, onChange } = props;
  const styles = useStyles2(getStyles);
  const items = options.map(({ wish, label, description }) => ({ value: formatXWish(wish), label, description }));
  const select = (item: SelectableValue<string>): void => {
    const option = options.find(({ wish }) => formatXWish(wish) === item.value);
    if (option !== undefined) onChange(option.wish);
  };
  return (
    <Select<string>
      aria-label={`X axis: ${shownName}, ${reason}`}
      className={styles.select}
      width={width}
      value={{ value: chosen, label: shownName }}
      options={items}
      onChange={select}
      menuShouldPortal
      isSearchable
    />
  );
});

/** "X: epoch — a column named epoch …", and the list to choose another. */
export function XPicker({ graph, wish, onChange, roomPx }: XPickerProps): React.ReactElement {
  const styles = useStyles2(getStyles);
  const options = useSame(useMemo(() => listXOptions(graph.tables), [graph.tables]));
  const shownName = graph.xKey ?? 'time';
  const chosen = graph.x.isAutomatic ? 'auto' : formatXWish(wish);
  const reason = graph.x.isAutomatic ? graph.x.reason : wish.isOfOptions ? 'set by the dashboard' : 'chosen by you';
  const runnersUp = useMemo(() => listRunnersUp(graph.tables, graph.xKey), [graph.tables, graph.xKey]);
  const others = runnersUp.length === 0 ? '' : `\nOther candidates: ${runnersUp.join(', ')}`;
  const hasReason = roomPx >= ROOM_FOR_REASON_PX;
  const units = roomPx >= ROOM_FOR_WIDE_PX ? WIDE : NARROW;
  return (
    <div
      className={styles.picker}
      style={hasReason ? { minWidth: units * UNIT_PX + LABEL_PX } : {}}
      data-testid="joblens-x-picker"
      data-x={shownName}
      title={`X: ${shownName} — ${reason}${others}`}
    >
      <span className={styles.label}>X:</span>
      <XSelect {...{ options, chosen, shownName, reason, onChange }} width={units} />
      {hasReason && (
        <span className={styles.reason}>
          <i />
          <span>{reason}</span>
        </span>
      )}
    </div>
  );
}

function getStyles(grafanaTheme: GrafanaTheme2): Record<'picker' | 'label' | 'select' | 'reason', string> {
  const theme = readTheme(grafanaTheme);
  return {
    picker: css({ display: 'flex', alignItems: 'center', gap: theme.spacing(0.75), minWidth: 0, flexShrink: 1000 }),
    label: css({ color: theme.colors.text.secondary, fontSize: theme.typography.bodySmall.fontSize }),
    select: css({ height: 24, minHeight: 24 }),
    reason: css({
      color: theme.colors.text.secondary,
      fontSize: theme.typography.bodySmall.fontSize,
      // Beside nothing of no width, it wraps to a line that is not shown where there is no room for all of it.
      display: 'flex',
      flexWrap: 'wrap',
      minWidth: 0,
      height: REASON_PX,
      lineHeight: `${REASON_PX}px`,
      overflow: 'hidden',
      whiteSpace: 'nowrap',
      '& > i': { width: 0, height: REASON_PX },
    }),
  };
}
