import { createRef, freezeNode } from '../../influxql/build.js';
import type { Condition } from '../../influxql/nodes.js';

/** No job has such a name, whatever it is called: `encodeName` writes this character twice, or a capital behind it. */
const PREFIX = '\u241bdeleted-';
const DIGITS = 10;

/**
 * A name for the changes of state of a deleted job, which stay so that reports still count them. `random` is at least 0
 * and below 1.
 */
export function createForgottenName(random: number): string {
  const id = Math.floor(random * 16 ** DIGITS).toString(16);
  return PREFIX + id.padStart(DIGITS, '0');
}

/** The change of state is of a job that still has a name: for lists that name jobs, and lead to them. */
export const IS_REMEMBERED: Condition = freezeNode({
  kind: 'match',
  left: createRef('job'),
  operator: '!~',
  source: `^${PREFIX}`,
});

/** Whether the name, as stored, is a deleted job's. */
export function isForgottenName(job: string): boolean {
  return job.startsWith(PREFIX);
}
