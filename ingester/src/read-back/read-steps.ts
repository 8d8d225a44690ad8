import type { Statement } from '@joblens/core/influxql/nodes';
import type { StatementResult } from '@joblens/core/influxql/response';
import type { ReadStep } from '@joblens/core/queries/read-step';
import { ok, type Result } from '@joblens/core/result/result';
import type { AskStore } from './ask-store.js';

/** Reads to the end what takes several questions. */
export async function readSteps<Done extends { readonly kind: string }>(
  ask: AskStore,
  first: ReadStep<Done>
): Promise<Result<Done, string>> {
  let step = first;
  while ('statements' in step) {
    const { statements, isSlow } = step;
    const answer = await (isSlow === true ? askApart(ask, statements) : ask(statements));
    if (!answer.ok) return answer;
    step = step.read(answer.value);
  }
  return ok(step);
}

/** Asks each statement in a request of its own, all at the same time. */
async function askApart(
  ask: AskStore,
  statements: readonly Statement[]
): Promise<Result<readonly StatementResult[], string>> {
  const answers = await Promise.all(statements.map((statement) => ask([statement])));
  const results: StatementResult[] = [];
  for (const answer of answers) {
    if (!answer.ok) return answer;
    results.push(...answer.value);
  }
  return ok(results);
}
