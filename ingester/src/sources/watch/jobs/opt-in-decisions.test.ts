import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { OptInSource } from '../../../config/settings.js';
import type { OptIn } from '../../../rules/options/read-opt-in.js';
import { resolveOptIn } from '../../../session/resolve-opt-in.js';
import type { DiscoveredJob } from '../../file-discovery.js';
import { ann, createWatched, type Watched } from '../testing/watched.js';
import type { FindOwner } from './owner.js';
import { UndecidedJobError } from './undecided-job-error.js';

const JOB = "run-1.(a) 'b'";
const OWN: OptInSource = { kind: 'file', path: '/none/.logoptin', isExplicit: false };
const ENABLED: OptInSource = { kind: 'mode', mode: 'enabled' };

function list(watched: Watched, owner: DiscoveredJob['owner']): void {
  watched.jobs = [{ id: JOB, files: [{ path: watched.at('job.out'), stream: 'stdout' }], ...(owner && { owner }) }];
}

describe.each([
  ['a file', undefined],
  ['a job of a scheduler', ann],
])('the opt-in of %s', (_of, owner) => {
  let watched: Watched;
  beforeEach(() => {
    watched = createWatched();
    list(watched, owner);
    watched.append('one\n');
  });
  afterEach(() => watched.close());

  it.each<[string, OptInSource, OptInSource, string[]]>([
    ['holds when the same file is asked', OWN, OWN, []],
    ['does not hold for --mode', OWN, ENABLED, ['one', 'two']],
    ['does not hold for a named file', OWN, { kind: 'file', path: 'named', isExplicit: true }, ['one', 'two']],
  ])('that was missing %s', async (_title, first, second, lines) => {
    watched.optIn = first;
    watched.kill();
    await watched.poll();
    watched.append('two\n');
    writeFileSync(watched.optInPath, '');
    watched.optIn = second.kind === 'file' && second.isExplicit ? { ...second, path: watched.optInPath } : second;
    watched.kill();
    await watched.poll();
    expect(watched.log(JOB)).toEqual(lines);
    watched.kill();
    watched.append('three\n');
    await watched.poll();
    expect(watched.log(JOB)).toEqual(lines.length === 0 ? [] : [...lines, 'three']);
  });

  it.each(['EACCES', 'EIO', 'ESTALE', 'EMFILE', 'ETIMEDOUT'])(
    'is asked again after %s, and nothing is lost',
    async (code) => {
      let isRead = false;
      const unread: OptIn = { kind: 'invalid', message: `nothing is logged: .logoptin: ${code}`, mayPass: true };
      watched.resolve = (source, uid) => (isRead ? resolveOptIn(source, uid) : Promise.resolve(unread));
      await watched.poll();
      expect([watched.log(JOB), watched.said.length]).toEqual([[], 1]);
      watched.append('two\n');
      isRead = true;
      for (let i = 0; i < 4; i += 1) await watched.poll();
      expect(watched.log(JOB)).toEqual(['one', 'two']);
      expect(watched.said).toEqual([expect.stringContaining(`.logoptin: ${code}; it is read again`)]);
    }
  );

  it('is said to be unreadable again where it was read meanwhile', async () => {
    let isRead = false;
    const unread: OptIn = { kind: 'invalid', message: 'nothing is logged: .logoptin: EIO', mayPass: true };
    watched.resolve = (source, uid) => (isRead ? resolveOptIn(source, uid) : Promise.resolve(unread));
    for (const state of [false, false, true, true, false, false]) {
      isRead = state;
      const name = `job (${watched.jobs.length})`;
      watched.append('x\n', name);
      watched.jobs = [...watched.jobs, { id: name, files: [{ path: watched.at(name), stream: 'stdout' }] }];
      await watched.pass(30_000, [...watched.jobs]);
    }
    expect(watched.said).toHaveLength(2);
  });

  it.each<[string, FindOwner]>([
    ['does not answer', () => Promise.reject(new UndecidedJobError('getent does not answer'))],
    ['knows no home folder of the owner', (uid) => Promise.resolve({ uid, name: 'ann', homeFolder: undefined })],
  ])('is asked again while the user database %s, and nothing is lost', async (_how, findOwner) => {
    watched.optIn = OWN;
    watched.kill();
    watched.findOwner = findOwner;
    const home = mkdtempSync(join(tmpdir(), 'joblens-home-'));
    // A scheduler knows no home folders.
    if (owner !== undefined) list(watched, { uid: ann.uid, name: ann.name });
    for (let i = 0; i < 50; i += 1) await watched.pass(i % 7 === 0 ? 11_000 : 1000);
    expect(watched.log(JOB)).toEqual([]);
    watched.append('two\n');
    writeFileSync(join(home, '.logoptin'), '');
    watched.findOwner = () => Promise.resolve({ ...ann, homeFolder: home });
    for (let i = 0; i < 4; i += 1) await watched.poll();
    expect(watched.log(JOB)).toEqual(['one', 'two']);
    expect(watched.said.length).toBeLessThan(2);
    rmSync(home, { recursive: true });
  });

  it('is missing in the end where no home folder of the owner is ever known', async () => {
    watched.optIn = OWN;
    watched.kill();
    watched.findOwner = (uid) => Promise.resolve({ uid, name: 'ann', homeFolder: undefined });
    if (owner !== undefined) list(watched, { uid: ann.uid, name: ann.name });
    let asked = 0;
    for (let i = 0; i < 80; i += 1) await watched.pass(10_000);
    watched.findOwner = (uid) => Promise.resolve({ uid, name: `ann ${(asked += 1)}`, homeFolder: undefined });
    for (let i = 0; i < 20; i += 1) await watched.pass(10_000);
    expect([asked, watched.log(JOB), watched.said]).toEqual([
      ...[0, []],
      [expect.stringMatching(/^job .* of ann: the home folder of ann, .* --mode enabled .* it is read again/)],
    ]);
  });

  it('is not asked more often than every 10 s', async () => {
    let asked = 0;
    watched.resolve = () => {
      asked += 1;
      return Promise.resolve({ kind: 'invalid', message: 'no', mayPass: true });
    };
    for (let i = 0; i < 20; i += 1) await watched.pass(1000);
    expect(asked).toBe(2);
  });
});

it('says once of each owner that nothing is logged, and what to do, also after a restart', async () => {
  const watched = createWatched();
  watched.optIn = OWN;
  watched.kill();
  const paths = ['a b.out', '-c.out'];
  watched.jobs = paths.map((name) => ({ id: name, files: [{ path: watched.at(name), stream: 'stdout' as const }] }));
  for (const name of paths) watched.append('x\n', name);
  await watched.poll();
  const path = `${String(ann.homeFolder)}/.logoptin`;
  const advice = 'make it (empty is enough) or give --mode enabled';
  // Both files are looked at together: either may be the first.
  const [told = ''] = watched.told;
  expect(watched.told).toEqual([told]);
  expect(told.replace('-c.out', 'a b.out')).toBe(
    `nothing of ann's jobs is logged, such as a b.out: there is no ${path}; ${advice}`
  );
  watched.kill();
  await watched.poll();
  expect(watched.told.slice(1)).toEqual([
    expect.stringMatching(/^nothing of job (?:a b|-c)\.out of ann is logged, .*--mode enabled/),
  ]);
  await watched.close();
});

it('warns of a named file that is not there', async () => {
  const watched = createWatched();
  rmSync(watched.optInPath);
  list(watched, undefined);
  watched.append('x\n');
  await watched.poll();
  expect(watched.said).toEqual([`nothing is logged: there is no ${watched.optInPath}`]);
  await watched.close();
});
