import type { StandardEditorProps } from '@grafana/data';
import { Select } from '@grafana/ui';
import React from 'react';
import { THRESHOLD_STYLES, type StoredThresholdStyle, type ThresholdStyle } from '../model/plot/field-style.js';

const LABELS: Readonly<Record<ThresholdStyle, string>> = {
  off: 'Off',
  line: 'As lines',
  dashed: 'As dashed lines',
  area: 'As filled regions',
  'line+area': 'As filled regions and lines',
  'dashed+area': 'As filled regions and dashed lines',
};

interface Props extends Pick<StandardEditorProps<StoredThresholdStyle>, 'onChange'> {
  readonly value: StoredThresholdStyle | undefined;
}

/** How the thresholds of a field are drawn, in the panel editor. */
export function ThresholdStyleEditor({ value, onChange }: Props): React.ReactElement {
  return (
    <Select<ThresholdStyle>
      aria-label="Show thresholds"
      value={value?.mode ?? 'off'}
      options={THRESHOLD_STYLES.map((mode) => ({ value: mode, label: LABELS[mode] }))}
      onChange={({ value: mode }) => onChange({ mode: mode ?? 'off' })}
    />
  );
}
