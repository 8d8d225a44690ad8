import { formatJobKey } from '@joblens/core/ask/heartbeats/find-jobs';
import { useState } from 'react';
import type { JobRow } from '../../parts/job-rows.js';

export interface ComparedJobs {
  /** The chosen jobs, in the order in which they were chosen; those out of sight, too. */
  readonly jobs: ReadonlyArray<Pick<JobRow, 'job' | 'user'>>;
  readonly isChosen: (row: JobRow) => boolean;
  readonly toggle: (row: JobRow) => void;
}

/** The jobs that the viewer chooses in the list, to be compared on a page of their own. */
export function useComparedJobs(): ComparedJobs {
  const [chosen, setChosen] = useState<ReadonlyMap<string, Pick<JobRow, 'job' | 'user'>>>(new Map());
  return {
    jobs: [...chosen.values()],
    isChosen: (row) => chosen.has(formatJobKey(row)),
    toggle: (row) => {
      const next = new Map(chosen);
      if (!next.delete(formatJobKey(row))) next.set(formatJobKey(row), row);
      setChosen(next);
    },
  };
}
