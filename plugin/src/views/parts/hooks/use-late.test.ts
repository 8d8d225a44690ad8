import { act, renderHook } from '@testing-library/react';
import { useLate } from './use-late.js';

describe('what lasts', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('is late after a while, and each time anew', () => {
    const { result, rerender } = renderHook((isOn: boolean) => useLate(isOn), { initialProps: true });
    const pass = (ms: number): void => act(() => jest.advanceTimersByTime(ms));
    pass(399);
    expect(result.current).toBe(false);
    pass(1);
    expect(result.current).toBe(true);
    rerender(false);
    expect(result.current).toBe(false);
    rerender(true);
    pass(399);
    expect(result.current).toBe(false);
  });
});
