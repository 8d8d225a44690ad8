import { css } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { useStyles2 } from '@grafana/ui';
import React, { useMemo, useState } from 'react';
import { readTheme } from '../../parts/panel-theme.js';
import type { BarKeys } from '../hooks/use-bar-keys.js';
import type { Bars } from '../hooks/use-bars.js';
import { useFrame } from '../hooks/use-frame.js';
import type { ChartPoint, Marked } from '../hooks/gestures.js';
import { useGestures } from '../hooks/use-gestures.js';
import { type ChartBox, describeHit, findPointed, type PointedInput, usePointed } from '../hooks/use-pointed.js';
import type { TimeCursor } from '../hooks/use-time-cursor.js';
import type { ViewportControl } from '../hooks/use-viewport.js';
import { measureRows } from '../model/boxes.js';
import type { BarLook } from '../model/colours.js';
import { type ChartColours, HEAD_PX } from '../model/paint-chart.js';
import { toPx } from '../model/viewport.js';
import { GanttCanvas } from './GanttCanvas.js';
import { GanttTooltip } from './GanttTooltip.js';

interface GanttChartProps {
  readonly bars: Bars;
  readonly looks: readonly BarLook[];
  readonly colours: ChartColours;
  readonly control: ViewportControl;
  readonly cursor: TimeCursor;
  readonly keys: BarKeys;
  readonly area: React.RefObject<HTMLDivElement | null>;
  readonly gutterPx: number;
  readonly height: number;
  readonly timeZone: string;
  readonly presentMs: number;
  readonly label: string;
}

/** What the mouse is at, and what a click there does. */
function useMouse(props: GanttChartProps, input: PointedInput) {
  const { area, gutterPx, control, cursor, bars } = props;
  const [point, setPoint] = useState<ChartPoint | undefined>(undefined);
  const hover = (next: ChartPoint | undefined): void => {
    setPoint(next);
    cursor.point(next === undefined ? undefined : findPointed(next, { ...input, bars })?.timeMs);
  };
  const gestures = useGestures({
    ...{ area, gutterPx, control },
    onHover: hover,
    onClick: (clicked) => {
      hover(clicked);
      const timeMs = findPointed(clicked, input)?.timeMs;
      if (timeMs !== undefined) cursor.select(timeMs);
    },
  });
  return { point, gestures, hover, pointed: usePointed(point, input) };
}

/** The tooltip at the mouse, or beside the bar that the keyboard is at. */
function useTooltip(props: GanttChartProps, input: PointedInput) {
  const { keys, bars, area } = props;
  const mouse = useMouse(props, input);
  const boxes = bars.found ?? bars.boxes;
  const focused = keys.focused === undefined ? undefined : describeHit(boxes, keys.focused, input);
  const edge = area.current?.getBoundingClientRect();
  const beside =
    focused?.outline === undefined || edge === undefined
      ? undefined
      : { pageX: edge.left + focused.outline.left, pageY: edge.top + focused.outline.top + focused.outline.height };
  const isMouse = mouse.pointed !== undefined && mouse.gestures.marked === undefined;
  const onBlur = (): void => {
    keys.onBlur();
    mouse.hover(undefined);
  };
  return { ...mouse, onBlur, focused, shown: isMouse ? mouse.pointed : focused, at: isMouse ? mouse.point : beside };
}

