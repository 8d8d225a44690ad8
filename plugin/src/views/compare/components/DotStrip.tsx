import { useTheme2 } from '@grafana/ui';
import React from 'react';
import { readTheme } from '../../parts/panel-theme.js';

interface DotStripProps {
  readonly points: readonly number[];
  readonly mean: number | undefined;
  /** What the width stands for, the same in all rows. */
  readonly range: readonly [low: number, high: number];
}

const HEIGHT_PX = 16;
const RADIUS_PX = 3;

/** A dot a run, and a line at their mean. The numbers beside it say the same. */
export function DotStrip({ points, mean, range }: DotStripProps): React.ReactElement {
  const { colors } = readTheme(useTheme2());
  const [low, high] = range;
  const place = (value: number): string => `${high > low ? 2 + (96 * (value - low)) / (high - low) : 50}%`;
  return (
    <svg width="100%" height={HEIGHT_PX} aria-hidden="true" style={{ display: 'block' }}>
      <line x1="0" x2="100%" y1={HEIGHT_PX / 2} y2={HEIGHT_PX / 2} stroke={colors.border.medium} />
      {points.map((value, at) => (
        <circle key={at} cx={place(value)} cy={HEIGHT_PX / 2} r={RADIUS_PX} fill={colors.info.main} fillOpacity={0.6} />
      ))}
      {mean !== undefined && (
        <line
          x1={place(mean)}
          x2={place(mean)}
          y1={1}
          y2={HEIGHT_PX - 1}
          stroke={colors.text.primary}
          strokeWidth={2}
        />
      )}
    </svg>
  );
}
