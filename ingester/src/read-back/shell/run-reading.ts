import { type Ask, planRequests, type Reading } from '@joblens/core/ask/reading/reading';
import type { ReadableResult } from '@joblens/core/ask/reading/result-rows';
import { err, ok, type Result } from '@joblens/core/result/result';
import type { AskStore } from './ask-store.js';

/** Says in one line for the user why a request of a reading failed. */
class FailedRequest extends Error {
  override readonly name = 'FailedRequest';
}

/** Reads to the end, without the parts. The error is that of a request which the reading cannot do without. */
export async function runReading<T>(ask: AskStore, reading: Reading<T, unknown>): Promise<Result<T, string>> {
  try {
    let next = reading.next();
    while (next.done !== true) {
      const answer = 'soFar' in next.value ? ok([]) : await send(ask, next.value);
      next = answer.ok ? reading.next(answer.value) : reading.throw(new FailedRequest(answer.error));
    }
    return ok(next.value);
  } catch (error) {
    if (error instanceof FailedRequest) return err(error.message);
    throw error;
  }
}

async function send(ask: AskStore, asked: readonly Ask[]): Promise<Result<readonly ReadableResult[], string>> {
  const { requests, join } = planRequests(asked);
  const answers = await Promise.all(requests.map(ask));
  const failed = answers.find((answer) => !answer.ok);
  return failed ?? ok(join(answers.map((answer) => (answer.ok ? answer.value : []))));
}
