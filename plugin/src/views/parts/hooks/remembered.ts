import { useCallback, useState } from 'react';

const PREFIX = 'joblens.';

/** What this browser remembers under a name. It may forbid its storage, or have none. */
function readStored(name: string): string | undefined {
  try {
    return window.localStorage.getItem(PREFIX + name) ?? undefined;
  } catch {
    return undefined;
  }
}

/** Where nothing can be stored, or nothing more, a choice holds until the page is closed. */
export function writeStored(name: string, text: string): void {
  try {
    window.localStorage.setItem(PREFIX + name, text);
  } catch {
    // The choice is in the state of its view as well.
  }
}

/** The JSON that this browser remembers under a name; undefined where there is none, or no JSON. */
export function readStoredJson(name: string): unknown {
  const text = readStored(name);
  try {
    return text === undefined ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Like useState, for a choice that this browser remembers for all pages. */
export function useRemembered(name: string, initial: boolean): [boolean, (value: boolean) => void] {
  const [value, setValue] = useState(() => {
    const text = readStored(name);
    return text === undefined ? initial : text === 'true';
  });
  const change = useCallback(
    (next: boolean) => {
      setValue(next);
      writeStored(name, String(next));
    },
    [name]
  );
  return [value, change];
}
