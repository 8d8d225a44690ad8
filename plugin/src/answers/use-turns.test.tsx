import { renderHook } from '@testing-library/react';
import { useTurns } from './use-turns.js';

describe('a turn', () => {
  it('is the newest until another one begins', () => {
    const { result } = renderHook(() => useTurns('a'));
    const isFirst = result.current();
    expect(isFirst()).toBe(true);
    const isSecond = result.current();
    expect([isFirst(), isSecond()]).toEqual([false, true]);
  });

  it('ends with what the question was about, and lasts while only the rest changes', () => {
    const { result, rerender, unmount } = renderHook(({ key }) => useTurns(key), { initialProps: { key: 'a' } });
    const start = result.current;
    const isOfA = start();
    rerender({ key: 'a' });
    expect([isOfA(), result.current === start]).toEqual([true, true]);
    rerender({ key: 'b -(1)' });
    expect(isOfA()).toBe(false);
    const isOfB = start();
    unmount();
    expect(isOfB()).toBe(false);
  });
});
