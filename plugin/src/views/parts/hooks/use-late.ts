import { useEffect, useState } from 'react';

/** An answer that comes sooner shows no sign that it is awaited. */
const SLOW_MS = 400;

/** Whether something has lasted for a while: what is over sooner needs no word. */
export function useLate(isOn: boolean): boolean {
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    if (!isOn) return undefined;
    const timer = setTimeout(() => setLate(true), SLOW_MS);
    return () => {
      clearTimeout(timer);
      setLate(false);
    };
  }, [isOn]);
  return isOn && isLate;
}
