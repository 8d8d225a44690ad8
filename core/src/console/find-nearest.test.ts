import { findNearest, suggestNearest } from './find-nearest.js';

it.each<[string, readonly string[], string | undefined]>([
  ['faild', ['RUNNING', 'FAILED', 'TIMEOUT'], 'FAILED'],
  ['lgo', ['jobs', 'log', 'plot'], 'log'],
  ['loss', ['step', 'train/loss', 'val.loss'], 'train/loss'],
  ['Loss', ['train_acc', 'loss'], 'loss'],
  ['los', ['loss', 'lost'], 'loss'],
  ['val loss (a)', ['step'], undefined],
  ['x', ['step', 'epoch'], undefined],
  ['', ['a'], undefined],
  ['completely', ['COMPLETED'], 'COMPLETED'],
  ['a'.repeat(5000), ['a'.repeat(4999)], undefined],
  ['--', ['-', '(', '.'], undefined],
  ['x', ['', ' ', 'y'], undefined],
])('for %j among %j it is %j', (word, candidates, nearest) => {
  expect(findNearest(word, candidates)).toBe(nearest);
});

it.each([
  ['faild', ['FAILED', 'TIMEOUT'], '; did you mean FAILED?'],
  ['a(b)-c', ['a(b)-\x1bc'], '; did you mean a(b)-\ufffdc?'],
  ['x', ['unlike'], ''],
])('suggests for %j what may be meant', (word, candidates, expected) => {
  expect(suggestNearest(word, candidates)).toBe(expected);
});
