import { Button, useStyles2 } from '@grafana/ui';
import { countOf, formatCount } from '@joblens/core/words/counts';
import React, { useMemo } from 'react';
import { map } from 'rxjs';
import { useAnswer } from '../../../answers/use-answer.js';
import { BAR_HEIGHT_PX, getBarStyles } from '../../parts/bar-styles.js';
import { useKeptState } from '../../parts/hooks/kept-state.js';
import type { Ask } from '../../view.js';
import { type DiffTable, readDiff } from '../model/diff-table.js';
import { DiffGrid } from './DiffGrid.js';

interface DiffViewProps {
  readonly table: DiffTable;
  readonly width: number;
  readonly height: number;
  readonly ask: Ask | undefined;
}

/** What differs between jobs, and on request what is equal. */
export function DiffView({ table, width, height, ask }: DiffViewProps): React.ReactElement {
  const styles = useStyles2(getBarStyles);
  const [hasEqual, setEqual] = useKeptState('diff.equal', '', false);
  // The same with what is equal, once it is there. What differs stays where that fails: the panel says what failed.
  const whole = useAnswer(hasEqual ? JSON.stringify(table.jobs) : undefined, ask, (askNow) =>
    askNow({ query: { all: true } }).pipe(map(readDiff))
  );
  const shown = whole ?? table;
  const differing = useMemo(() => shown.rows.filter(({ differs }) => differs).length, [shown]);
  return (
    <section style={{ width, height }} className={styles.view} aria-label="Differences" data-testid="joblens-diff">
      <div className={styles.bar}>
        <span className={styles.note} role="status">
          {describe(differing, shown)}
        </span>
        {ask !== undefined && table.equal > 0 && (
          <Button
            size="sm"
            fill="text"
            variant={hasEqual ? 'primary' : 'secondary'}
            aria-pressed={hasEqual}
            onClick={() => setEqual(!hasEqual)}
          >
            {`Show ${formatCount(table.equal)} equal`}
          </Button>
        )}
      </div>
      <DiffGrid table={shown} height={Math.max(0, height - BAR_HEIGHT_PX)} />
    </section>
  );
}

function describe(differing: number, { jobs, total, equal }: DiffTable): string {
  if (jobs.length < 2) return 'One run: choose two or more';
  const facts = countOf(differing + equal, 'fact');
  const some = jobs.length < total ? `${formatCount(jobs.length)} of ` : '';
  return `${formatCount(differing)} of ${facts} differ between ${some}${countOf(Math.max(jobs.length, total), 'run')}`;
}
