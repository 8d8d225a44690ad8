import { env } from 'node:process';
import fc from 'fast-check';

// Property tests try the same cases each time, so that a change is to blame for what fails. JOBLENS_SEED=random, or a number, looks for others.
const seed = env['JOBLENS_SEED'] ?? '1';
if (seed !== 'random') fc.configureGlobal({ seed: Number(seed) });
