import type { TimeRange } from '@grafana/data';
import { countOf, formatCount } from '@joblens/core/words/counts';
import React, { useMemo, useRef } from 'react';
import type { Extent } from '../../graph/model/scales/scale.js';
import type { HoverHub } from '../../parts/hover.js';
import { useBarKeys } from '../hooks/use-bar-keys.js';
import { useBars, useChartColours, useLooks } from '../hooks/use-bars.js';
import { usePresentMs } from '../hooks/use-present.js';
import { useTimeCursor } from '../hooks/use-time-cursor.js';
import { useViewport } from '../hooks/use-viewport.js';
import { measureRows } from '../model/boxes.js';
import { HEAD_PX, measureGutter } from '../model/paint-chart.js';
import type { RowChoice } from '../model/rows.js';
import type { SpansModel } from '../model/spans.js';
import { fitSpans } from '../model/viewport.js';
import { GanttChart } from './GanttChart.js';
import { GanttToolbar, TOOLBAR_PX } from './GanttToolbar.js';

export interface GanttViewProps {
  readonly model: SpansModel;
  readonly rows: RowChoice;
  readonly onRows: (rows: RowChoice) => void;
  readonly search: string;
  readonly onSearch: (search: string) => void;
  readonly width: number;
  readonly height: number;
  readonly timeZone: string;
  readonly timeRange: TimeRange;
  readonly onTimeRange: (range: Extent) => void;
  readonly jobKey: string;
  readonly hub: HoverHub;
}

/** Below this, titles are above the rows. */
const ROOM_FOR_GUTTER_PX = 560;
const SCROLL_BAR_PX = 12;

function describeCount(model: SpansModel, search: string, foundCount: number): readonly [full: string, short: string] {
  const { spans, hasFolds } = model;
  if (hasFolds) {
    const total = spans.reduce((sum, { fold }) => sum + (fold?.count ?? 1), 0);
    const full = 'Too many spans to draw each: the bands say how busy it was. Zoom in to see each.';
    return [full, `${formatCount(total)} folded`];
  }
  const all = countOf(spans.length, 'span');
  return search.trim() === '' ? [all, all] : [`${formatCount(foundCount)} of ${all}`, formatCount(foundCount)];
}

/** Bars in rows over time, with their toolbar. */
export function GanttView(props: GanttViewProps): React.ReactElement {
  const { model, rows, onRows, search, onSearch, width, height, timeZone, timeRange, onTimeRange, jobKey, hub } = props;
  const area = useRef<HTMLDivElement | null>(null);
  const hasTitlesAbove = width < ROOM_FOR_GUTTER_PX;
  const bars = useBars({ model, rows, search, hasTitlesAbove });
  const looks = useLooks(model, jobKey);
  const colours = useChartColours();
  const titles = useMemo(() => bars.boxes.map(({ row }) => row.titles.join(' · ')), [bars.boxes]);
  const gutterPx = hasTitlesAbove ? 0 : measureGutter(titles, width);
  const chartPx = height - TOOLBAR_PX;
  const isScrolled = measureRows(bars.boxes) > chartPx - HEAD_PX;
  const widthPx = Math.max(1, width - gutterPx - (isScrolled ? SCROLL_BAR_PX : 0));
  const [fromMs, toMs] = [timeRange.from.valueOf(), timeRange.to.valueOf()];
  const fitted = useMemo(() => fitSpans(model.spans, { min: fromMs, max: toMs }), [model, fromMs, toMs]);
  const control = useViewport({ timeRange, onTimeRange, widthPx, fitted });
  const cursor = useTimeCursor(hub);
  const boxes = bars.found ?? bars.boxes;
  const keys = useBarKeys({ boxes, area, control, onPoint: cursor.point, onSelect: cursor.select });
  const { foundCount } = bars;
  const [note, shortNote] = useMemo(() => describeCount(model, search, foundCount), [model, search, foundCount]);
  return (
    <section style={{ width, height }} aria-label="Gantt">
      <GanttToolbar
        {...{ width, rows, onRows, search, onSearch, note, shortNote }}
        isZoomed={control.isZoomed}
        onReset={control.reset}
        onZoom={keys.zoom}
      />
      <GanttChart
        {...{ bars, looks, colours, control, cursor, keys, area, gutterPx, timeZone }}
        height={chartPx}
        presentMs={usePresentMs(model)}
        label={`Gantt of ${note}, ${countOf(bars.boxes.length, 'row')}`}
      />
    </section>
  );
}
