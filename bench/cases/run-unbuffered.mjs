import { createRunCase } from './shared/run.mjs';

export const runUnbuffered = createRunCase({
  name: 'run-unbuffered',
  work: 'each line by itself (python3 -u), under joblens run --out FILE',
  timeAtMost: 1.3,
  isLogging: true,
  pythonOptions: ['-u'],
});
