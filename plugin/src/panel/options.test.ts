import fc from 'fast-check';
import { readTableOptions } from '../views/table.js';
import { DEFAULT_OPTIONS, readOptions, type PanelOptions } from './options.js';
import { chooseLayout, GAP_PX, splitHeight, splitWidth } from './view-layout.js';

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
  ['auto', 3, 800, 700, 'stack'],
  ['auto', 3, 800, 500, 'tabs'],
  ['auto', 2, 800, 408, 'stack'],
  ['auto', 2, 1288, 400, 'columns'],
  ['auto', 2, 1287, 400, 'tabs'],
  ['auto', 2, 1900, 900, 'stack'],
  ['tabs', 2, 1900, 2000, 'tabs'],
  ['stack', 3, 1900, 100, 'stack'],
  ['columns', 2, 800, 900, 'columns'],
  ['columns', 2, 375, 900, 'stack'],
  ['columns', 2, 375, 300, 'tabs'],
] as const)('lays %s with %p views in %p by %p px out as %s', (layout, count, widthPx, heightPx, expected) => {
  expect(chooseLayout(layout, count, { widthPx, heightPx })).toBe(expected);
});

it.each([
  ['stack', splitHeight],
  ['row', splitWidth],
])('fills the panel with a %s of views and the gaps between them, never more', (_name, split) => {
  fc.assert(
    fc.property(fc.subarray(['graph', 'table', 'log'] as const, { minLength: 1 }), fc.nat(3000), (views, room) => {
      const parts = split(views, room);
      const used = parts.reduce((sum, each) => sum + each, 0) + GAP_PX * (views.length - 1);
      expect(used).toBeLessThanOrEqual(Math.max(room, GAP_PX * (views.length - 1)));
      expect(room - used).toBeLessThan(views.length);
      expect(parts.every((each) => each >= 0)).toBe(true);
    })
  );
});
