import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { execPath } from 'node:process';
import { OWN_SECRET_VARIABLES } from '../../config/shared-options.js';
import { OLDEST_NODE } from '../../host/node-version.js';
import { canMount } from '../../faults/testing/tiny-disk.js';
import { bundleJoblens } from '../../testing/joblens.js';

const ROOT = join(__dirname, '..', '..', '..', '..');
const SYSTEM_PATH = '/usr/bin:/bin';
const ON = '--mode enabled --job j --user ann --out /dev/null';

const folder = mkdtempSync(join(tmpdir(), "joblens cannot-start (a'b) "));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A folder with what a PATH needs, and this `node`. */
function createPath(name: string, node: string | undefined, others: readonly string[]): string {
  const path = join(folder, name);
  mkdirSync(path);
  for (const other of others) symlinkSync(`/usr/bin/${other}`, join(path, other));
  if (node !== undefined) writeFileSync(join(path, 'node'), node, { mode: 0o755 });
  return path;
}

const TOOLS = [
  'printf',
  'mkdir',
  'rmdir',
  'grep',
  'sh',
  'bash',
  'cat',
  'tee',
  'mkfifo',
  'readlink',
  'env',
  'od',
  'true',
];
const REAL_NODE = `#!/bin/sh\nexec ${execPath} "$@"\n`;
const paths = {
  real: createPath('real', REAL_NODE, [...TOOLS, 'perl']),
  none: createPath('none', undefined, [...TOOLS, 'perl']),
  old: createPath('old', '#!/bin/sh\necho v18.20.4\n', [...TOOLS, 'perl']),
  dead: createPath('dead', '#!/bin/sh\nkill -KILL $$\n', [...TOOLS, 'perl']),
  noPerl: createPath('noPerl', REAL_NODE, TOOLS),
  nothing: createPath('nothing', undefined, TOOLS),
  oldNoPerl: createPath('oldNoPerl', '#!/bin/sh\necho v18.20.4\necho too old >&2\nexit 1\n', TOOLS),
};

/** The command as it is installed, without the Node that the tests lay beside it. */
function install(name: string): string {
  const home = join(folder, name);
  cpSync(dirname(dirname(bundleJoblens())), home, { recursive: true });
  rmSync(join(home, 'bin', 'node'));
  return home;
}
const whole = install('whole');
const damaged = install('damaged');
writeFileSync(
  join(damaged, 'dist', 'joblens.js'),
  readFileSync(join(whole, 'dist', 'joblens.js')).subarray(0, 100_000)
);
const missing = install('missing');
rmSync(join(missing, 'dist'), { recursive: true });
const linked = join(folder, 'linked');
symlinkSync('whole/bin/joblens', linked);
// As a module that Node loads first makes it out to be.
writeFileSync(
  join(folder, 'old.cjs'),
  `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.18.9' } });`
);

interface Case {
  readonly home?: string;
  readonly path?: string;
  readonly environment?: Readonly<Record<string, string>>;
  /** Shell commands before it. */
  readonly before?: string;
  readonly says: RegExp;
}

const CASES: Readonly<Record<string, Case>> = {
  'there is no Node': { path: paths.none, says: /there is no Node\.js on PATH/ },
  'there is neither Node nor perl': { path: paths.nothing, says: /there is no Node\.js on PATH/ },
  'Node prints its version and ends': { path: paths.old, says: /node ended at once with exit code 0/ },
  'Node is too old where there is no perl': { path: paths.oldNoPerl, says: /too old/ },
  'Node is a bit too old': {
    environment: { JOBLENS_NODE_OPTIONS: `--require "${folder}/old.cjs"` },
    says: /Node\.js 20\.18\.9 is too old; install Node 20\.19 or newer/,
  },
  'Node is killed': { path: paths.dead, says: /node ended at once with signal 9/ },
  'an option for Node is stale': {
    environment: { JOBLENS_NODE_OPTIONS: '--require /gone.js' },
    says: /Cannot find module '\/gone\.js'/,
  },
  'a file is damaged': { home: damaged, says: /SyntaxError|Invalid|Unexpected|Unterminated|missing/i },
  'a file is missing': { home: missing, says: /joblens\.js is missing; build it with `npm run build`/ },
  'no file may be open but a few': { before: 'ulimit -n 12', says: /Too many open files/ },
  'few files may be open': { before: 'ulimit -n 15', says: /Too many open files|ended at once/ },
  'more files may be open': { before: 'ulimit -n 20', says: /too many open files|ended at once/ },
  'there is too little memory': { before: 'ulimit -v 200000', says: /memory|OOM|ended at once|did not begin/ },
};

