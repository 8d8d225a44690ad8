import { rmSync } from 'node:fs';
import { noteCollections, type NotedCollections } from '../../testing/large-collections.js';
import type { DiscoveredJob } from '../file-discovery.js';
import { ann, createWatched, type Watched } from './testing/watched.js';

const FILES = 300;
/** What may stay of files that are gone. */
const FEW = 40;
const HOUR_MS = 3_600_000;

let noted: NotedCollections | undefined;
afterEach(() => noted?.end());

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
  noted = noteCollections();
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
  expect(await noted.listLarge(FEW)).toEqual([]);
  await watched.close();
});
