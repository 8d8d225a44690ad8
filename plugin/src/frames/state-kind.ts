import { MappingType, type ValueMapping } from '@grafana/data';
import { findStateKind, formatStateName, type StateKind, STATES } from '@joblens/core/words/states';

/** A job that is only piped has no state: it runs while lines come. */
export function readStateKind({ state, to }: { readonly state: string | undefined; readonly to: string }): StateKind {
  if (state === undefined) return to === 'now' ? 'running' : 'unknown';
  return findStateKind(state);
}

/** Shows each state of a column by its name, in Grafana's own tables, too. */
export const STATE_MAPPINGS: readonly ValueMapping[] = [
  {
    type: MappingType.ValueToText,
    options: Object.fromEntries(STATES.map((state) => [state, { text: formatStateName(state) }])),
  },
];
