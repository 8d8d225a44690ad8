import type { Statement } from '@joblens/core/influxql/nodes';
import type { ReadStep } from '@joblens/core/queries/read-step';
import { map, type Observable, of, switchMap } from 'rxjs';
import { printAll, type RunContext } from './query-type.js';

/** What was read, and the statements that asked for it. */
export interface RunAnswer<Done> {
  readonly done: Done;
  readonly executedQuery: string;
}

/** Statements that a frame tells of, which may come from hundreds. */
const MAX_TOLD = 20;

/** Asks the store until everything is read. Errors with StoreError. */
export function runSteps<Done extends { readonly kind: string }>(
  step: ReadStep<Done>,
  context: Pick<RunContext, 'client'>,
  asked: readonly Statement[] = []
): Observable<RunAnswer<Done>> {
  if (!('statements' in step)) return of({ done: step, executedQuery: printAll(asked) });
  const told = [...asked, ...step.statements].slice(0, MAX_TOLD);
  const results = step.statements.length === 0 ? of([]) : context.client.query(step.statements);
  return results.pipe(
    map((answers) => step.read(answers)),
    switchMap((next) => runSteps(next, context, told))
  );
}

/** Lengths of bins that people can read. */
const STEPS_S = [1, 5, 10, 30, 60, 300, 600, 1800, 3600, 10_800, 21_600, 43_200, 86_400, 604_800];

/** The shortest of these lengths that cuts the range into no more than `bins`. */
export function chooseStepMs({ fromNs, toNs }: Pick<RunContext, 'fromNs' | 'toNs'>, bins: number): number {
  const rangeMs = Number((toNs - fromNs) / 1_000_000n);
  return 1000 * (STEPS_S.find((stepS) => stepS * 1000 * bins >= rangeMs) ?? 604_800);
}
