import { getTemplateSrv, locationService } from '@grafana/runtime';
import { useState } from 'react';
import { readVariable, toAddressValue } from '../../../template/read-variable.js';

export interface ChosenJobs {
  /** None means all. */
  readonly chosen: ReadonlySet<string>;
  /** Writes the variable into the address, which is the link to share. */
  readonly choose: (jobs: readonly string[]) => void;
}

interface Asked {
  readonly before: string;
  readonly jobs: readonly string[];
}

/** The jobs that a variable of the dashboard names; undefined where the dashboard has none of this name. */
export function useChosenJobs(variable: string): ChosenJobs | undefined {
  const [asked, setAsked] = useState<Asked | undefined>(undefined);
  const found = variable === '' ? undefined : readVariable(variable, getTemplateSrv());
  if (found === undefined) return undefined;
  const before = JSON.stringify(found);
  // What was just chosen shows at once; the variable follows.
  const jobs = asked?.before === before ? asked.jobs : found;
  return {
    chosen: new Set(jobs),
    choose: (wanted) => {
      setAsked({ before, jobs: wanted });
      locationService.partial({ [`var-${variable}`]: toAddressValue(wanted) });
    },
  };
}
