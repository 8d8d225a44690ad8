import fc from 'fast-check';
import { groupBy } from './group-by.js';

describe('groupBy', () => {
  it('keeps keys and items in their order', () => {
    const groups = groupBy(['b.1', 'a (x)', '-', 'b-2', ''], ([first]) => first);
    expect([...groups]).toEqual([
      ['b', ['b.1', 'b-2']],
      ['a', ['a (x)']],
      ['-', ['-']],
      [undefined, ['']],
    ]);
  });

  it('has each item once, where its key says', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -3, max: 3 })), (items) => {
        const groups = groupBy(items, Math.abs);
        expect([...groups.values()].flat()).toHaveLength(items.length);
        for (const [key, group] of groups) expect(group).toEqual(items.filter((item) => Math.abs(item) === key));
      })
    );
  });
});
