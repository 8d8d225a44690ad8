import { createMetadataReader } from '@joblens/core/metadata/metadata-reader';
import { LINES_LAYOUT } from './lines-module.js';
import { TableTree } from './table-tree.js';

/** Reads each line twice, so that its table is added. */
function addTables(tree: TableTree, lines: readonly string[]): void {
  const reader = createMetadataReader({ job: '1', user: 'ann' }, tree);
  for (const line of [...lines, ...lines]) reader.read(line, { nonfinite: 'log' });
}

describe('the tree of tables', () => {
  it('shares what lines begin with', () => {
    const [one, two] = [new TableTree(), new TableTree()];
    const long = `"a key ${'x'.repeat(400)}": 1`;
    addTables(one, [`{${long}, "b": 2}`]);
    addTables(two, [`{${long}, "b": 2}`, `{${long}, "c": 2}`]);
    expect(two.bytes.length - one.bytes.length).toBeLessThan(one.bytes.length / 2);
  });

  it('begins anew when it is full, and keeps within its room', () => {
    const tree = new TableTree();
    const lines = Array.from(
      { length: 900 },
      (_, i) => `{"k${i} ${'x'.repeat(300)}": 1, "l${i}": "${'y'.repeat(500)}"}`
    );
    const reader = createMetadataReader({ job: '1', user: 'ann' }, tree);
    const sizes = [...lines, ...lines].map((line) => {
      reader.read(line, { nonfinite: 'log' });
      return tree.bytes.length;
    });
    expect(Math.max(...sizes)).toBeGreaterThan(LINES_LAYOUT.TREE_BYTES / 2);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(LINES_LAYOUT.TREE_BYTES);
    expect(sizes.some((size, i) => size < (sizes[i - 1] ?? 0))).toBe(true);
    expect(tree.isEmpty).toBe(false);
  });

  it('leaves out a table that is too large, but knows it', () => {
    const tree = new TableTree();
    const added: boolean[] = [];
    const reader = createMetadataReader(
      { job: '1', user: 'ann' },
      {
        has: (layout) => tree.has(layout),
        add(table) {
          tree.add(table);
          added.push(tree.has(table.layout));
        },
      }
    );
    const line = `{${Array.from({ length: 1100 }, (_, i) => `"k${i}": 1`).join(', ')}}`;
    for (let i = 0; i < 3; i += 1) reader.read(line, { nonfinite: 'log' });
    expect([added, tree.isEmpty]).toEqual([[true], true]);
  });
});
