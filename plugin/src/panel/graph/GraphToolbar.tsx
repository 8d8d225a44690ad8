import { css } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { Button, RadioButtonGroup, useStyles2 } from '@grafana/ui';
import React from 'react';
import type { GraphModel } from '../model/graphs.js';
import type { XWish } from '../model/x-choice.js';
import { readTheme } from '../panel-theme.js';
import { countUnloggable, type YScale } from './scale.js';
import { XPicker } from './XPicker.js';

export const TOOLBAR_HEIGHT_PX = 32;
const ROOM_FOR_REASON_PX = 640;
const ROOM_FOR_SCALE_PX = 360;

interface GraphToolbarProps {
  readonly graph: GraphModel;
  readonly width: number;
  readonly wish: XWish;
  readonly onWish: (wish: XWish) => void;
  readonly yScale: YScale;
  readonly onYScale: (scale: YScale) => void;
  readonly isZoomed: boolean;
  readonly onResetZoom: () => void;
}

const SCALES: readonly { readonly value: YScale; readonly label: string; readonly description: string }[] = [
  { value: 'linear', label: 'Linear', description: 'Linear scale' },
  { value: 'log', label: 'Log', description: 'Logarithmic scale: lines of very different size in one picture' },
  { value: 'share', label: '0–100%', description: 'Each line from its own lowest to its own highest value' },
];

function listNotes(graph: GraphModel, yScale: YScale): readonly string[] {
  const notes: string[] = [];
  const count = (value: number): string => value.toLocaleString('en-US');
  if (graph.totalRows > graph.shownRows) notes.push(`${count(graph.shownRows)} of ${count(graph.totalRows)} rows`);
  const left = yScale === 'log' ? countUnloggable(graph.lines) : 0;
  if (left > 0) notes.push(`${count(left)} values ≤ 0 not shown`);
  return notes;
}

export function GraphToolbar(props: GraphToolbarProps): React.ReactElement {
  const { graph, width, wish, onWish, yScale, onYScale, isZoomed, onResetZoom } = props;
  const styles = useStyles2(getStyles);
  const notes = listNotes(graph, yScale);
  return (
    <div className={styles.bar}>
      <XPicker graph={graph} wish={wish} onChange={onWish} showReason={width >= ROOM_FOR_REASON_PX} />
      <div className={styles.space} />
      {notes.map((note) => (
        <span key={note} className={styles.note} title={note}>
          {note}
        </span>
      ))}
      {isZoomed && (
        <Button size="sm" variant="secondary" fill="text" onClick={onResetZoom}>
          Reset zoom
        </Button>
      )}
      {width >= ROOM_FOR_SCALE_PX && (
        <div className={styles.scale} role="group" aria-label="Y scale" data-testid="joblens-y-scale">
          <RadioButtonGroup<YScale> size="sm" options={[...SCALES]} value={yScale} onChange={onYScale} />
        </div>
      )}
    </div>
  );
}

function getStyles(grafanaTheme: GrafanaTheme2): Record<'bar' | 'space' | 'note' | 'scale', string> {
  const theme = readTheme(grafanaTheme);
  return {
    bar: css({
      display: 'flex',
      alignItems: 'center',
      gap: theme.spacing(1),
      height: TOOLBAR_HEIGHT_PX,
      minWidth: 0,
      overflow: 'hidden',
    }),
    space: css({ flexGrow: 1 }),
    note: css({
      color: theme.colors.warning.text,
      fontSize: theme.typography.bodySmall.fontSize,
      overflow: 'hidden',
      textOverflow: 'ellipsis',
      whiteSpace: 'nowrap',
    }),
    scale: css({ flexShrink: 0 }),
  };
}
