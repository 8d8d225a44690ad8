import { getTemplateSrv, locationService } from '@grafana/runtime';
import { useState } from 'react';
import { readVariable } from '../../../template/read-variable.js';

export interface WrittenVariable {
  /** '' where it has none. */
  readonly value: string;
  /** Writes it into the address, which is the link to share. */
  readonly write: (value: string) => void;
}

/** One value of a variable of the dashboard; undefined where the dashboard has none of this name. */
export function useVariable(name: string): WrittenVariable | undefined {
  const [asked, setAsked] = useState<{ readonly before: string; readonly value: string } | undefined>(undefined);
  const before = name === '' ? undefined : readVariable(name, getTemplateSrv())?.join(',');
  if (before === undefined) return undefined;
  return {
    // What was just chosen shows at once; the variable follows.
    value: asked?.before === before ? asked.value : before,
    write: (value) => {
      setAsked({ before, value });
      locationService.partial({ [`var-${name}`]: value });
    },
  };
}
