import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

type Collection = Map<unknown, unknown> | Set<unknown>;

/** Knows each map and set that anything is put into, so that none is left out that nobody thought of. */
export interface NotedCollections {
  /** Lists those with more entries than that which are still in use, by the names of their first entries. */
  listLarge(few: number): Promise<string[]>;
  /** Notes no more. */
  end(): void;
}

export function noteCollections(): NotedCollections {
  const seen = new WeakSet<Collection>();
  const collections: WeakRef<Collection>[] = [];
  const restore: (() => void)[] = [];
  for (const [owner, name] of [
    [Map.prototype, 'set'],
    [Set.prototype, 'add'],
  ] as const) {
    const methods = owner as unknown as Record<string, (...values: unknown[]) => unknown>;
    const real = methods[name] as (...values: unknown[]) => unknown;
    restore.push(() => void (methods[name] = real));
    methods[name] = function (this: unknown, ...values) {
      const collection = this as Collection;
      if (!seen.has(collection)) {
        seen.add(collection);
        collections.push(new WeakRef(collection));
      }
      return real.apply(this, values);
    };
  }
  return {
    async listLarge(few) {
      setFlagsFromString('--expose-gc');
      const collectGarbage = runInNewContext('gc') as () => void;
      // References that were followed in this turn are kept until the next.
      await new Promise((resolve) => setTimeout(resolve, 10));
      collectGarbage();
      return collections.flatMap((reference) => {
        const collection = reference.deref();
        if (collection === undefined || collection.size <= few) return [];
        const [first] = collection.keys();
        return [`${collection.size}: ${String(first).slice(0, 80)}`];
      });
    },
    end: () => restore.forEach((step) => step()),
  };
}
