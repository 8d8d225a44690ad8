import { escapeRegex } from '../../words/escape-regex.js';
import { createRef, freezeNode } from '../../influxql/build.js';
import type { Condition } from '../../influxql/nodes.js';
import { encodeName } from '../../schema/name-transport.js';

/** The field `job` is one of these, or none of them; one pattern, as each point is compared with each condition. */
export function createJobFieldCondition(jobs: readonly string[], operator: '=~' | '!~' = '=~'): Condition {
  const names = jobs.map((job) => escapeRegex(encodeName(job)));
  return freezeNode({ kind: 'match', left: createRef('job'), operator, source: `^(?:${names.join('|')})$` });
}
