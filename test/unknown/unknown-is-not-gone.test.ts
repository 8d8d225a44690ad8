import { execFileSync } from 'node:child_process';
import { chmodSync, closeSync, constants, mkdirSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isGone } from '../../core/src/result/is-gone.js';
import { createSystemClock } from '../../ingester/src/clock/clock.js';
import { findSiteFile, readSiteFile } from '../../ingester/src/config/site-file.js';
import { BoundedPrograms } from '../../ingester/src/experiment/bounded-programs.js';
import { findPackages } from '../../ingester/src/experiment/find-packages.js';
import { readScript } from '../../ingester/src/experiment/kept-texts.js';
import { takeRun } from '../../ingester/src/experiment/take-run.js';
import { readTokens } from '../../ingester/src/gateway/user-tokens.js';
import type { Host } from '../../ingester/src/host/host.js';
import { readHostFacts } from '../../ingester/src/host/host-facts.js';
import { makeFolders } from '../../ingester/src/host/make-folders.js';
import { mayBeThere } from '../../ingester/src/host/may-be-there.js';
import { replaceFile } from '../../ingester/src/host/replace-file.js';
import { checkWholeSite } from '../../ingester/src/operate/check-site.js';
import { readPipeNote } from '../../ingester/src/peers/pipe-note.js';
import { checkRun } from '../../ingester/src/read-back/experiment/check-run.js';
import { readOptIn } from '../../ingester/src/rules/options/read-opt-in.js';
import { NamedSecrets } from '../../ingester/src/secrets/named-secrets.js';
import type { SessionOptions } from '../../ingester/src/session/session-options.js';
import { isThere } from '../../ingester/src/setup/parts/look.js';
import { readIfThere } from '../../ingester/src/setup/parts/site-settings.js';
import { unpack } from '../../ingester/src/setup/unpack/unpack.js';
import { HookEvents } from '../../ingester/src/sources/slurm/hook-events.js';
import { findFiles, findMissing } from '../../ingester/src/sources/watch/discovery/find-files.js';
import { createFileSystem } from '../../ingester/src/sources/watch/files/file-system.js';
import { identifyFile } from '../../ingester/src/sources/writers/identify-file.js';
import { findOwnOutputs } from '../../ingester/src/sources/writers/own-outputs.js';
import { findPipeLogger } from '../../ingester/src/sources/writers/pipe-loggers.js';
import { doesLeadTo } from '../../ingester/src/sources/writers/pipe-readers.js';
import { createNodeSpoolFs } from '../../ingester/src/spool/node-spool-fs.js';
import { ProcessTree } from '../../ingester/src/usage/process-tree.js';
import { createSystemFiles } from '../../ingester/src/usage/system-files.js';
import { readDashboards } from '../../standalone/src/server/dashboards.js';
import { StaticFiles } from '../../standalone/src/server/static-files.js';
import { startStandalone, type StartOptions } from '../../standalone/src/start.js';
import { nextDemoNumber, openStateFolder, readPort } from '../../standalone/src/state-folder.js';
import type * as Faults from './faulty-files.js';
import { faultyFiles } from './faulty-files.js';
import { findIn, findPlaces } from './find-places.js';

jest.mock('node:fs', () =>
  jest
    .requireActual<typeof Faults>('./faulty-files')
    .faultyFiles.makeFaulty(jest.requireActual<object>('node:fs'), false)
);
jest.mock('node:fs/promises', () =>
  jest
    .requireActual<typeof Faults>('./faulty-files')
    .faultyFiles.makeFaulty(jest.requireActual<object>('node:fs/promises'), true)
);

const { fail } = faultyFiles;

const CODES = ['EACCES', 'EIO', 'ESTALE', 'EDQUOT', 'EMFILE'] as const;
type Code = (typeof CODES)[number];
/** How Node and we call each of them. */
const SAID: Readonly<Record<Code, RegExp>> = {
  EACCES: /EACCES|permission denied/,
  EIO: /EIO/,
  ESTALE: /ESTALE|Unknown system error -116/,
  EDQUOT: /EDQUOT|Unknown system error -122/,
  EMFILE: /EMFILE/,
};

/** A place where something is looked for, and cannot be looked at. */
interface Row {
  /** The places that it covers, as `findPlaces` names them. */
  readonly places: readonly string[];
  /** The path that fails, with all below it. */
  readonly path: string;
  /** What is told, thrown or returned is what is said of it; it has to name the error. */
  readonly look: (say: (message: string) => void) => unknown;
  /** With EACCES, the system says that it is another user's, or that the command cannot have it, either. */
  readonly isRefused?: boolean;
}

