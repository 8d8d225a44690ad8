import { env } from 'node:process';
import fc from 'fast-check';

/*
 * Every test that tries random cases follows two settings:
 *
 *   JOBLENS_TEST_SIZE=100   a hundred times as many cases as usual
 *   JOBLENS_SEED=7          other cases than in the gate, whose seed is 1; `random` takes the seed from the clock
 *
 * So each run of the gate tries the same cases, and a change is to blame for what fails.
 * Jest loads this file before each suite; a suite that says how much it tries also imports it.
 */
const size = Number(env['JOBLENS_TEST_SIZE'] ?? '1');
if (!(size > 0)) throw new Error('JOBLENS_TEST_SIZE is a factor above 0');

/** The seed of all random cases. A suite that does not use fast-check says it in its name. */
export const SEED = env['JOBLENS_SEED'] === 'random' ? Date.now() % 1e9 : Number(env['JOBLENS_SEED'] ?? '1');
if (!Number.isInteger(SEED)) throw new Error('JOBLENS_SEED is a whole number or `random`');

/** How many cases to try where so many are usual. */
export function randomCases(usualCases: number): number {
  return Math.max(1, Math.round(usualCases * size));
}

fc.configureGlobal({ seed: SEED, numRuns: randomCases(100) });
// More cases take longer; suites with a time limit of their own count their cases.
if (size > 1) jest.setTimeout(300_000 * size);
