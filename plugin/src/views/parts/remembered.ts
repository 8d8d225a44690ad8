import { useCallback, useState } from 'react';

const PREFIX = 'joblens.';

/** A browser may forbid its storage, or have none. */
function read(name: string): boolean | undefined {
  try {
    const text = window.localStorage.getItem(PREFIX + name);
    return text === null ? undefined : text === 'true';
  } catch {
    return undefined;
  }
}

function write(name: string, value: boolean): void {
  try {
    window.localStorage.setItem(PREFIX + name, String(value));
  } catch {
    // It holds until the page is closed.
  }
}

/** Like useState, for a choice that this browser remembers for all pages. */
export function useRemembered(name: string, initial: boolean): [boolean, (value: boolean) => void] {
  const [value, setValue] = useState(() => read(name) ?? initial);
  const change = useCallback(
    (next: boolean) => {
      setValue(next);
      write(name, next);
    },
    [name]
  );
  return [value, change];
}
