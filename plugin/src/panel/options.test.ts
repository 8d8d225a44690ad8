import fc from 'fast-check';
import { readTableOptions } from '../views/table.js';
import { DEFAULT_OPTIONS, readOptions, type PanelOptions } from './options.js';
import { chooseLayout, splitHeight } from './view-layout.js';

it.each<[string, Partial<PanelOptions> | undefined, Partial<PanelOptions>]>([
  ['nothing stored', undefined, DEFAULT_OPTIONS],
  ['one view', { views: ['log'] }, { views: ['log'], layout: 'auto' }],
  ['views in a fixed order', { views: ['log', 'graph'] }, { views: ['graph', 'log'] }],
  ['no view', { views: [] }, { views: ['graph', 'table', 'log'] }],
])('reads options with %s', (_name, stored, expected) => {
  expect(readOptions(stored)).toMatchObject(expected);
});

it.each([
  ['nothing stored', {}, { newestFirst: true, pageSize: 100 }],
  ['a page of nothing', { pageSize: 0 }, { pageSize: 100 }],
  ['a broken page size', { pageSize: NaN }, { pageSize: 100 }],
  ['a page without end', { pageSize: 1e9 }, { pageSize: 10_000 }],
])('reads options of the table with %s', (_name, stored, expected) => {
  expect(readTableOptions(stored)).toMatchObject(expected);
});

it.each([
  ['auto', 3, 700, 'stack'],
  ['auto', 3, 500, 'tabs'],
  ['auto', 2, 408, 'stack'],
  ['tabs', 2, 2000, 'tabs'],
  ['stack', 3, 100, 'stack'],
] as const)('lays %s with %p views in %p px out as %s', (layout, count, height, expected) => {
  expect(chooseLayout(layout, count, height)).toBe(expected);
});

it('fills the panel with a stack and its gaps, never more', () => {
  fc.assert(
    fc.property(fc.subarray(['graph', 'table', 'log'] as const, { minLength: 1 }), fc.nat(3000), (views, height) => {
      const heights = splitHeight(views, height);
      const used = heights.reduce((sum, each) => sum + each, 0) + 8 * (views.length - 1);
      expect(used).toBeLessThanOrEqual(Math.max(height, 8 * (views.length - 1)));
      expect(heights.every((each) => each >= 0)).toBe(true);
    })
  );
});
