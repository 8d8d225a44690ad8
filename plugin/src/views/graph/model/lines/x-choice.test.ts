import { formatXWish, readXWish } from './x-choice.js';

describe('a wish for X', () => {
  it.each(['time', 'relative', 'epoch', 'key:a.b (c)'])('%s of the options is not one of the viewer', (option) => {
    const wish = readXWish(option);
    expect(wish).toMatchObject({ isOfOptions: true });
    expect(formatXWish(wish)).toBe(formatXWish(readXWish(formatXWish(wish))));
  });
});
