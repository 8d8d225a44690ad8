import type { Result } from '@joblens/core/result/result';
import type { Reading } from './reading.js';

/**
 * Asks for those who follow something until there is an answer: a store that is away for a while ends nothing. It is
 * said.
 */
export async function askUntilAnswered<T>(
  { report, host: { clock } }: Pick<Reading, 'report' | 'host'>,
  ask: () => Promise<Result<T, string>>,
  pauseMs: number
): Promise<T> {
  for (;;) {
    const answer = await ask();
    if (answer.ok) return answer.value;
    report.warn(`${answer.error}; asking again`, 'asking again');
    await clock.sleep(pauseMs);
  }
}
