import { useRef } from 'react';

/** The value that came first, while what comes is the same as JSON: what was made of it need not be made again. */
export function useSame<T>(found: T): T {
  const kept = useRef(found);
  if (kept.current !== found && JSON.stringify(kept.current) !== JSON.stringify(found)) kept.current = found;
  return kept.current;
}
