import { useCallback, useEffect, useRef } from 'react';
import { flushSync } from 'react-dom';

/** Runs the last of the tasks that come within a frame, with the next frame: a mouse tells more than a screen shows. */
export function useFrame(): (task: () => void) => void {
  const handle = useRef<number | undefined>(undefined);
  const latest = useRef<() => void>(() => undefined);
  useEffect(
    () => () => {
      if (handle.current !== undefined) cancelAnimationFrame(handle.current);
    },
    []
  );
  return useCallback((task) => {
    latest.current = task;
    handle.current ??= requestAnimationFrame(() => {
      handle.current = undefined;
      // Else React would draw it one frame later.
      flushSync(latest.current);
    });
  }, []);
}
