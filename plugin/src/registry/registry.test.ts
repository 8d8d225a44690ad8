import type { OptionsBuilder, View } from '../views/view.js';
import { findQueryType, QUERY_TYPES, type QueryTypeName, VIEWS } from './registry.js';

const views: readonly View[] = Object.values(VIEWS);

it.each(Object.entries<View>(VIEWS))('has the query type that the view %s needs', (_name, { needs }) => {
  expect(Object.keys(QUERY_TYPES)).toContain(needs.queryType);
  expect(QUERY_TYPES[needs.queryType as QueryTypeName].label).toBe(needs.label);
});

it('gives each option of a view a name of its own', () => {
  const paths: string[] = ['views', 'layout'];
  const builder: unknown = new Proxy({}, { get: () => collect });
  function collect({ path }: { path: string }): unknown {
    paths.push(path);
    return builder;
  }
  for (const view of views) view.addOptions(builder as OptionsBuilder);
  expect(paths).toEqual([...new Set(paths)]);
  // Dashboards store them under these names.
  expect(paths).toEqual(
    expect.arrayContaining(['views', 'layout', 'x', 'newestFirst', 'pageSize', 'logOrder', 'follow'])
  );
});

it.each([
  [undefined, QUERY_TYPES.logs],
  ['metadata', QUERY_TYPES.metadata],
  ['of a newer version', undefined],
  ['toString', undefined],
])('finds the type %p', (queryType, type) => {
  expect(findQueryType({ refId: 'A', ...(queryType !== undefined && { queryType }) })).toBe(type);
});
