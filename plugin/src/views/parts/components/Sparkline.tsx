import { css } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { useStyles2 } from '@grafana/ui';
import { findShare } from '@joblens/core/numbers/find-share';
import React from 'react';
import { readTheme } from '../panel-theme.js';

interface SparklineProps {
  /** Finite, at least two. */
  readonly values: readonly number[];
  readonly widthPx: number;
  readonly title: string;
}

/** Narrower shows no course; wider shows no more of it. */
export const [SPARKLINE_MIN_PX, SPARKLINE_MAX_PX] = [96, 288];
const WIDTH_PX = SPARKLINE_MIN_PX;
const HEIGHT_PX = 20;
const STROKE_PX = 1.5;

/** The course of a number as a small line, from its lowest to its highest. */
export function Sparkline({ values, widthPx, title }: SparklineProps): React.ReactElement {
  const className = useStyles2(getStyle);
  return (
    <svg
      className={className}
      style={{ width: widthPx }}
      viewBox={`0 0 ${WIDTH_PX} ${HEIGHT_PX}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={title}
    >
      <title>{title}</title>
      <path d={formatPath(values)} />
    </svg>
  );
}

export function formatPath(values: readonly number[]): string {
  const min = values.reduce((a, b) => Math.min(a, b), Infinity);
  const max = values.reduce((a, b) => Math.max(a, b), -Infinity);
  const room = HEIGHT_PX - 2 * STROKE_PX;
  const points = values.map((value, at) => {
    const x = (WIDTH_PX * at) / Math.max(1, values.length - 1);
    const y = max === min ? HEIGHT_PX / 2 : STROKE_PX + room * (1 - findShare(value, { min, max }));
    return `${x.toFixed(1)} ${y.toFixed(1)}`;
  });
  return `M${points.join('L')}`;
}

function getStyle(grafanaTheme: GrafanaTheme2): string {
  const theme = readTheme(grafanaTheme);
  return css({
    flexShrink: 0,
    height: HEIGHT_PX,
    fill: 'none',
    stroke: theme.colors.info.text,
    strokeWidth: STROKE_PX,
    strokeLinejoin: 'round',
    path: { vectorEffect: 'non-scaling-stroke' },
  });
}
