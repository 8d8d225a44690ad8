import { Button, useStyles2 } from '@grafana/ui';
import { countOf, formatCount } from '@joblens/core/words/counts';
import React, { useMemo, useState } from 'react';
import type { HoverHub } from '../../parts/hover.js';
import { BAR_HEIGHT_PX, getBarStyles } from '../../parts/bar-styles.js';
import { useKeptState } from '../../parts/hooks/kept-state.js';
import type { PanelTable } from '../../parts/components/tables.js';
import type { RowSelection } from '../../table/components/SelectionCells.js';
import { TableGrid } from '../../table/components/TableGrid.js';
import { createCellColumns } from '../../table/model/cell.js';
import { chooseRows, nextSort, type RowChoice } from '../../table/model/column-filter.js';
import { type ChosenJobs, useChosenJobs } from '../hooks/use-chosen-jobs.js';
import { createChosenTest, dropLoneKeys, listRuns, type Run, toggleRun } from '../model/runs.js';

interface RunsViewProps {
  readonly table: PanelTable;
  readonly width: number;
  readonly height: number;
  readonly timeZone: string;
  readonly hub: HoverHub;
  /** The dashboard's variable that check boxes write. */
  readonly variable: string;
}

const NO_CHOICE: RowChoice = { filters: new Map(), sort: undefined };

/** One row a run: sorted and filtered by any column, and chosen by check boxes for the rest of the dashboard. */
export function RunsView({ table: whole, width, height, timeZone, hub, variable }: RunsViewProps): React.ReactElement {
  const styles = useStyles2(getBarStyles);
  const [isWhole, setWhole] = useKeptState('runs.whole', '', false);
  const shared = useMemo(() => dropLoneKeys(whole), [whole]);
  const table = isWhole ? whole : shared;
  const lone = whole.columns.length - shared.columns.length;
  const [choice, setChoice] = useKeptState('runs.choice', '', NO_CHOICE);
  const [hasFilters, setFilters] = useState(false);
  const order = useMemo(() => Array.from({ length: table.rowCount }, (_, row) => row), [table.rowCount]);
  const rows = useMemo(() => chooseRows(table, order, choice), [table, order, choice]);
  const columns = useMemo(() => createCellColumns(table, rows, timeZone), [table, rows, timeZone]);
  const jobs = useChosenJobs(variable);
  const selection = createSelection(jobs, listRuns(table), rows);
  const filterBy = (column: string, text: string): void => {
    const filters = new Map([...choice.filters, [column, text] as const].filter(([, each]) => each !== ''));
    if (text === '') filters.delete(column);
    setChoice({ ...choice, filters });
  };
  return (
    <section style={{ width, height }} className={styles.view} aria-label="Runs" data-testid="joblens-runs">
      <div className={styles.bar}>
        <Button
          size="sm"
          fill="text"
          icon="filter"
          variant={hasFilters ? 'primary' : 'secondary'}
          aria-pressed={hasFilters}
          aria-label="Filter by columns"
          title="Filter by columns"
          onClick={() => {
            if (hasFilters) setChoice({ ...choice, filters: new Map() });
            setFilters(!hasFilters);
          }}
        />
        <span className={styles.note} role="status">
          {describeRuns(table.rowCount, rows.length, jobs)}
        </span>
        {jobs !== undefined && jobs.chosen.size > 0 && (
          <Button size="sm" variant="secondary" fill="text" onClick={() => jobs.choose([])}>
            Show all
          </Button>
        )}
        {lone > 0 && (
          <Button size="sm" variant="secondary" fill="text" aria-pressed={isWhole} onClick={() => setWhole(!isWhole)}>
            {`${isWhole ? 'Hide' : 'Show'} ${countOf(lone, 'key')} of one run alone`}
          </Button>
        )}
      </div>
      <TableGrid
        {...{ table, columns, width, hub, choice, hasFilters, selection }}
        page={{ rows, from: 0 }}
        resetKey={JSON.stringify([choice.sort, [...choice.filters]])}
        height={Math.max(0, height - BAR_HEIGHT_PX)}
        onSort={(column) => setChoice({ ...choice, sort: nextSort(choice.sort, column) })}
        onFilter={filterBy}
      />
    </section>
  );
}

function describeRuns(count: number, shown: number, jobs: ChosenJobs | undefined): string {
  const runs = shown === count ? countOf(count, 'run') : `${formatCount(shown)} of ${countOf(count, 'run')}`;
  if (jobs === undefined) return runs;
  return jobs.chosen.size === 0 ? `${runs}, all below` : `${runs}, ${formatCount(jobs.chosen.size)} chosen`;
}

function createSelection(
  jobs: ChosenJobs | undefined,
  runs: readonly Run[],
  rows: readonly number[]
): RowSelection | undefined {
  if (jobs === undefined) return undefined;
  const isChosen = createChosenTest(jobs.chosen);
  const nameRow = (row: number): string => runs[row]?.name ?? '';
  const chosen = rows.filter((row) => isChosen(runs[row])).length;
  return {
    nameRow,
    isChosen: (row) => isChosen(runs[row]),
    toggle(row) {
      const run = runs[row];
      if (run !== undefined) jobs.choose(toggleRun(jobs.chosen, run, runs));
    },
    state: chosen === 0 ? 'none' : chosen === rows.length ? 'all' : 'some',
    toggleAll: () => jobs.choose(chosen === 0 ? rows.map(nameRow) : []),
  };
}
