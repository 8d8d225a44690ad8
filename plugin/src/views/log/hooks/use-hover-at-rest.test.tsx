import { act, renderHook } from '@testing-library/react';
import type { PanelLogLine } from '../model/log-model.js';
import { useHoverAtRest } from './use-hover-at-rest.js';

const line = (id: string): PanelLogLine => ({ id }) as PanelLogLine;

it('tells of each line under the mouse once, and of none that passes by while the lines scroll', () => {
  const told: Array<string | undefined> = [];
  const scrolling = { isScrolling: false };
  const tell = (hovered: PanelLogLine | undefined): void => {
    told.push(hovered?.id);
  };
  const { result } = renderHook(() => useHoverAtRest(tell, scrolling));
  act(() => {
    result.current(line('a'));
    result.current(line('a'));
    scrolling.isScrolling = true;
    result.current(line('b'));
    scrolling.isScrolling = false;
    result.current(line('c'));
    scrolling.isScrolling = true;
    result.current(undefined);
  });
  expect(told).toEqual(['a', 'c', undefined]);
});
