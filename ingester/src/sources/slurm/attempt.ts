/** Does what may fail because of one record; undefined when it failed, of which `onFault` is told. */
export function attempt<T>(step: () => T, onFault: (error: unknown) => void): T | undefined {
  try {
    return step();
  } catch (error) {
    onFault(error);
    return undefined;
  }
}

export function rethrow(error: unknown): never {
  throw error;
}
