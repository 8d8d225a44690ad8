import { createKeyFilter, explainFilter } from './key-filter.js';

const NAMES = ['train/loss', 'val/loss', 'Accuracy', 'a(b'];

it.each<[string, string[], boolean]>([
  ['', NAMES, false],
  ['  ', NAMES, false],
  ['LOSS', ['train/loss', 'val/loss'], false],
  ['loss val', ['val/loss'], false],
  ['a(b', ['a(b'], false],
  ['nothing', [], false],
  ['/^val/', ['val/loss'], false],
  ['/acc/', [], false],
  ['/acc/i', ['Accuracy'], false],
  ['/train|Acc/', ['train/loss', 'Accuracy'], false],
  ['/unfinished', NAMES, true],
  ['/(/', NAMES, true],
  ['/', NAMES, true],
])('the filter %p leaves %p', (text, names, isBroken) => {
  expect(NAMES.filter(createKeyFilter(text))).toEqual(names);
  expect(explainFilter(text) !== undefined).toBe(isBroken);
});
