import { css } from '@emotion/css';
import type { GrafanaTheme2 } from '@grafana/data';
import { useStyles2 } from '@grafana/ui';
import { countOf } from '@joblens/core/words/counts';
import React from 'react';
import { readTheme } from '../../parts/panel-theme.js';
import { useVariable } from '../hooks/use-variable.js';
import type { GroupsTable } from '../model/groups.js';
import { GroupChoice, type GroupItem } from './GroupChoice.js';
import { GroupsGrid } from './GroupsGrid.js';

interface GroupsViewProps {
  readonly table: GroupsTable;
  readonly width: number;
  readonly height: number;
  /** Variables of the dashboard that the choices write. */
  readonly variables: Readonly<Record<'byVariable' | 'metricVariable' | 'directionVariable', string>>;
}

/** Whether one group of runs is better than another, in a sentence, and a row for each group. */
export function GroupsView({ table, width, height, variables }: GroupsViewProps): React.ReactElement {
  const styles = useStyles2(getStyles);
  const by = useVariable(variables.byVariable);
  const metric = useVariable(variables.metricVariable);
  const direction = useVariable(variables.directionVariable);
  return (
    <section
      style={{ width, height }}
      className={styles.view}
      aria-label="Groups"
      data-testid="joblens-groups"
      tabIndex={0}
    >
      <div className={styles.bar}>
        <GroupChoice label="Group by" variable={by} chosen={table.by ?? ''} items={listKeys(table)} />
        <GroupChoice label="Number" variable={metric} chosen={table.metric ?? ''} items={listMetrics(table)} />
        <GroupChoice
          label="Better is"
          variable={direction}
          chosen={table.isTold ? (table.direction ?? '') : ''}
          items={listDirections(table)}
        />
      </div>
      <p className={styles.statement} role="status">
        {table.statement}
      </p>
      {table.rows.length > 0 && table.by !== undefined && <GroupsGrid table={table} width={width} />}
    </section>
  );
}

function listKeys({ by, keys }: GroupsTable): readonly GroupItem[] {
  const items = keys.map(({ name, groups, seeds }) => ({
    value: name,
    label: shortenKey(name),
    description: `${countOf(groups, 'group')}, ${countOf(seeds, 'seed')} or more`,
  }));
  const isListed = by === undefined || keys.some(({ name }) => name === by);
  return isListed ? items : [...items, { value: by, label: shortenKey(by) }];
}

function listMetrics({ metric, metrics }: GroupsTable): readonly GroupItem[] {
  const names = new Set([...metrics, ...(metric === undefined ? [] : [metric])]);
  return [...names].map((name) => ({ value: name, label: name }));
}

function listDirections({ direction, isTold }: GroupsTable): readonly GroupItem[] {
  const guess = direction === undefined || isTold ? 'by its name' : `${direction} (by its name)`;
  return [
    { value: '', label: guess },
    { value: 'lower', label: 'lower' },
    { value: 'higher', label: 'higher' },
  ];
}

/** A key of the configuration without what says so; a tag keeps it. */
function shortenKey(name: string): string {
  return name.replace(/^config\./, '').replace(/^tag\./, 'tag ');
}

function getStyles(grafanaTheme: GrafanaTheme2): Record<'view' | 'bar' | 'statement', string> {
  const theme = readTheme(grafanaTheme);
  return {
    view: css({ display: 'flex', flexDirection: 'column', gap: theme.spacing(1), minWidth: 0, overflow: 'auto' }),
    bar: css({ display: 'flex', flexWrap: 'wrap', gap: theme.spacing(1, 2), flexShrink: 0 }),
    statement: css({ margin: 0, maxWidth: '110ch', fontWeight: theme.typography.fontWeightMedium, flexShrink: 0 }),
  };
}
