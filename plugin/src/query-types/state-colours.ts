/** Colours of Grafana for the states that the ingester writes; each theme has its own shade of them. */
const COLOURS: ReadonlyMap<string, string> = new Map([
  ['RUNNING', 'blue'],
  ['COMPLETING', 'super-light-blue'],
  ['PENDING', 'yellow'],
  ['CONFIGURING', 'light-yellow'],
  ['REQUEUED', 'dark-yellow'],
  ['SUSPENDED', 'light-orange'],
  ['COMPLETED', 'green'],
  ['CANCELLED', 'semi-dark-purple'],
  ['PREEMPTED', 'light-purple'],
  ['FAILED', 'red'],
  ['TIMEOUT', 'orange'],
  ['OUT_OF_MEMORY', 'dark-red'],
  ['NODE_FAIL', 'super-light-red'],
]);

/** The same colour for a state everywhere; `undefined` for one that only its users know. */
export function readStateColour(state: string): string | undefined {
  return COLOURS.get(state.toUpperCase());
}