/** The canvas, and above it the rows' scroll bar and what moves with the mouse. */
export function GanttChart(props: GanttChartProps): React.ReactElement {
  const { bars, looks, colours, control, keys, area, gutterPx, height, timeZone, presentMs, label } = props;
  const { viewport } = control;
  const [scrollPx, setScrollPx] = useState(0);
  const inFrame = useFrame();
  const styles = useStyles2(getStyles);
  const rowsPx = measureRows(bars.boxes);
  const heightPx = Math.max(0, height - HEAD_PX);
  const scroll = Math.max(0, Math.min(scrollPx, rowsPx - heightPx));
  const input = { bars, viewport, scrollPx: scroll, gutterPx, timeZone, presentMs };
  const { pointed, gestures, onBlur, focused, shown, at } = useTooltip(props, input);
  const chart = useMemo(
    () => ({
      ...{ boxes: bars.boxes, found: bars.found, saturation: bars.saturation, viewport, scrollPx: scroll, heightPx },
      ...{ looks, presentMs, gutterPx, timeZone, colours },
    }),
    [bars, viewport, scroll, heightPx, looks, presentMs, gutterPx, timeZone, colours]
  );
  const width = gutterPx + viewport.widthPx;
  return (
    <div
      className={styles.chart}
      style={{ height }}
      tabIndex={0}
      role="group"
      aria-label={`${label}. Arrow keys go from bar to bar, plus and minus zoom, Enter goes to the log.`}
      onKeyDown={keys.onKeyDown}
      onBlur={onBlur}
      data-testid="joblens-gantt"
    >
      <GanttCanvas chart={chart} label={label} />
      <div className={styles.overlay} style={{ width }}>
        <Cursor {...props} />
        <Outline box={pointed?.outline} className={styles.pointed} />
        <Outline box={focused?.outline} className={styles.focused} />
        <MarkedPart marked={gestures.marked} gutterPx={gutterPx} className={styles.marked} />
      </div>
      <div
        ref={area}
        className={styles.area}
        data-testid="joblens-gantt-area"
        onScroll={({ currentTarget }) => inFrame(() => setScrollPx(currentTarget.scrollTop))}
        {...gestures.handlers}
      >
        <div style={{ height: HEAD_PX + rowsPx }} />
      </div>
      <span className={styles.spoken} role="status">
        {focused?.content.rows.reduce((text, { name, value }) => `${text}, ${name} ${value}`, focused.content.title)}
      </span>
      {shown !== undefined && at !== undefined && (
        <GanttTooltip
          content={shown.content}
          colour={shown.nameAt === undefined ? undefined : looks[shown.nameAt]?.fill}
          pageX={at.pageX}
          pageY={at.pageY}
        />
      )}
    </div>
  );
}

/** The instant that all views point at. */
function Cursor({ cursor, control, gutterPx }: GanttChartProps): React.ReactElement | null {
  const styles = useStyles2(getStyles);
  const { viewport } = control;
  if (cursor.timeMs === undefined) return null;
  const leftPx = toPx(cursor.timeMs, viewport);
  if (leftPx < 0 || leftPx > viewport.widthPx) return null;
  return <div className={styles.cursor} style={{ left: gutterPx + leftPx }} data-testid="joblens-gantt-cursor" />;
}

interface OutlineProps {
  readonly box: ChartBox | undefined;
  readonly className: string;
}

function Outline({ box, className }: OutlineProps): React.ReactElement | null {
  return box === undefined ? null : <div className={className} style={{ ...box }} />;
}

interface MarkedPartProps {
  readonly marked: Marked | undefined;
  readonly gutterPx: number;
  readonly className: string;
}

function MarkedPart({ marked, gutterPx, className }: MarkedPartProps): React.ReactElement | null {
  if (marked === undefined) return null;
  const left = gutterPx + Math.max(0, marked.fromPx);
  return <div className={className} style={{ left, width: gutterPx + marked.toPx - left }} />;
}

type StyleName = 'chart' | 'overlay' | 'area' | 'cursor' | 'pointed' | 'focused' | 'marked' | 'spoken';

function getStyles(grafanaTheme: GrafanaTheme2): Record<StyleName, string> {
  const { colors } = readTheme(grafanaTheme);
  const box = { position: 'absolute', boxSizing: 'border-box', borderRadius: 2 } as const;
  return {
    chart: css({ position: 'relative', overflow: 'hidden', userSelect: 'none' }),
    overlay: css({ position: 'absolute', top: 0, bottom: 0, left: 0, overflow: 'hidden', pointerEvents: 'none' }),
    area: css({
      position: 'absolute',
      inset: 0,
      overflowX: 'hidden',
      overflowY: 'auto',
      scrollbarWidth: 'thin',
      cursor: 'crosshair',
      // A finger that moves sideways moves in time.
      touchAction: 'pan-y',
    }),
    cursor: css({ position: 'absolute', top: 0, bottom: 0, borderRight: `1px dashed ${colors.text.secondary}` }),
    pointed: css({ ...box, border: `1px solid ${colors.text.primary}` }),
    focused: css({ ...box, border: `2px solid ${colors.text.primary}` }),
    marked: css({ position: 'absolute', top: 0, bottom: 0, background: colors.action.selected }),
    spoken: css({ position: 'absolute', width: 1, height: 1, overflow: 'hidden', clipPath: 'inset(50%)' }),
  };
}
