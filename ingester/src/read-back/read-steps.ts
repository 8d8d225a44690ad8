import type { ReadStep, Result } from '@joblens/core';
import { ok } from '@joblens/core';
import type { AskStore } from './ask-store.js';

/** Reads to the end what takes several questions. */
export async function readSteps<Done extends { readonly kind: string }>(
  ask: AskStore,
  first: ReadStep<Done>
): Promise<Result<Done, string>> {
  let step = first;
  while ('statements' in step) {
    const answer = await ask(step.statements);
    if (!answer.ok) return answer;
    step = step.read(answer.value);
  }
  return ok(step);
}
