import React, { useCallback, useContext, useEffect, useReducer } from 'react';

interface Slot {
  readonly resetKey: string;
  readonly value: unknown;
}

/** The values by name. A new map forgets them all. */
export type KeptValues = Map<string, Slot>;

export const KeptValuesContext = React.createContext<KeptValues>(new Map());

/**
 * Like useState, but the panel keeps the value while a tab hides the view. It starts anew when `resetKey` changes and
 * when another job is shown; it never gets into the dashboard.
 * @param name unique in the panel
 */
export function useKeptState<T>(name: string, resetKey: string, initial: T): [T, (value: T) => void] {
  const values = useContext(KeptValuesContext);
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  const slot = values.get(name);
  const isKept = slot?.resetKey === resetKey;
  useEffect(() => {
    if (!isKept) values.delete(name);
  }, [isKept, values, name]);
  const setValue = useCallback(
    (value: T) => {
      values.set(name, { resetKey, value });
      redraw();
    },
    [values, name, resetKey]
  );
  return [isKept ? (slot.value as T) : initial, setValue];
}
