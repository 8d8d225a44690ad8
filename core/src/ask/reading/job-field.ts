import { createRef, freezeNode } from '../../influxql/build.js';
import type { Condition } from '../../influxql/nodes.js';
import { encodeName } from '../../schema/name-transport.js';

/** The field `job` is one of these, or none of them; one pattern, as each point is compared with each condition. */
export function createJobFieldCondition(jobs: readonly string[], operator: '=~' | '!~' = '=~'): Condition {
  const names = jobs.map((job) => encodeName(job).replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
  return freezeNode({ kind: 'match', left: createRef('job'), operator, source: `^(?:${names.join('|')})$` });
}
