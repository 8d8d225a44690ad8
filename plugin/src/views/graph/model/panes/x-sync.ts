type Listener = (x: number | undefined) => void;

/** The X under the mouse, shared by the graphs that are drawn against the same axis. */
export interface XSync {
  /** `undefined`: the mouse left. */
  publish(source: object, x: number | undefined): void;
  subscribe(source: object, listener: Listener): () => void;
}

export function createXSync(): XSync {
  const listeners = new Map<object, Listener>();
  return {
    publish(source, x) {
      for (const [key, listener] of listeners) if (key !== source) listener(x);
    },
    subscribe(source, listener) {
      listeners.set(source, listener);
      return () => {
        listeners.delete(source);
      };
    },
  };
}
