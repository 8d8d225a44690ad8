import { rmSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { DiscoveredJob } from '../file-discovery.js';
import { ann, createWatched, type Watched } from './testing/watched.js';

const FILES = 300;
/** What may stay of files that are gone. */
const FEW = 40;
const HOUR_MS = 3_600_000;

type Collection = Map<unknown, unknown> | Set<unknown>;
let collections: WeakRef<Collection>[] = [];
const seen = new WeakSet<Collection>();

let restore: (() => void)[] = [];

/** Notes each map and set that anything is put into, so that none is left out that nobody thought of. */
function noteCollections(): void {
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
}

/** The large ones that are still in use: the names of their first entries. */
async function listLarge(): Promise<string[]> {
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as () => void;
  // References that were followed in this turn are kept until the next.
  await new Promise((resolve) => setTimeout(resolve, 10));
  collectGarbage();
  return collections.flatMap((reference) => {
    const collection = reference.deref();
    if (collection === undefined || collection.size <= FEW) return [];
    const [first] = collection.keys();
    return [`${collection.size}: ${String(first).slice(0, 80)}`];
  });
}

afterEach(() => {
  for (const step of restore) step();
  restore = [];
  collections = [];
});

function list(watched: Watched, rest: Partial<DiscoveredJob>): DiscoveredJob[] {
  return Array.from({ length: FILES }, (_, i) => {
    const name = `a b'(${i})`;
    watched.append('x\n', `${name}.out`);
    return { id: name, files: [{ path: watched.at(`${name}.out`), stream: 'stdout' }], ...rest };
  });
}

it.each<[string, boolean, Partial<DiscoveredJob>]>([
  ['logged files', true, {}],
  ['files that are not logged', false, {}],
  ['logged jobs of a scheduler', true, { owner: ann }],
  ['jobs of a scheduler that are not logged', false, { owner: ann }],
])('keeps nothing of many %s that are gone', async (_what, isLogged, rest) => {
  noteCollections();
  const watched = createWatched();
  if (!isLogged) rmSync(watched.optInPath);
  watched.jobs = list(watched, rest);
  await watched.poll();
  if (rest.owner !== undefined) watched.jobs = watched.jobs.map((job) => ({ ...job, isEnded: true }));
  for (let i = 0; i < 3; i += 1) await watched.poll();
  for (const { files } of watched.jobs) for (const { path } of files) rmSync(path);
  watched.jobs = [];
  await watched.poll();
  await watched.pass(2 * HOUR_MS, []);
  await watched.pass(2 * HOUR_MS, []);
  watched.records = [];
  expect(await listLarge()).toEqual([]);
  await watched.close();
});
