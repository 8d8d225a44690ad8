import { createRunCase } from './shared/run.mjs';

export const runLogging = createRunCase({
  name: 'run-logging',
  work: 'under joblens run --out FILE',
  timeAtMost: 1.5,
  isLogging: true,
});