/** What the shell says itself in a folder that was removed. */
const OF_SHELL = /^sh: 0: getcwd.*\n/gm;

function run(script: string, { home = whole, path = paths.real, environment = {}, before = ':' }: Omit<Case, 'says'>) {
  const env = {
    PATH: path,
    HOME: folder,
    JOBLENS_LOG_LEVEL: 'warn',
    JOBLENS: join(home, 'bin/joblens'),
    ...environment,
  };
  return spawnSync('/bin/bash', ['-c', `${before}\n${script}`], { cwd: folder, env, encoding: 'utf8', input: 'a\nb' });
}

describe('where joblens cannot start', () => {
  it.each(Object.entries(CASES))(
    'as %s: run runs the command, and says why in one line',
    (_name, { says, ...given }) => {
      const { status, stdout, stderr } = run(`"$JOBLENS" run ${ON} -- sh -c 'cat; echo " $0"; exit 7' "c d"`, given);
      expect({ status, stdout }).toEqual({ status: 7, stdout: 'a\nb c d\n' });
      expect(stderr).toMatch(/^joblens: cannot start: .*; the command runs, but it is not logged\n$/);
      expect(stderr).toMatch(says);
    }
  );

  it.each(Object.entries(CASES))('as %s: pipe passes its input on', (_name, { says, ...given }) => {
    const { stdout, stderr } = run(`{ cat; echo c; echo "wrote $?" >&2; } | "$JOBLENS" pipe ${ON}`, given);
    expect(stdout).toBe('a\nbc\n');
    expect(stderr).toContain('wrote 0\n');
    expect(stderr.replace('wrote 0\n', '')).toMatch(/^joblens: cannot start: .*not logged\n$/);
    expect(stderr).toMatch(says);
  });

  const onOtherMounts = canMount() ? it : it.skip;
  /** Takes its words as a command where a folder of the system is other than usual. */
  const mounted = (mount: string): string => `exec unshare --mount sh -c '${mount} && exec "$@"' sh`;

  onOtherMounts.each([
    ['there is no /dev/null', 'mount -t tmpfs none /dev'],
    ['/dev/null is a folder', 'mount -t tmpfs none /dev && mkdir /dev/null'],
  ])('as %s: run and pipe do as elsewhere', (_name, mount) => {
    for (const path of [paths.real, paths.noPerl]) {
      const inPath = `env PATH="$OWN_PATH" "$JOBLENS"`;
      const given = { path: `${path}:/usr/sbin:${SYSTEM_PATH}`, environment: { OWN_PATH: path } };
      const ran = run(`${mounted(mount)} ${inPath} run ${ON} -- sh -c 'cat; echo " $0"; exit 7' "c d"`, given);
      expect(ran.stderr).toBe(
        'joblens: cannot start: /dev/null cannot be used; mount a /dev that has it; the command runs, but it is not logged\n'
      );
      expect(ran).toMatchObject({ status: 7, stdout: 'a\nb c d\n' });
      const piped = run(`${mounted(mount)} ${inPath} pipe ${ON}`, given);
      expect(piped).toMatchObject({ status: 0, stdout: 'a\nb' });
      expect(piped.stderr).toMatch(/^joblens: cannot start: .*not logged\n$/);
    }
  });

  onOtherMounts('without /proc, run and pipe work, and say nothing of it', () => {
    const quiet = `"$JOBLENS" run --quiet -- sh -c 'cat; exit 7'`;
    for (const path of [paths.real, paths.noPerl]) {
      const given = { path: `${path}:/usr/sbin:${SYSTEM_PATH}` };
      const ran = run(`${mounted('umount -l /proc')} ${quiet}`, given);
      expect(ran).toMatchObject({ status: 7, stdout: 'a\nb', stderr: '' });
    }
  });

  // dash, the shell of the others, can read no script then.
  it.each([4, 5, 6, 7, 8, 9, 10, 11])(
    'as bash, which may have %s files open: run and pipe do as elsewhere',
    (files) => {
      const before = `ulimit -n ${files}`;
      const ran = run(`exec bash "$JOBLENS" run ${ON} -- sh -c 'cat; echo " $0"; exit 7' "c d"`, { before });
      expect(ran).toMatchObject({ status: 7, stdout: 'a\nb c d\n' });
      expect(ran.stderr).toMatch(
        /^joblens: cannot start: .*Too many open files; the command runs, but it is not logged\n$/
      );
      const piped = run(`exec bash "$JOBLENS" pipe ${ON}`, { before });
      expect(piped).toMatchObject({ status: 0, stdout: 'a\nb' });
      expect(piped.stderr).toMatch(/^joblens: cannot start: .*Too many open files; the input passes .*not logged\n$/);
    }
  );

  it.each(Object.entries(CASES))('as %s: the line of a wrapped script goes on', (_name, given) => {
    const script = join(folder, 'script.sh');
    const line =
      '[ "${JOBLENS_RUNS-}" = "$SLURM_JOB_ID" ] || ! command -v joblens >/dev/null 2>&1 || JOBLENS_RUNS=$SLURM_JOB_ID exec joblens run --quiet -- "$0" "$@" # joblens';
    writeFileSync(script, `#!/bin/bash\n${line}\necho "ran $1 $NODE_OPTIONS"\nexit 9\n`);
    chmodSync(script, 0o755);
    const environment = { ...given.environment, SLURM_JOB_ID: '5', NODE_OPTIONS: '--require /gone.js' };
    const { status, stdout } = run(`PATH="\${JOBLENS%/*}:$PATH" ./script.sh x`, { ...given, environment });
    expect({ status, stdout }).toEqual({ status: 9, stdout: 'ran x --require /gone.js\n' });
  });

  it.each([
    ['--mode enabled --job=j --quiet -- printf %s x', 'x'],
    ['--mode enabled printf %s x', 'x'],
    ['--separate --metrics --metrics-interval 5 printf %s --', '--'],
    ['-- printf %s --quiet', '--quiet'],
  ])('it finds the command in: %s', (words, stdout) => {
    for (const path of [paths.none, paths.old]) {
      expect(run(`"$JOBLENS" run ${words}`, { path })).toMatchObject({ status: 0, stdout });
    }
  });

  it.each([paths.none, paths.old])('it exits as a shell does if the command cannot run either', (path) => {
    expect(run('"$JOBLENS" run -- no-such-command', { path }).status).toBe(127);
    expect(run('"$JOBLENS" run -- /etc/passwd', { path }).status).toBe(126);
    expect(run('"$JOBLENS" run --', { path }).status).toBe(1);
  });

  it.each([paths.none, paths.old])('the command still does not see the secrets of joblens', (path) => {
    const environment = Object.fromEntries(OWN_SECRET_VARIABLES.map((name) => [name, 'a secret value']));
    const { stdout } = run('"$JOBLENS" run -- env', { path, environment });
    expect(stdout).toContain('HOME=');
    expect(stdout).not.toContain('a secret value');
  });
});

