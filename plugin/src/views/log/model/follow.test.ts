import { followAfterScroll, isAtNewest } from './follow.js';

const place = (scrollTop: number) => ({ scrollTop, scrollHeight: 1000, clientHeight: 200 });

it.each([
  ['away from the end by hand', true, true, 500, 'asc', false],
  ['to the end by hand', false, true, 800, 'asc', true],
  ['nearly to the end by hand', false, true, 790, 'asc', true],
  ['away without a hand, as new lines do', true, false, 500, 'asc', true],
  ['to the end without a hand', false, false, 800, 'asc', false],
  ['away from the top by hand', true, true, 500, 'desc', false],
  ['to the top by hand', false, true, 0, 'desc', true],
] as const)('follows after scrolling %s', (_name, was, isByHand, scrollTop, order, expected) => {
  expect(followAfterScroll(was, isByHand, place(scrollTop), order)).toBe(expected);
});

it('is at the newest line when nothing can be scrolled', () => {
  expect(isAtNewest({ scrollTop: 0, scrollHeight: 100, clientHeight: 200 }, 'asc')).toBe(true);
});
