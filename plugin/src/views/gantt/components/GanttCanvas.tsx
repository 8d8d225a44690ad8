import React, { useLayoutEffect, useRef } from 'react';
import { type ChartToPaint, HEAD_PX, paintChart } from '../model/paint-chart.js';

interface GanttCanvasProps {
  readonly chart: ChartToPaint;
  readonly label: string;
}

/** The bars and all that stands still under the mouse; painted anew only where it changes. */
export const GanttCanvas = React.memo(function GanttCanvas({ chart, label }: GanttCanvasProps): React.ReactElement {
  const canvas = useRef<HTMLCanvasElement>(null);
  const width = chart.gutterPx + chart.viewport.widthPx;
  const height = HEAD_PX + chart.heightPx;
  useLayoutEffect(() => {
    const element = canvas.current;
    const context = element?.getContext('2d', { alpha: true });
    if (element === null || context === null || context === undefined) return;
    const ratio = window.devicePixelRatio || 1;
    const [pixelWidth, pixelHeight] = [Math.round(width * ratio), Math.round(height * ratio)];
    // A canvas that is given its size is made anew.
    if (element.width !== pixelWidth) element.width = pixelWidth;
    if (element.height !== pixelHeight) element.height = pixelHeight;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    paintChart(context, chart);
  }, [chart, width, height]);
  return (
    <canvas
      ref={canvas}
      role="img"
      aria-label={label}
      style={{ position: 'absolute', left: 0, top: 0, width, height }}
      data-testid="joblens-gantt-canvas"
    />
  );
});
