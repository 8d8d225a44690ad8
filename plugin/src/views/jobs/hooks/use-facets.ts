import { formatJobKey } from '@joblens/core/ask/heartbeats/find-jobs';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { catchError, EMPTY } from 'rxjs';
import { type JobRow, readJobRows } from '../../parts/job-rows.js';
import { readStoredJson, writeStored } from '../../parts/hooks/remembered.js';
import type { ViewProps } from '../../view.js';
import { type FacetId, isFacetId } from '../../../frames/job-order.js';
import { type Facets, readFacets } from '../model/facets.js';

/** The columns that a person chose, and what the jobs have in them. */
export interface ChosenFacets {
  /** In the order in which they were chosen. */
  readonly chosen: readonly FacetId[];
  readonly onToggle: (id: FacetId) => void;
  /** The facets that the jobs have, sorted. */
  readonly offered: readonly FacetId[];
  /** Told that a person chooses: only then, and for columns, configurations are asked for. */
  readonly onChoosing: (isChoosing: boolean) => void;
  readonly facetsOf: (row: JobRow) => Facets;
}

const NAME = 'jobs.columns';
/** A question names each job. */
const MAX_JOBS = 500;

/** Columns by choice, which this browser remembers. */
export function useFacets(rows: readonly JobRow[], ask: ViewProps['ask']): ChosenFacets {
  const [chosen, setChosen] = useState(readChosen);
  const [isChoosing, onChoosing] = useState(false);
  const isConfigWanted = isChoosing || chosen.some((id) => id.startsWith('config:'));
  const configs = useConfigs(rows, isConfigWanted ? ask : undefined);
  const facets = useMemo(
    () => new Map(rows.map((row) => [formatJobKey(row), readFacets(row, configs.get(formatJobKey(row)))])),
    [rows, configs]
  );
  const facetsOf = useCallback((row: JobRow) => facets.get(formatJobKey(row)) ?? NO_FACETS, [facets]);
  const offered = useMemo(
    () => [...new Set([...chosen, ...[...facets.values()].flatMap((one) => [...one.keys()])])].sort(COLLATOR.compare),
    [chosen, facets]
  );
  const onToggle = useCallback(
    (id: FacetId) => {
      const next = chosen.includes(id) ? chosen.filter((one) => one !== id) : [...chosen, id];
      setChosen(next);
      writeStored(NAME, JSON.stringify(next));
    },
    [chosen]
  );
  return { chosen, onToggle, offered, onChoosing, facetsOf };
}

const NO_FACETS: Facets = new Map();
const COLLATOR = new Intl.Collator('en', { numeric: true });

function readChosen(): readonly FacetId[] {
  const stored = readStoredJson(NAME);
  return Array.isArray(stored) ? [...new Set(stored.filter(isFacetId))] : [];
}

/** The configurations of these jobs by formatJobKey. One that runs may still say its own. */
function useConfigs(rows: readonly JobRow[], ask: ViewProps['ask']): ReadonlyMap<string, string | undefined> {
  const [configs, setConfigs] = useState<ReadonlyMap<string, string | undefined>>(new Map());
  const missing = rows.filter((row) => {
    const key = formatJobKey(row);
    return row.to === 'now' ? configs.get(key) === undefined : !configs.has(key);
  });
  const names = JSON.stringify([...new Set(missing.map(({ job }) => job))].slice(0, MAX_JOBS));
  useEffect(() => {
    const job = JSON.parse(names) as string[];
    if (ask === undefined || job.length === 0) return undefined;
    const question = ask({ query: { job, isConfig: true, question: undefined } })
      .pipe(catchError(() => EMPTY))
      .subscribe((frames) => {
        const found = readJobRows(frames).map((row) => [formatJobKey(row), row.config] as const);
        // A job of which nothing is said has no configuration.
        const asked = rows.filter((row) => job.includes(row.job)).map((row) => [formatJobKey(row), undefined] as const);
        setConfigs((known) => new Map([...known, ...asked, ...found]));
      });
    return () => question.unsubscribe();
    // Asked again with each refresh, and for other jobs than before.
  }, [ask, names]);
  return configs;
}