const folder = mkdtempSync(join(tmpdir(), "joblens unknown's (1) "));
const at = (name: string): string => join(folder, name);
const INSTALLED = join(__dirname, '../../ingester');
const fds: number[] = [];
let pipeFd = 0;

beforeAll(() => {
  for (const name of [
    'page',
    'dashboards',
    'slurm',
    'bin',
    'python/bin',
    'python/conda-meta',
    'code',
    'state',
    'packed',
  ])
    mkdirSync(at(name), { recursive: true, mode: 0o700 });
  for (const name of ['python/bin/python3', 'bin/scontrol']) {
    writeFileSync(at(name), '#!/bin/sh\necho Python 3.11.2\n', { mode: 0o755 });
    chmodSync(at(name), 0o755);
  }
  writeFileSync(
    at('bin/scontrol'),
    `#!/bin/sh\necho "SLURM_CONF = ${at('slurm/slurm.conf')}"\necho 'SlurmctldHost[0] = elsewhere'\n` +
      `for each in TaskProlog PrologSlurmctld EpilogSlurmctld; do echo "$each = ${at('slurm/joblens-hook')}"; done\n`
  );
  writeFileSync(at('slurm/joblens-hook'), "#!/bin/sh\nFILE='/nowhere/jobs'\n", { mode: 0o755 });
  writeFileSync(at('slurm/job_submit.lua'), '-- joblens\n');
  for (const name of ['dashboards/a.json', 'page/index.html', 'requirements.txt', 'train (1).py', 'data.bin'])
    writeFileSync(at(name), '{}');
  for (const name of ['file', 'tokens', 'jobs', 'note', 'port', 'demo-number'])
    writeFileSync(at(name), '[]', { mode: 0o600 });
  writeFileSync(at('state/token'), `${'a'.repeat(64)}\n`, { mode: 0o600 });
  execFileSync('git', ['init', '--quiet', at('code')]);
  writeFileSync(at("code/new 'file'.py"), 'print(1)\n');
  execFileSync('mkfifo', [at('pipe')]);
  pipeFd = openSync(at('pipe'), constants.O_RDWR);
  fds.push(pipeFd);
});

afterAll(() => {
  for (const fd of fds) closeSync(fd);
  rmSync(folder, { recursive: true, force: true });
});
afterEach(() => fail());

const INGESTER = 'ingester/src';
const places = (file: string, ...names: string[]): string[] => names.map((name) => `${file}: ${name}`);

function createReport(say: (message: string) => void): SessionOptions['report'] {
  return { error: say, warn: say, info: () => undefined, debug: () => undefined };
}

/** A session as far as the places here need it. */
function createSession(say: (message: string) => void): SessionOptions {
  const host = {
    ...{
      environment: { PATH: `${at('bin')}:/usr/bin:/bin` },
      installFolder: at('lib/joblens'),
      sharedFolders: [folder],
    },
    ...{ uid: process.geteuid?.() ?? 0, machine: { pid: process.pid }, clock: createSystemClock() },
  } as unknown as Host;
  const source = { user: 'ann', job: '7 (1)' };
  const destination = { kind: 'file', path: at('points.lp') };
  const settings = { source, destination, isWatched: undefined, isScheduled: false };
  return { host, report: createReport(say), settings: settings as unknown as SessionOptions['settings'] };
}

function takeHere(path: string): () => Promise<unknown> {
  return async () => {
    const { manifest } = await takeRun({
      ...{
        level: 'full',
        argv: [at('python/bin/python3'), at('train (1).py')],
        folder: path === 'code' ? at('code') : folder,
      },
      environment: { PATH: '/usr/bin:/bin', HOME: folder },
      ...{ config: undefined, inputs: [at('data.bin')], secrets: [], scratchFolder: at('packed') },
      ...{ programs: new BoundedPrograms(60_000), files: createSystemFiles() },
    });
    return manifest.missing;
  };
}

