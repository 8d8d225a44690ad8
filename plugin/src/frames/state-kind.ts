import { MappingType, type ValueMapping } from '@grafana/data';
import { findStateKind, formatStateName, type StateKind, STATES } from '@joblens/core/words/states';

/** A job that is only piped has no state: it runs while lines come. */
export function readStateKind({ state, to }: { readonly state: string | undefined; readonly to: string }): StateKind {
  if (state === undefined) return to === 'now' ? 'running' : 'unknown';
  return findStateKind(state);
}

/** The state of a job by its name, or what its lines tell where nobody wrote one. */
export function formatState(row: { readonly state: string | undefined; readonly to: string }): string {
  const { state } = row;
  if (state === undefined) return readStateKind(row) === 'running' ? 'Logging' : 'Silent';
  return formatStateName(state);
}

/** Shows each state of a column by its name, in Grafana's own tables, too. */
export const STATE_MAPPINGS: readonly ValueMapping[] = [
  {
    type: MappingType.ValueToText,
    options: Object.fromEntries(STATES.map((state) => [state, { text: formatStateName(state) }])),
  },
];
