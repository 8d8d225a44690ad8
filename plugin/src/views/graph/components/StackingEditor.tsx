import type { StandardEditorProps } from '@grafana/data';
import { RadioButtonGroup } from '@grafana/ui';
import React from 'react';

/** How lines are stacked, as Grafana stores it. This graph stacks all lines of one table together. */
export interface StoredStacking {
  readonly mode?: 'none' | 'normal';
  readonly group?: string;
}

interface Props extends Pick<StandardEditorProps<StoredStacking>, 'onChange'> {
  readonly value: StoredStacking | undefined;
}

/** Whether a line is drawn on top of the others, in the panel editor. */
export function StackingEditor({ value, onChange }: Props): React.ReactElement {
  return (
    <RadioButtonGroup<'none' | 'normal'>
      aria-label="Stack series"
      value={value?.mode === 'normal' ? 'normal' : 'none'}
      options={[
        { value: 'none', label: 'Off' },
        { value: 'normal', label: 'On' },
      ]}
      onChange={(mode) => onChange({ mode, group: 'A' })}
    />
  );
}
