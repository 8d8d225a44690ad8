import { createMetadataReader } from '@joblens/core';
import { PrintedTables } from './printed-tables.js';

/** Tables of one column each, which come in this order. */
function createTables(count: number): { readonly tables: PrintedTables; readonly names: readonly string[] } {
  const tables = new PrintedTables();
  const reader = createMetadataReader({ job: '1', user: 'ann' }, (table) => tables.add(table));
  const names = Array.from({ length: count }, (_, i) => `t${i}`);
  for (const name of names) {
    for (let i = 0; i < 2; i += 1) reader.read(`{"${name}": 1}`, { nonfinite: 'log' });
  }
  return { tables, names };
}

/** The tables that were tried for a line of this one. */
function tryFor(tables: PrintedTables, name: string): string[] {
  const tried: string[] = [];
  const found = tables.find(({ layout }) => {
    tried.push(layout.series);
    return layout.series === name ? name : undefined;
  });
  return found === undefined ? [...tried, 'none'] : tried;
}

describe('PrintedTables', () => {
  it('tries each table once, the newest first', () => {
    const { tables } = createTables(3);
    expect(tryFor(tables, 'other')).toEqual(['t2', 't1', 't0', 'none']);
    expect(tryFor(tables, 't0')).toEqual(['t2', 't1', 't0']);
  });

  it('expects the table that came after the last one before', () => {
    const { tables } = createTables(3);
    for (const name of ['t0', 't1', 't0']) tryFor(tables, name);
    expect(tryFor(tables, 't1')).toEqual(['t1']);
    expect(tryFor(tables, 't0')).toEqual(['t0']);
    expect(tryFor(tables, 't2')).toEqual(['t1', 't2']);
    expect(tryFor(tables, 'other')).toEqual(['t2', 't1', 't0', 'none']);
    expect(tryFor(tables, 't0')).toEqual(['t2', 't1', 't0']);
  });

  it('keeps sixteen', () => {
    const { tables, names } = createTables(20);
    expect(names.filter((name) => !tryFor(tables, name).includes('none'))).toEqual(names.slice(4));
  });
});
