import { css } from '@emotion/css';
import type { GrafanaTheme2, SelectableValue } from '@grafana/data';
import { Select, useStyles2 } from '@grafana/ui';
import React, { useMemo } from 'react';
import type { GraphModel } from './graphs.js';
import { formatXWish, listRunnersUp, listXOptions, type XWish } from './x-choice.js';
import { readTheme } from '../parts/panel-theme.js';

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
const ROOM_FOR_WIDE_PX = 800;
const ROOM_FOR_REASON_PX = 760;

/** "X: epoch — a column named epoch …", and the list to choose another. */
export function XPicker({ graph, wish, onChange, roomPx }: XPickerProps): React.ReactElement {
  const styles = useStyles2(getStyles);
  const options = useMemo(() => listXOptions(graph.tables), [graph.tables]);
  const items = options.map((option) => ({
    value: formatXWish(option.wish),
    label: option.label,
    description: option.description,
  }));
  const shownName = graph.xKey ?? 'time';
  const chosen = graph.x.isAutomatic ? 'auto' : formatXWish(wish);
  const reason = graph.x.isAutomatic ? graph.x.reason : 'chosen';
  const runnersUp = useMemo(() => listRunnersUp(graph.tables, graph.xKey), [graph.tables, graph.xKey]);
  const others = runnersUp.length === 0 ? '' : `\nOther candidates: ${runnersUp.join(', ')}`;
  const select = (item: SelectableValue<string>): void => {
    const option = options.find((candidate) => formatXWish(candidate.wish) === item.value);
    if (option !== undefined) onChange(option.wish);
  };
  return (
    <div
      className={styles.picker}
      data-testid="joblens-x-picker"
      data-x={shownName}
      title={`X: ${shownName} — ${reason}${others}`}
    >
      <span className={styles.label}>X:</span>
      <Select<string>
        aria-label={`X axis: ${shownName}, ${reason}`}
        className={styles.select}
        width={roomPx >= ROOM_FOR_WIDE_PX ? WIDE : NARROW}
        value={{ value: chosen, label: shownName }}
        options={items}
        onChange={select}
        menuShouldPortal
        isSearchable
      />
      {roomPx >= ROOM_FOR_REASON_PX && (
        <span className={styles.reason}>{reason === 'chosen' ? 'chosen by you' : reason}</span>
      )}
    </div>
  );
}

function getStyles(grafanaTheme: GrafanaTheme2): Record<'picker' | 'label' | 'select' | 'reason', string> {
  const theme = readTheme(grafanaTheme);
  return {
    picker: css({ display: 'flex', alignItems: 'center', gap: theme.spacing(0.75), minWidth: 0 }),
    label: css({ color: theme.colors.text.secondary, fontSize: theme.typography.bodySmall.fontSize }),
    select: css({ height: 24, minHeight: 24 }),
    reason: css({
      color: theme.colors.text.secondary,
      fontSize: theme.typography.bodySmall.fontSize,
      overflow: 'hidden',
      textOverflow: 'ellipsis',
      whiteSpace: 'nowrap',
    }),
  };
}
