import { css } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { useStyles2 } from '@grafana/ui';
import React, { useEffect, useMemo, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type uPlot from 'uplot';
import { readTheme } from '../../parts/panel-theme.js';
import { useSame } from '../../parts/hooks/use-same.js';
import { alignLines } from '../model/scales/align.js';
import type { PlacedAnnotation } from '../model/lines/annotations.js';
import type { DrawnPane } from '../model/plot/drawn-pane.js';
import { readFieldStyle } from '../model/plot/field-style.js';
import type { GraphModel } from '../model/lines/graphs.js';
import { InteractivePlot } from './InteractivePlot.js';
import { createLegendLines } from '../model/plot/legend-entries.js';
import { LegendItem, type LegendEvents } from './LegendItem.js';
import { formatLineValue, summariseLine } from '../model/lines/line-summary.js';
import type { Pane } from '../model/panes/panes.js';
import { createPlotLines, type LineLook } from '../model/plot/plot-lines.js';
import { resolveYScale, type Extent, type YScale, type YScaleChoice } from '../model/scales/scale.js';
import { hasStack, stackLines } from '../model/plot/stack-lines.js';
import type { XSync } from '../model/panes/x-sync.js';

export interface GraphPaneProps {
  readonly graph: GraphModel;
  readonly pane: Pane;
  readonly looks: ReadonlyMap<string, LineLook>;
  readonly hidden: ReadonlySet<string>;
  readonly yChoice: YScaleChoice;
  readonly smoothing: number;
  readonly width: number;
  readonly height: number;
  /** `legend`: the names of its lines; `title`: its title alone; `none`: no head. */
  readonly head: 'legend' | 'title' | 'none';
  readonly xRange: Extent | undefined;
  readonly annotations: readonly PlacedAnnotation[];
  readonly timeZone: string;
  readonly focused: readonly string[] | undefined;
  readonly sync: XSync;
  /** The graphs of the section that are drawn, by the ids of their panes. */
  readonly drawn: Map<string, DrawnPane>;
  /** Draws it although it is out of sight. */
  readonly isForced: boolean;
  readonly legendEvents: LegendEvents;
  readonly onZoomX: (range: Extent | undefined) => void;
  readonly onSelectX: (x: number) => void;
}

const HEAD_PX = 24;

/** The same scale stays the same object: everything drawn depends on it. */
function useYScale(pane: Pane, hidden: ReadonlySet<string>, choice: YScaleChoice): YScale {
  const visible = pane.lines.filter(({ name }) => !hidden.has(name));
  // Sums can be read on a linear scale alone.
  const isStack = choice === 'auto' && visible.some(({ column }) => readFieldStyle(column.field).isStacked);
  const found = resolveYScale(
    isStack ? 'linear' : choice,
    visible.map(({ extremes }) => extremes)
  );
  return useSame(found);
}

/** Graphs this far out of sight are drawn already. */
const NEAR_PX = 300;

/** Whether an element is in sight or near it, or printed. */
function useIsNear(element: React.RefObject<HTMLElement | null>): boolean {
  const [isNear, setIsNear] = useState(typeof IntersectionObserver === 'undefined');
  useEffect(() => {
    if (element.current === null || typeof IntersectionObserver === 'undefined') return undefined;
    const observer = new IntersectionObserver((entries) => setIsNear(entries.some((entry) => entry.isIntersecting)), {
      rootMargin: `${NEAR_PX}px`,
    });
    observer.observe(element.current);
    // The page is laid out on paper at once, without waiting for a state that is set later.
    const showNow = (): void => flushSync(() => setIsNear(true));
    window.addEventListener('beforeprint', showNow);
    return () => {
      observer.disconnect();
      window.removeEventListener('beforeprint', showNow);
    };
  }, [element]);
  return isNear;
}

/** The X of marks that are beside the points of their lines. */
function listMarksApart({ lines }: Pane): readonly number[] {
  return lines.flatMap(({ nonFinite }) => nonFinite.flatMap(({ x, index }) => (index === undefined ? [x] : [])));
}

/** Aligns the values once for each set of lines: hiding one changes none but those stacked on it. */
function PaneContent(props: GraphPaneProps): React.ReactElement {
  const { pane, looks, hidden, smoothing, drawn } = props;
  const yScale = useYScale(pane, hidden, props.yChoice);
  const all = useMemo(() => createPlotLines(pane.lines, looks, yScale, smoothing), [pane, looks, yScale, smoothing]);
  const isStacked = yScale.kind === 'linear' && hasStack(all);
  const stacked = useMemo(() => (isStacked ? stackLines(all, hidden) : all), [all, hidden, isStacked]);
  const data = useMemo(() => alignLines(stacked, listMarksApart(pane)), [stacked, pane]);
  const lines = useMemo(
    () => stacked.map((line) => ({ ...line, isVisible: !hidden.has(line.model.name) })),
    [stacked, hidden]
  );
  const plot = useRef<uPlot | undefined>(undefined);
  useEffect(() => {
    drawn.set(pane.id, { pane, lines, plot: plot.current });
    return () => {
      drawn.delete(pane.id);
    };
  });
  return (
    <InteractivePlot
      {...props}
      {...{ lines, data, yScale }}
      height={props.height - (props.head === 'none' ? 0 : HEAD_PX)}
      onPlot={(next) => {
        plot.current = next;
        drawn.set(pane.id, { pane, lines, plot: next });
      }}
    />
  );
}

function PaneHead({ pane, looks, hidden, head, legendEvents }: GraphPaneProps): React.ReactElement {
  const styles = useStyles2(getStyles);
  const [first, ...others] = pane.lines;
  return (
    <div className={styles.head}>
      {head === 'legend' ? (
        <div className={styles.names}>
          {createLegendLines(pane.lines, looks, hidden).map((entry) => (
            <LegendItem key={entry.name} entry={entry} {...legendEvents} />
          ))}
        </div>
      ) : (
        <div className={styles.title} title={pane.title}>
          {pane.title}
        </div>
      )}
      {first !== undefined && others.length === 0 && (
        <span className={styles.last} title="The newest value">
          {formatLineValue(first, summariseLine(first).last)}
        </span>
      )}
    </div>
  );
}

/** One graph of several, with its own Y axis. It is drawn when it comes near the part in sight. */
export const GraphPane = React.memo(function GraphPane(props: GraphPaneProps): React.ReactElement {
  const { pane, width, height, head, isForced } = props;
  const box = useRef<HTMLDivElement>(null);
  const isNear = useIsNear(box);
  return (
    <div ref={box} style={{ width, height }} data-testid="joblens-pane" data-pane={pane.title}>
      {head !== 'none' && <PaneHead {...props} />}
      {(isNear || isForced) && <PaneContent {...props} />}
    </div>
  );
});

function getStyles(grafanaTheme: GrafanaTheme2): Record<'head' | 'names' | 'title' | 'last', string> {
  const theme = readTheme(grafanaTheme);
  return {
    head: css({
      display: 'flex',
      alignItems: 'center',
      gap: theme.spacing(1),
      height: HEAD_PX,
      padding: theme.spacing(0, 1.5, 0, 0.5),
      fontSize: theme.typography.bodySmall.fontSize,
    }),
    names: css({
      display: 'flex',
      flexGrow: 1,
      gap: theme.spacing(1.5),
      minWidth: 0,
      overflowX: 'auto',
      scrollbarWidth: 'none',
    }),
    title: css({
      flexGrow: 1,
      overflow: 'hidden',
      textOverflow: 'ellipsis',
      whiteSpace: 'nowrap',
      fontWeight: theme.typography.fontWeightMedium,
    }),
    last: css({
      flexShrink: 0,
      color: theme.colors.text.secondary,
      fontVariantNumeric: 'tabular-nums',
    }),
  };
}