const EXPERIMENT = `${INGESTER}/experiment`;
const ROWS: Readonly<Record<string, Row>> = {
  'a file of settings below the prefix, which another would replace': {
    places: [
      ...places(`${INGESTER}/config/site-file.ts`, 'findSiteFile', 'readSiteFile'),
      ...places(`${INGESTER}/host/may-be-there.ts`, 'mayBeThere'),
    ],
    path: at('etc/joblens/joblens.yaml'),
    look: () => readSiteFile(findSiteFile({}, at('lib/joblens')) ?? ''),
  },
  'the packages of conda': {
    places: places(`${EXPERIMENT}/find-packages.ts`, 'list'),
    path: at('python/conda-meta'),
    look: () => findPackages(at('python/bin/python3'), 'Python 3.11.2', {}),
  },
  'the settings of a virtual environment': {
    places: places(`${EXPERIMENT}/find-packages.ts`, 'read'),
    path: at('python/pyvenv.cfg'),
    look: () => findPackages(at('python/bin/python3'), 'Python 3.11.2', {}),
  },
  'a folder of packages': {
    places: places(`${EXPERIMENT}/find-packages.ts`, 'resolveLink'),
    path: at('python/lib'),
    look: () => findPackages(at('python/bin/python3'), 'Python 3.11.2', {}),
  },
  'an interpreter': {
    places: places(`${EXPERIMENT}/find-interpreter.ts`, 'orRefused'),
    path: at('python/bin/python3'),
    look: takeHere('here'),
    isRefused: true,
  },
  'a script': {
    places: places(`${EXPERIMENT}/kept-texts.ts`, 'readScript'),
    path: at('train (1).py'),
    look: () => readScript(at('train (1).py'), new NamedSecrets([])),
  },
  'a lock file': {
    places: places(`${EXPERIMENT}/read-inputs.ts`, 'readLocks'),
    path: at('requirements.txt'),
    look: takeHere('here'),
  },
  'an input': {
    places: places(`${EXPERIMENT}/read-inputs.ts`, 'sizeOf'),
    path: at('data.bin'),
    look: takeHere('here'),
  },
  'the index of a repository': {
    places: places(`${EXPERIMENT}/git-snapshot.ts`, 'findChanged'),
    path: at('code/.git/index'),
    look: takeHere('code'),
  },
  'a file that has changed': {
    places: places(`${EXPERIMENT}/git-snapshot.ts`, 'findTooMuch'),
    path: at("code/new 'file'.py"),
    look: takeHere('code'),
  },
  'the tokens of the gateway': {
    places: places(`${INGESTER}/gateway/user-tokens.ts`, 'readTokens'),
    path: at('tokens'),
    look: () => readTokens(at('tokens')),
  },
  'the facts of this process': {
    places: [
      ...places(`${INGESTER}/host/host-facts.ts`, 'readHostFacts'),
      ...places(`${INGESTER}/host/process-files.ts`, 'hasEnded'),
    ],
    path: '/proc',
    look: () => readHostFacts(process.pid, 0).startTime,
    isRefused: true,
  },
  'a folder that is there': {
    places: places(`${INGESTER}/host/make-folders.ts`, 'isFolder', 'makeFolders'),
    path: at('page'),
    look: () => makeFolders(at('page')),
  },
  'a file to replace': {
    places: places(`${INGESTER}/host/replace-file.ts`, 'replaceFile'),
    path: at('file'),
    look: () => replaceFile(at('file'), 'x', 0o600),
  },
  'the file of the submit plugin': {
    places: [
      ...places(`${INGESTER}/host/look.ts`, 'look'),
      ...places(`${INGESTER}/operate/check-site.ts`, 'checkHookFile', 'findSubmitScript'),
    ],
    path: at('slurm/job_submit.lua'),
    look: (say) => checkWholeSite(createSession(say)),
  },
  'a program of Slurm': {
    places: places(`${INGESTER}/operate/check-site.ts`, 'isRefused', 'checkHooks'),
    path: at('slurm/joblens-hook'),
    look: (say) => checkWholeSite(createSession(say)),
    isRefused: true,
  },
  'what is said of a pipe': {
    places: places(`${INGESTER}/peers/pipe-note.ts`, 'readPipeNote'),
    path: at('note'),
    look: () => readPipeNote(folder, 'note'),
  },
  'an input of a run from long ago': {
    places: places(`${INGESTER}/read-back/experiment/check-run.ts`, 'checkInput'),
    path: at('data.bin'),
    look: () =>
      checkRun(
        { manifest: { inputs: [{ path: at('data.bin'), bytes: 2 }] }, texts: new Map(), damaged: [] } as never,
        'nowhere'
      ),
  },
  'an opt-in': {
    places: places(`${INGESTER}/rules/options/read-opt-in.ts`, 'readOptIn'),
    path: at('.logoptin'),
    look: () => readOptIn(at('.logoptin'), 0),
  },
  'what a setup looks for': {
    places: [
      ...places(`${INGESTER}/setup/parts/look.ts`, 'isThere'),
      ...places(`${INGESTER}/setup/page/start-page.ts`, 'findPage', 'findCommandFolder'),
      ...places(`${INGESTER}/setup/parts/package-files.ts`, 'findPackageFolder'),
      ...places(`${INGESTER}/setup/slurm/check-conf.ts`, 'checkPlugin'),
      ...places(`${INGESTER}/setup/slurm/setup-slurm.ts`, 'setUpSlurm'),
      ...places(`${INGESTER}/setup/slurm/told-folder.ts`, 'makeToldFolder', 'removeToldFolder'),
      ...places(`${INGESTER}/setup/slurm/watch-way.ts`, 'planUnit'),
      ...places(`${INGESTER}/setup/slurm/way.ts`, 'findCommand'),
      ...places(`${INGESTER}/setup/unpack/unpack.ts`, 'listCommandFiles'),
    ],
    path: at('file'),
    look: () => isThere(at('file')),
  },
  'what a setup would change': {
    places: places(`${INGESTER}/setup/parts/site-settings.ts`, 'readIfThere'),
    path: at('file'),
    look: () => readIfThere(at('file')),
  },
  'what unpack would replace': {
    places: places(`${INGESTER}/setup/unpack/unpack.ts`, 'compare'),
    path: at('packed'),
    look(say) {
      const host = { machine: { workFolder: '/' }, installFolder: INSTALLED, writeStdout: say } as unknown as Host;
      unpack(host, 'slurm', at('packed'), { overwrite: false, dryRun: true });
    },
  },
  'the events of hooks': {
    places: places(`${INGESTER}/sources/slurm/hook-events.ts`, '#open', '#isInPlace'),
    path: at('jobs'),
    look: (say) => new HookEvents(at('jobs'), say).read(),
  },
  'a folder with outputs': {
    places: places(`${INGESTER}/sources/watch/discovery/find-files.ts`, 'readFolder', 'readPath'),
    path: at('page'),
    look: async () => [...(await findFiles([at('page'), at('page/*.out')])).unknown],
  },
  'an output whose name has signs': {
    places: places(`${INGESTER}/sources/watch/discovery/find-files.ts`, 'isNameThere'),
    path: at('page'),
    look: async () => [...(await findFiles([at('page/run[lr=0.1].out')])).unknown],
  },
  'the status of an output': {
    places: places(`${INGESTER}/sources/watch/files/file-system.ts`, 'lookUp'),
    path: at('file'),
    look: () => createFileSystem().lookUp(at('file')),
  },
  'the names beside an output': {
    places: places(`${INGESTER}/sources/watch/files/file-system.ts`, 'listFolder'),
    path: at('page'),
    look: () => createFileSystem().listFolder(at('page')),
  },
  'the place of an output': {
    places: places(`${INGESTER}/sources/writers/identify-file.ts`, 'identifyFile'),
    path: at('file'),
    look: () => identifyFile(at('file'), { ino: 7n }),
  },
  'where our own output goes': {
    places: places(`${INGESTER}/sources/writers/identify-file.ts`, 'identifyFile'),
    path: '/proc/self/fd',
    look(say) {
      fds.push(openSync(at('file'), constants.O_RDONLY));
      return findOwnOutputs(createSession(say), fds.slice(-1));
    },
  },
  'who reads a pipe': {
    places: [
      ...places(
        `${INGESTER}/sources/writers/pipe-readers.ts`,
        'readPipe',
        'listProcesses',
        'readOpened',
        'identifyOpened'
      ),
    ],
    path: '/proc',
    look: () => doesLeadTo(pipeFd, new Set(['x'])),
    isRefused: true,
  },
  'who logs a pipe': {
    places: places(`${INGESTER}/sources/writers/pipe-loggers.ts`, 'listReaders', 'readWords', 'identifyPath'),
    path: '/proc',
    look: (say) => findPipeLogger(createSession(say), { kind: 'config', config: {} } as never, pipeFd),
    isRefused: true,
  },
  'a part of the spool': {
    places: places(`${INGESTER}/spool/node-spool-fs.ts`, 'readFacts'),
    path: at('file'),
    look: () => createNodeSpoolFs().stat(at('file')),
  },
  'what a job uses': {
    places: places(`${INGESTER}/usage/system-files.ts`, 'createSystemFiles'),
    path: '/proc',
    look: () => new ProcessTree(createSystemFiles(), process.pid).read(),
    isRefused: true,
  },
  'a folder of dashboards': {
    places: places('standalone/src/server/dashboards.ts', 'readDashboards'),
    path: at('dashboards'),
    look: () => readDashboards(at('dashboards')),
  },
  'a dashboard': {
    places: places('standalone/src/server/dashboards.ts', 'readDashboard'),
    path: at('dashboards/a.json'),
    look: () => readDashboards(at('dashboards')),
  },
  'a file of the page': {
    places: places('standalone/src/server/static-files.ts', '#read', '#readCompressed'),
    path: at('page/index.html'),
    look: () => new StaticFiles(at('page')).send({ headers: {} } as never, {} as never, 'index.html'),
  },
  'the page itself': {
    places: places('standalone/src/start.ts', 'checkBuilt'),
    path: at('page/index.html'),
    look: () =>
      startStandalone({
        places: { pageFolder: at('page'), pluginFolder: at('page'), advice: 'build it' },
      } as unknown as StartOptions<never>),
  },
  'a secret file of the state folder': {
    places: places('standalone/src/state-folder.ts', 'closeToOthers', 'makeFolder', 'isThere'),
    path: at('state/store.duckdb'),
    look: () => openStateFolder({ path: at('state'), randomBytes: (n) => Buffer.alloc(n, 1) }),
  },
  'the number of the last demo job': {
    places: places('standalone/src/state-folder.ts', 'nextDemoNumber'),
    path: at('demo-number'),
    look: () => nextDemoNumber({ path: folder } as never),
  },
  'the port of another start': {
    places: places('standalone/src/state-folder.ts', 'readPort'),
    path: at('port'),
    look: () => readPort({ path: folder } as never),
  },
};