describe('what is meant for other programs does not keep joblens from starting', () => {
  it.each([
    ['an option for Node that is stale', { environment: { NODE_OPTIONS: '--require /gone.js' } }],
    ['options of perl', { environment: { PERL5OPT: '-MNone::Such', PERL5LIB: '/none', PERL_UNICODE: 'SAD' } }],
    ['a working folder that was removed', { before: 'mkdir -p gone; cd gone; rmdir ../gone' }],
    ['a link to the command', { before: `JOBLENS="${linked}"` }],
  ])('%s', (_name, given) => {
    const out = join(folder, 'points.lp');
    const { status, stdout, stderr } = run(
      `"$JOBLENS" run --mode enabled --out "${out}" -- sh -c 'cat; exit 7'`,
      given
    );
    expect({ status, stdout, stderr: stderr.replace(OF_SHELL, '') }).toEqual({ status: 7, stdout: 'a\nb', stderr: '' });
    expect(readFileSync(out, 'utf8')).toContain('line="b"');
    rmSync(out);
    const piped = run(`echo x | "$JOBLENS" pipe --mode enabled --out - | grep -c 'line="x"'`, {
      ...given,
      path: `${paths.real}:${SYSTEM_PATH}`,
    });
    expect(piped.stdout).toBe('1\n');
  });
});

