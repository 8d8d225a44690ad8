import { rmSync } from 'node:fs';
import { noteCollections, type NotedCollections } from '../../../../test/large-collections.js';
import type { DiscoveredJob } from '../file-discovery.js';
import { EntryBook } from './watched-entries.js';
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

it('keeps the newest files that are gone, of so many as it may, whenever they went', () => {
  const book = new EntryBook(FEW);
  const known = (): number => [...book.all()].length;
  for (let i = 0; i < FILES; i += 1) {
    const job: DiscoveredJob = { id: `a b'(${i})`, files: [{ path: `/w/a b'(${i}).out`, stream: 'stdout' }] };
    book.beginListing([job]);
    for (const file of job.files) book.list(job, file, i);
    book.endListing(i);
    book.takeUnlisted(-Infinity);
    expect(known()).toBeLessThanOrEqual(FEW + 1);
  }
  expect([...book.all()].map(({ path }) => path)).toEqual(
    Array.from({ length: FEW + 1 }, (_, i) => `/w/a b'(${FILES - FEW - 1 + i}).out`)
  );
  book.beginListing([]);
  book.endListing(FILES);
  // All that go at once are as old as each other.
  expect(book.takeUnlisted(-Infinity)).toHaveLength(1);
});

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
