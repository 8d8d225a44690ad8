import { createRunCase } from './shared/run.mjs';

export const runPassing = createRunCase({
  name: 'run-passing',
  work: 'under joblens run without an opt-in',
  timeAtMost: 1.15,
  isLogging: false,
});