describe('where the supervisor is missing or damaged', () => {
  const supervisor = readFileSync(join(whole, 'bin', 'supervise.pl'));
  const DAMAGES: Readonly<Record<string, Buffer | undefined>> = {
    'is missing': undefined,
    'is empty': Buffer.alloc(0),
    'has no end': supervisor.subarray(0, -40),
    ...Object.fromEntries(
      [0.1, 0.3, 0.5, 0.7, 0.9].map((part) => [`ends at ${part}`, supervisor.subarray(0, supervisor.length * part)])
    ),
    // As after a crash.
    ...Object.fromEntries(
      [0, 0.25, 0.5, 0.75, 1].map((part) => {
        const at = Math.floor((supervisor.length - 512) * part);
        return [
          `has zeros at ${part}`,
          Buffer.concat([supervisor.subarray(0, at), Buffer.alloc(512), supervisor.subarray(at + 512)]),
        ];
      })
    ),
    'is another file': readFileSync(join(whole, 'bin', 'joblens')),
  };
  const home = install('no supervisor');

  it.each(Object.entries(DAMAGES))('%s: the command runs and is logged, and one line says so', (_name, bytes) => {
    const [path, out] = [join(home, 'bin', 'supervise.pl'), join(folder, 'without.lp')];
    rmSync(path, { force: true });
    if (bytes !== undefined) writeFileSync(path, bytes);
    const environment = { 'A.B': 'c d', LC_ALL: 'C.UTF-8' };
    const { status, stdout, stderr } = run(
      `"$JOBLENS" run --mode enabled --out "${out}" -- sh -c 'cat; echo " $LC_ALL $0"; exit 7' "c d"`,
      { home, environment }
    );
    expect({ status, stdout }).toEqual({ status: 7, stdout: 'a\nb C.UTF-8 c d\n' });
    expect(stderr).toMatch(/^joblens: .*supervise\.pl is missing or damaged; install joblens again\n$/);
    expect(readFileSync(out, 'utf8')).toContain('line="b C.UTF-8 c d"');
    rmSync(out);
  });
});

it.each([{ home: missing }, { path: paths.none }])('another subcommand says why it cannot start: %p', (given) => {
  const { status, stdout, stderr } = run('"$JOBLENS" watch .', given);
  expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
  expect(stderr).toMatch(/^joblens: cannot start: .*\n$/);
});

it('the oldest Node is that of package.json', () => {
  const { engines } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { engines: { node: string } };
  expect(engines.node).toBe(`>=${OLDEST_NODE}`);
});
