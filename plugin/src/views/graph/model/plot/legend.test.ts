import fc from 'fast-check';
import { clickLegend, type LegendClick } from './legend.js';

const NAMES = ['A', 'B', 'C'];

function visibleAfter(visible: string, label: string | readonly string[] | null, click: LegendClick): string {
  const hidden = new Set(NAMES.filter((name) => !visible.includes(name)));
  const after = clickLegend(hidden, NAMES, label, click);
  return NAMES.filter((name) => !after.has(name)).join('');
}

it.each<[before: string, label: string | readonly string[] | null, click: LegendClick, after: string]>([
  ['ABC', 'A', 'select', 'A'],
  ['A', 'A', 'select', 'ABC'],
  ['BC', 'A', 'select', 'A'],
  ['AB', 'A', 'select', 'A'],
  ['', 'A', 'select', 'A'],
  ['ABC', 'A', 'append', 'BC'],
  ['A', 'A', 'append', ''],
  ['BC', 'A', 'append', 'ABC'],
  ['', 'A', 'append', 'A'],
  ['ABC', ['A', 'C'], 'setExactly', 'AC'],
  ['ABC', ['A', 'C'], 'select', 'AC'],
  ['AC', ['A', 'C'], 'select', 'ABC'],
  ['ABC', ['A', 'C'], 'append', 'B'],
  ['AB', ['A', 'C'], 'append', 'B'],
  ['B', ['A', 'C'], 'append', 'ABC'],
  ['A', null, 'setExactly', 'ABC'],
])('%p, %p by %s shows %p', (before, label, click, after) => {
  expect(visibleAfter(before, label, click)).toBe(after);
});

it('leaves the names of other graphs as they are', () => {
  expect(clickLegend(new Set(['X']), NAMES, 'A', 'select')).toEqual(new Set(['X', 'B', 'C']));
});

it('shows a name that comes later', () => {
  const hidden = clickLegend(new Set(), NAMES, 'A', 'select');
  expect(hidden.has('D')).toBe(false);
});

const hiddenArbitrary = fc.subarray([...NAMES, 'X']).map((names) => new Set(names));

it('returns to the same lines when a line is switched twice', () => {
  fc.assert(
    fc.property(hiddenArbitrary, fc.constantFrom(...NAMES), (hidden, name) => {
      const twice = clickLegend(clickLegend(hidden, NAMES, name, 'append'), NAMES, name, 'append');
      expect(twice).toEqual(hidden);
    })
  );
});

it('shows just one, then all, when a line is clicked twice', () => {
  fc.assert(
    fc.property(fc.subarray(NAMES), fc.constantFrom(...NAMES), (hiddenNames, name) => {
      const hidden = new Set(hiddenNames);
      fc.pre(!(hidden.size === NAMES.length - 1 && !hidden.has(name)));
      const once = clickLegend(hidden, NAMES, name, 'select');
      expect(NAMES.filter((each) => !once.has(each))).toEqual([name]);
      expect(clickLegend(once, NAMES, name, 'select')).toEqual(new Set());
    })
  );
});
