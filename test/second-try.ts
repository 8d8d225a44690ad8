import { env } from 'node:process';

/** Tries a test that fails a second time, and prints both failures: run-jest.mjs names it as unsteady at the end. */
if (env['JOBLENS_SECOND_TRY'] === '1') jest.retryTimes(1, { logErrorsBeforeRetry: true, retryImmediately: true });
