import { countOf } from '@joblens/core/words/counts';
import { css } from '@emotion/css';
import { Select, useStyles2 } from '@grafana/ui';
import React from 'react';
import type { PanelTable } from '../../parts/components/tables.js';
import { TabStrip } from '../../parts/components/TabStrip.js';

interface TableChooserProps {
  readonly tables: readonly PanelTable[];
  readonly shown: PanelTable;
  readonly onChoose: (id: string) => void;
}

/** More tables are in a list, which one can search. */
const MAX_TABS = 12;

export function isTabbed(tables: readonly PanelTable[]): boolean {
  return tables.length > 1 && tables.length <= MAX_TABS;
}

function describeRows({ totalRows }: PanelTable): string {
  return countOf(totalRows, 'row');
}

export function TableTabs({ tables, shown, onChoose }: TableChooserProps): React.ReactElement {
  const tabs = tables.map((table) => ({
    id: table.id,
    label: table.label,
    title: `${table.label}: ${describeRows(table)}`,
  }));
  return <TabStrip label="Table to show" {...{ tabs, onChoose }} shown={shown.id} testId="joblens-table-tabs" />;
}

export function TableList({ tables, shown, onChoose }: TableChooserProps): React.ReactElement {
  const styles = useStyles2(getStyles);
  return (
    <div className={styles.chooser} data-testid="joblens-table-chooser">
      <Select<string>
        aria-label="Table to show"
        className={styles.select}
        width="auto"
        value={shown.id}
        options={tables.map((table) => ({ value: table.id, label: table.label, description: describeRows(table) }))}
        onChange={(item) => onChoose(item.value ?? shown.id)}
        menuShouldPortal
      />
    </div>
  );
}

function getStyles(): Record<'chooser' | 'select', string> {
  return {
    chooser: css({ minWidth: 80, maxWidth: '50%' }),
    select: css({ height: 24, minHeight: 24 }),
  };
}
