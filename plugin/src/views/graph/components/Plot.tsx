import { css } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { useStyles2, useTheme2 } from '@grafana/ui';
import React, { useEffect, useMemo, useRef } from 'react';
import uPlot from 'uplot';
import { readTheme } from '../../parts/panel-theme.js';
import type { AlignedData } from '../model/scales/align.js';
import { createPlotOptions, type PlotEvents } from '../model/plot/plot-options.js';
import type { PlotState } from '../model/plot/plot-state.js';

interface PlotProps extends PlotState {
  readonly data: AlignedData;
  readonly width: number;
  readonly height: number;
  readonly timeZone: string;
  readonly label: string;
  /** Names of lines, of which the first one here is emphasised; undefined for none. */
  readonly focused: readonly string[] | undefined;
  readonly events: PlotEvents;
  readonly onPlot: (plot: uPlot | undefined) => void;
}

const fractions = new WeakMap<readonly number[], boolean>();

/** Computed once for each array: lines of one table share theirs. */
function hasFractions(xs: readonly number[]): boolean {
  const known = fractions.get(xs);
  if (known !== undefined) return known;
  const found = !xs.every(Number.isInteger);
  fractions.set(xs, found);
  return found;
}

/** Everything that uPlot takes only when it is made. */
function createSignature({ lines, xKind, yScale, timeZone }: PlotProps): string {
  const hasFraction = lines.some((line) => hasFractions(line.xs));
  const looks = lines.map(({ model, colour, isDashed, style }) => {
    return [model.name, colour, isDashed, style.lineWidth, model.column.field.config.unit];
  });
  return JSON.stringify([hasFraction, looks, xKind, yScale, timeZone]);
}

/** uPlot itself takes no X that is shorter than 1e-16. Its scale asks us for the range, whatever it is told. */
function rangeX(plot: uPlot): void {
  plot.setScale('x', { min: null, max: null } as unknown as { min: number; max: number });
}

/** A uPlot instance for one set of lines. Data, size, visibility and ranges change in place. */
export function Plot(props: PlotProps): React.ReactElement {
  const { lines, data, width, height, focused, xRange, timeZone, annotations } = props;
  const grafanaTheme = useTheme2();
  const theme = useMemo(() => readTheme(grafanaTheme), [grafanaTheme]);
  const styles = useStyles2(getPlotStyles);
  const container = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | undefined>(undefined);
  const latest = useRef(props);
  latest.current = props;
  const signature = createSignature(props);

  useEffect(() => {
    if (container.current === null) return undefined;
    const options = createPlotOptions(
      () => latest.current,
      { width: latest.current.width, height: latest.current.height },
      {
        text: theme.colors.text.primary,
        grid: theme.isDark ? 'rgba(240, 250, 255, 0.09)' : 'rgba(0, 10, 23, 0.09)',
        font: theme.typography.fontFamily,
        timeZone,
        resolveColour: (name) => theme.visualization.getColorByName(name),
      },
      {
        onCursor: (self) => latest.current.events.onCursor(self),
        onZoomX: (range) => latest.current.events.onZoomX(range),
        onClick: () => latest.current.events.onClick(),
      }
    );
    const created = new uPlot(options, latest.current.data, container.current);
    rangeX(created);
    plot.current = created;
    latest.current.onPlot(created);
    return () => {
      latest.current.onPlot(undefined);
      plot.current = undefined;
      created.destroy();
    };
  }, [signature, theme, timeZone]);

  useEffect(() => {
    plot.current?.setSize({ width, height });
  }, [width, height]);

  useEffect(() => {
    plot.current?.setData(data);
    if (plot.current !== undefined) rangeX(plot.current);
  }, [data, xRange]);

  useEffect(() => plot.current?.redraw(false), [annotations]);

  useEffect(() => {
    const { current } = plot;
    // Not as a batch, which would draw at once: the plot then draws data and lines that came together twice.
    lines.forEach((line, index) => {
      if (current?.series[index + 1]?.show !== line.isVisible) current?.setSeries(index + 1, { show: line.isVisible });
    });
  }, [lines]);

  useEffect(() => {
    const index = lines.findIndex((line) => focused?.includes(line.model.name) === true);
    plot.current?.setSeries(index < 0 ? null : index + 1, { focus: true });
  }, [focused, lines]);

  return <div ref={container} className={styles} role="img" aria-label={props.label} data-testid="joblens-plot" />;
}

/** The part of uPlot's style sheet that a plot without its own legend uses. */
function getPlotStyles(grafanaTheme: GrafanaTheme2): string {
  const theme = readTheme(grafanaTheme);
  return css({
    position: 'relative',
    '.uplot, .uplot *': { boxSizing: 'border-box' },
    '.uplot': { width: 'min-content', lineHeight: 1.5 },
    '.u-wrap': { position: 'relative', userSelect: 'none' },
    '.u-over, .u-under': { position: 'absolute', overflow: 'hidden' },
    '.u-over': { overflow: 'visible', cursor: 'crosshair' },
    '.uplot canvas': { display: 'block', position: 'relative', width: '100%', height: '100%' },
    '.u-axis': { position: 'absolute' },
    '.u-select': { background: theme.colors.action.selected, position: 'absolute', pointerEvents: 'none' },
    '.u-cursor-x, .u-cursor-y': { position: 'absolute', left: 0, top: 0, pointerEvents: 'none' },
    '.u-hz .u-cursor-x': { height: '100%', borderRight: `1px dashed ${theme.colors.text.secondary}` },
    '.u-cursor-pt': {
      position: 'absolute',
      top: 0,
      left: 0,
      borderRadius: '50%',
      borderStyle: 'solid',
      borderWidth: 0,
      pointerEvents: 'none',
    },
    '.u-off': { display: 'none' },
  });
}
