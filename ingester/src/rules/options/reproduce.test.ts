import { decideReproduce } from './reproduce.js';

it.each([
  [undefined, undefined, false, 'off'],
  [undefined, undefined, true, 'basic'],
  [undefined, 'off', true, 'off'],
  [undefined, 'full', false, 'full'],
  ['off', 'full', true, 'off'],
  ['full', 'off', false, 'full'],
] as const)('typed %p, opted in %p, of an experiment: %p: %s is kept', (typed, optedIn, isOfExperiment, level) => {
  expect(decideReproduce(typed, optedIn, isOfExperiment)).toBe(level);
});
