import { css } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { Select, useStyles2 } from '@grafana/ui';
import React from 'react';
import { readTheme } from '../../parts/panel-theme.js';
import type { WrittenVariable } from '../hooks/use-variable.js';

export interface GroupItem {
  readonly value: string;
  readonly label: string;
  readonly description?: string;
}

interface GroupChoiceProps {
  readonly label: string;
  /** What a choice writes; without it, what is chosen is only said. */
  readonly variable: WrittenVariable | undefined;
  readonly chosen: string;
  readonly items: readonly GroupItem[];
}

/** In Grafana's units of 8 px. */
const [LEAST, MOST] = [12, 28];
const LETTERS_PER_UNIT = 1.1;
/** The arrow and the padding. */
const EDGE = 6;

/** A choice that a variable of the dashboard keeps, and so the link to share. */
export function GroupChoice({ label, variable, chosen, items }: GroupChoiceProps): React.ReactElement {
  const styles = useStyles2(getStyles);
  const item = items.find(({ value }) => value === chosen);
  const longest = Math.max(0, ...items.map((each) => each.label.length));
  const width = Math.min(MOST, Math.max(LEAST, Math.ceil(longest / LETTERS_PER_UNIT) + EDGE));
  return (
    <div className={styles.choice}>
      <span className={styles.label}>{label}</span>
      {variable === undefined ? (
        <span>{item?.label ?? '–'}</span>
      ) : (
        <Select<string>
          aria-label={label}
          width={width}
          value={item ?? null}
          placeholder="none"
          options={[...items]}
          onChange={({ value = '' }) => variable.write(value)}
          menuShouldPortal
          isSearchable
        />
      )}
    </div>
  );
}

function getStyles(grafanaTheme: GrafanaTheme2): Record<'choice' | 'label', string> {
  const theme = readTheme(grafanaTheme);
  return {
    choice: css({ display: 'flex', alignItems: 'center', gap: theme.spacing(1), minWidth: 0 }),
    label: css({ color: theme.colors.text.secondary, whiteSpace: 'nowrap' }),
  };
}
