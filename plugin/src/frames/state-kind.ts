import { MappingType, type ValueMapping } from '@grafana/data';

/** What a state means to the person who looks: its colour, and its place in a list. */
export type StateKind = 'running' | 'waiting' | 'failed' | 'stopped' | 'completed' | 'unknown';

/** In the order of a list: what may need somebody first. */
export const STATE_KINDS: readonly StateKind[] = ['running', 'waiting', 'failed', 'stopped', 'completed', 'unknown'];

/** Every state that the ingester writes, of its own jobs and of Slurm's. */
const KIND_OF_STATE: ReadonlyMap<string, StateKind> = new Map([
  ['RUNNING', 'running'],
  ['COMPLETING', 'running'],
  ['PENDING', 'waiting'],
  ['CONFIGURING', 'waiting'],
  ['REQUEUED', 'waiting'],
  ['SUSPENDED', 'waiting'],
  ['COMPLETED', 'completed'],
  ['CANCELLED', 'stopped'],
  ['PREEMPTED', 'stopped'],
  ['FAILED', 'failed'],
  ['LOST', 'failed'],
  ['TIMEOUT', 'failed'],
  ['DEADLINE', 'failed'],
  ['OUT_OF_MEMORY', 'failed'],
  ['NODE_FAIL', 'failed'],
  ['BOOT_FAIL', 'failed'],
]);

/** A job that is only piped has no state: it runs while lines come. */
export function readStateKind({ state, to }: { readonly state: string | undefined; readonly to: string }): StateKind {
  if (state === undefined) return to === 'now' ? 'running' : 'unknown';
  return KIND_OF_STATE.get(state.toUpperCase()) ?? 'unknown';
}

/** `OUT_OF_MEMORY` as `Out of memory`: states read alike on every page, and are stored as Slurm spells them. */
export function formatStateName(state: string): string {
  const words = state.replaceAll('_', ' ').toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Of a column of states: how each that the ingester writes is shown, in Grafana's own tables, too. */
export const STATE_MAPPINGS: readonly ValueMapping[] = [
  {
    type: MappingType.ValueToText,
    options: Object.fromEntries([...KIND_OF_STATE.keys()].map((state) => [state, { text: formatStateName(state) }])),
  },
];
