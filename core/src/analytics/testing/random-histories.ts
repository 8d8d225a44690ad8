import fc from 'fast-check';
import type { Transition } from '../transition.js';

/** A job's life: when it was submitted, and each of its runs. */
export interface Life {
  readonly job: string;
  readonly user: string;
  readonly account: string;
  readonly nodes: number | undefined;
  readonly cpus: number;
  readonly submittedMs: number;
  readonly runs: ReadonlyArray<{ readonly waitMs: number; readonly lengthMs: number; readonly end: string }>;
}

/** Lives of which no two transitions of one job are at the same time. */
export function createLives(beginMs: number, spreadMs: number): fc.Arbitrary<readonly Life[]> {
  const run = fc.record({
    waitMs: fc.integer({ min: 1, max: spreadMs }),
    lengthMs: fc.integer({ min: 1, max: spreadMs }),
    end: fc.constantFrom('COMPLETED', 'FAILED', 'CANCELLED', 'TIMEOUT'),
  });
  const life = fc.record({
    user: fc.constantFrom('ann', 'bob'),
    account: fc.constantFrom('physics', 'maths'),
    nodes: fc.option(fc.integer({ min: 1, max: 8 }), { nil: undefined }),
    cpus: fc.integer({ min: 1, max: 64 }),
    submittedMs: fc.integer({ min: beginMs - spreadMs, max: beginMs + spreadMs }),
    runs: fc.array(run, { minLength: 1, maxLength: 3 }),
  });
  return fc.array(life, { maxLength: 12 }).map((lives) => lives.map((one, i) => ({ ...one, job: `job ${i}` })));
}

/** All transitions of a life. After a run that is not the last, the job waits again. */
export function listTransitions({ runs, submittedMs, nodes, ...life }: Life): Transition[] {
  const { job, user, account, cpus } = life;
  const known = { job, user, account, cpus, ...(nodes !== undefined && { nodes }) };
  const transitions: Transition[] = [{ ...known, timeMs: submittedMs, toState: 'PENDING' }];
  let timeMs = submittedMs;
  for (const [i, { waitMs, lengthMs, end }] of runs.entries()) {
    const startedMs = timeMs + waitMs;
    transitions.push({ ...known, timeMs: startedMs, fromState: 'PENDING', toState: 'RUNNING', waitS: waitMs / 1000 });
    timeMs = startedMs + lengthMs;
    const toState = i === runs.length - 1 ? end : 'PENDING';
    transitions.push({ ...known, timeMs, fromState: 'RUNNING', toState, startedMs });
  }
  return transitions;
}

/** The state of a job at an instant, found by looking at each of its transitions; and its start, if it runs. */
export function findState(
  life: Life,
  timeMs: number
): { readonly state: string; readonly startedMs: number } | undefined {
  const last = listTransitions(life).findLast((one) => one.timeMs <= timeMs);
  return last === undefined ? undefined : { state: last.toState, startedMs: last.timeMs };
}
