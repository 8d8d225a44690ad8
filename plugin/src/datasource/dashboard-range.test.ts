import { createTemplates } from '../../test/fake-templates.js';
import { readDashboardRange } from './dashboard-range.js';

function read(values: Record<string, string>): number[] {
  const { from, to } = readDashboardRange(createTemplates(values), 1_000_000_000_000);
  return [from.valueOf(), to.valueOf()];
}

it('is the range that the template service knows', () => {
  expect(read({ __from: '1700000000000', __to: '1700000060000' })).toEqual([1_700_000_000_000, 1_700_000_060_000]);
});

it('is the last week where it knows none', () => {
  expect(read({})).toEqual([1_000_000_000_000 - 7 * 86_400_000, 1_000_000_000_000]);
});