/** Places that no row tries: what becomes of an error there. */
const OTHERWISE: Readonly<Record<string, string>> = {
  [`${INGESTER}/host/host-facts.ts: isAlive`]: 'a process that cannot be looked at counts as alive; tried below',
  [`${INGESTER}/read-back/tables/suggest-subcommand.ts: start`]: 'reading the file says why it cannot; tried below',
  [`${INGESTER}/read-back/experiment/reproduce.ts: checkOut`]: 'it is thrown to setUp, which says it',
  [`${INGESTER}/setup/self-test.ts: readPoints`]: 'it is shown among what was found, which is not as it should be',
  [`${INGESTER}/sources/watch/files/file-opener.ts: #openIfThere`]: 'it is thrown to the follower, which tries again',
  [`${INGESTER}/spool/spool-folders.ts: #readDestination`]: 'the folder is left as it is; the next look finds it',
  [`${INGESTER}/spool/spool-folders.ts: prepare`]: 'what is missing after a power cut is a folder with nothing in it',
  [`${INGESTER}/spool/spool-folders.ts: takeOver`]: 'any other error is thrown',
  [`${INGESTER}/spool/durable-spool.ts: lookAfterFolder`]: 'it counts as there; writing says what fails',
  [`${INGESTER}/spool/open-folder.ts: giveSigns`]: 'it is said, and tried again',
  [`${INGESTER}/spool/open-segments.ts: sync`]: 'an error of our own',
  [`${INGESTER}/spool/segment-writer.ts: #retry`]: 'any other error only waits before it is tried again',
  [`${INGESTER}/spool/segment-writer.ts: noteRemoved`]: 'an error of our own',
  [`${INGESTER}/peers/command-file.ts: #beginAnew`]: 'any other error is said',
  [`${INGESTER}/peers/command-file.ts: sweepCommandFiles`]: 'what cannot be read stays',
  [`${INGESTER}/peers/pipe-note.ts: identifyPipe`]: 'asks for a descriptor, not for a path',
  [`${INGESTER}/sources/writers/outer-run.ts: isWithinSrunOfRun`]: 'a process that cannot be looked at starts nothing',
  [`${INGESTER}/sources/pipe/pipe.ts: isFile`]: 'asks for a descriptor, not for a path',
  [`${INGESTER}/sources/run/command-output.ts: isOneDestination`]: 'asks for a descriptor, not for a path',
  [`${INGESTER}/sources/writers/identify-file.ts: isPipe`]: 'asks for a descriptor, not for a path',
  [`${INGESTER}/sources/tap/tap.ts: findActivity`]: 'it answers "unknown"',
  [`${INGESTER}/sources/serve/udp-losses.ts: readLostDatagrams`]: 'undefined is "unknown"',
  [`${INGESTER}/experiment/bounded-programs.ts: readTicks`]: 'the time of the command itself bounds it, too',
  [`${INGESTER}/experiment/git-program.ts: removeOld`]: 'it stays for the next run',
  [`${INGESTER}/sources/import/import.ts: findStopped`]: 'the import begins anew, which doubles nothing',
  [`${INGESTER}/sources/import/job/source-file.ts: fingerprintSource`]: 'the import begins anew, which doubles nothing',
  [`${INGESTER}/sources/import/stopped-import.ts: read`]: 'the import begins anew, which doubles nothing',
};

