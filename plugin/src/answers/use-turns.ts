import { useCallback, useEffect, useRef } from 'react';

/**
 * Answers come in any order, and only that to the newest question is of use. A call begins a turn; what it returns says
 * whether that is still the newest one. Another key ends all turns, as does the end of the component.
 * @param key what the questions are about
 */
export function useTurns(key: unknown): () => () => boolean {
  const newest = useRef(0);
  useEffect(
    () => () => {
      newest.current += 1;
    },
    [key]
  );
  return useCallback(() => {
    newest.current += 1;
    const own = newest.current;
    return () => own === newest.current;
  }, []);
}