/** They ask whether there is a program to start. */
const PROGRAMS = [
  `${INGESTER}/operate/ask-program.ts: askProgram`,
  `${INGESTER}/operate/check-slurm.ts: pingController`,
  `${INGESTER}/setup/slurm/check-conf.ts: ask`,
  `${INGESTER}/slurm/run-program.ts: explain`,
  `${INGESTER}/sources/run/command.ts: trySpawn`,
  `${INGESTER}/sources/run/exit-status.ts: toExitCode`,
  `${INGESTER}/sources/run/run.ts: explainSpawnError`,
  `${INGESTER}/sources/watch/jobs/owner.ts: readOwner`,
  `${INGESTER}/usage/gpu-watch.ts: #noteEnd`,
];

describe('what cannot be looked at', () => {
  test.each(Object.entries(ROWS).flatMap(([what, row]) => CODES.map((code) => [what, code, row] as const)))(
    'is never taken for gone: %s, %s',
    async (_what, code, { path, look, isRefused = false }) => {
      const said: string[] = [];
      fail({ isMeant: (asked) => asked === path || asked.startsWith(`${path}/`), code });
      try {
        said.push(JSON.stringify([await look((message) => said.push(message))]));
      } catch (error) {
        said.push((error as Error).message);
      }
      fail();
      if (isRefused && code === 'EACCES') return;
      expect(said.join('\n')).toMatch(SAID[code]);
    }
  );

  test.each(CODES)('counts as alive where it is a process: %s', (code) => {
    const facts = readHostFacts(process.pid, 0);
    fail({ isMeant: (path) => path.startsWith('/proc/'), code });
    expect(facts.isAlive(process.pid + 1, '7')).toBe(true);
  });

  test.each(CODES)('may be a file, and is not missing: %s', async (code) => {
    fail({ isMeant: (path) => path.startsWith(folder), code });
    expect(mayBeThere(at('7'))).toBe(true);
    expect(await findMissing([at('7'), at('no[thing]')])).toEqual([]);
  });

  test.each(CODES.slice(1))('is not forgotten where it is a process whose use is measured: %s', (code) => {
    const tree = new ProcessTree(createSystemFiles(), process.pid);
    expect(tree.read().cpuSeconds).toBeGreaterThan(0);
    fail({ isMeant: (path) => path.startsWith('/proc'), code });
    expect(() => tree.read()).toThrow(SAID[code]);
    fail();
    expect(tree.read().cpuSeconds).toBeGreaterThan(0);
  });

  it('is gone with two errors alone', () => {
    const gone = ['ENOENT', 'ENOTDIR', ...CODES, 'ELOOP', 'ENAMETOOLONG'].filter((code) => isGone({ code }));
    expect(gone).toEqual(['ENOENT', 'ENOTDIR']);
  });
});

describe('each place that decides what an error of the file system means', () => {
  it('is in the table', () => {
    const known = [...Object.values(ROWS).flatMap((row) => row.places), ...Object.keys(OTHERWISE), ...PROGRAMS];
    const found = findPlaces();
    expect(found.filter(({ kind }) => kind === 'never')).toEqual([]);
    expect(sorted(found.map(({ name }) => name))).toEqual(sorted(known));
  });

  test.each([
    ['swallows', 'function f() { try { return readFileSync(path); } catch { return undefined; } }'],
    ['swallows', 'const f = async () => stat(path).catch(() => undefined);'],
    ['swallows', 'const f = async () => fs.lstat(path).then(() => true, () => false);'],
    ['tells', "if (error.code === 'ENOENT') return [];"],
    ['tells', "import { noneIfGone } from '@joblens/core/result/is-gone';\nstat(path).catch(noneIfGone);"],
    ['never', 'if (existsSync(path)) return;'],
  ])('is found where it %s: %s', (kind, text) => {
    expect(findIn('a.ts', text).map((place) => place.kind)).toEqual([kind]);
  });
});

function sorted(names: readonly string[]): string[] {
  return [...new Set(names)].sort();
}
