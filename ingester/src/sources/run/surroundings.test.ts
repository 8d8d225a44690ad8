import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { describeWith } from '../../../../test/components.js';
import { prepareJoblens, until } from '../../testing/joblens.js';
import { type Shell, startShell } from '../../testing/shell.js';

const joblens = prepareJoblens();
// Other users start commands here, too.
chmodSync(joblens.folder, 0o755);
afterEach(() => rmSync(STOP, { force: true }));
afterAll(() => joblens.remove());

const STOP = join(joblens.folder, 'stop');
const OUT = join(joblens.folder, 'o u(t).lp');
const LOGGING = ['--mode', 'enabled', '--job', 'j', '--user', 'ann', '--out', OUT];
/** The options of `run`, logging and not. */
const WAYS: readonly (readonly string[])[] = [LOGGING, [], ['--quiet']];

const shell = (script: string, words?: readonly string[], environment?: Record<string, string>): Shell =>
  startShell(joblens, script, words, environment);

/** What is logged, and gone from there. */
function takePoints(): string {
  const text = existsSync(OUT) ? readFileSync(OUT, 'utf8') : '';
  rmSync(OUT, { force: true });
  return text;
}

/** Time for what must not happen. */
const aWhile = (): Promise<unknown> => new Promise((resolve) => setTimeout(resolve, 300));

/** A suite that needs rights that not every user, or container, has. */
const describeWhere = (words: readonly string[], name: string, suite: () => void): void =>
  spawnSync(words[0] ?? '', [...words.slice(1), 'true']).status === 0
    ? describe(name, suite)
    : describe.skip(`${name} (may not run here: ${words.join(' ')})`, suite);

describeWith(['perl', 'make'], "make's job server", () => {
  // Each of the two waits for the other, so they must run at the same time.
  const MAKEFILE = `all: ; +@"$(JOBLENS)" run $(OPTIONS) -- $(MAKE) --no-print-directory -f sub
`;
  const SUB = `all: a b
a b: ; @touch "began.$@"; for i in $$(seq 600); do [ ! -e began.a ] || [ ! -e began.b ] || exit 0; sleep 0.05; done; exit 1
`;
  it.each(WAYS)('gives its slots to what make runs by way of joblens run %s', async (...options) => {
    const folder = join(joblens.folder, `make ${options.length}`);
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder);
    writeFileSync(join(folder, 'Makefile'), MAKEFILE);
    writeFileSync(join(folder, 'sub'), SUB);
    const made = shell('cd "$2" && make -j2 JOBLENS="$1" OPTIONS="$3"', [
      folder,
      options.map((o) => `'${o}'`).join(' '),
    ]);
    expect(await made.ended).toBe(0);
    expect(made.stderr()).not.toMatch(/jobserver|warning/i);
    takePoints();
  });
});

// Root without the right to signal other users' processes is as who runs sudo.
describeWhere(['setpriv', '--bounding-set', '-kill', '--reuid=0'], 'a command of another user', () => {
  const START = `exec setpriv --bounding-set -kill "$@" -- setpriv --reuid=65534 --regid=65534 --clear-groups sh -c '
    trap "echo got" USR1 TERM; echo ready; until [ -e stop ]; do sleep 0.05; done; exit $0' "$STATUS"`;

  it.each([
    ['USR1', '0', '', 'COMPLETED'],
    ['USR1', '5', '', 'FAILED'],
    ['TERM', '5', '', '(FAILED|CANCELLED)'],
    ['USR1', '0', 'none', 'COMPLETED'],
  ] as const)('goes on when %s may not be passed on, and its status %s is that of joblens', async (...given) => {
    const [signal, status, supervisor, state] = given;
    const run = shell(START, ['run', ...LOGGING], { STATUS: status, JOBLENS_SUPERVISOR: supervisor });
    await until(() => run.stdout().includes('ready'));
    process.kill(run.child.pid ?? 0, `SIG${signal}`);
    await aWhile();
    writeFileSync(STOP, '');
    expect(await run.ended).toBe(Number(status));
    expect(run.stdout()).toBe('ready\n');
    expect(run.stderr()).toBe('');
    expect(takePoints()).toMatch(new RegExp(`^job,.*state="${state}"`, 'm'));
  });
});

describeWhere(['setpriv', '--reuid=54321', '--clear-groups'], 'where the system allows few processes', () => {
  // Where every user may read it.
  const installed = join(joblens.folder, 'installed');
  beforeAll(() => {
    cpSync(dirname(dirname(joblens.command)), installed, { recursive: true });
    chmodSync(installed, 0o755);
  });

  it.each([1, 2, 3, 9, 14])('%i for the user: the command runs', async (count) => {
    const start = `exec setpriv --reuid=${54321 + count} --clear-groups bash -c 'ulimit -u ${count}; exec installed/bin/joblens "$@"' "$@"`;
    const run = shell(start, ['run', '--mode', 'enabled', '--out', '/dev/null', '--', 'sh', '-c', 'echo out; exit 3']);
    expect(await run.ended).toBe(3);
    expect(run.stdout()).toBe('out\n');
  });
});

const UNSHARE = ['unshare', '--fork', '--pid', '--mount-proc'];
describeWhere(UNSHARE, 'as the first process of a container', () => {
  const IN_CONTAINER = `exec ${UNSHARE.join(' ')} "$@"`;

  it.each(WAYS)('joblens run %s reaps processes without a parent', async (...options) => {
    const script = `(sh -c 'echo $$ > orphan; exec sleep 0.1' &)
      until [ -s orphan ]; do sleep 0.01; done; read -r orphan < orphan; rm orphan
      for i in $(seq 600); do [ -e /proc/$orphan ] || { echo reaped; break; }; sleep 0.05; done; exit 7`;
    const run = shell(IN_CONTAINER, ['run', ...options, '--', 'sh', '-c', script]);
    expect(await run.ended).toBe(7);
    expect(run.stdout()).toBe('reaped\n');
    takePoints();
  });

  it.each(WAYS)('joblens run %s passes on the signal that ends a container', async (...options) => {
    const script = `trap 'exit 9' TERM; echo ready; while :; do sleep 0.05; done`;
    const run = shell(IN_CONTAINER, ['run', ...options, '--', 'sh', '-c', script]);
    await until(() => run.stdout().includes('ready'));
    const pid = run.child.pid ?? 0;
    process.kill(Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')), 'SIGTERM');
    expect(await run.ended).toBe(9);
    takePoints();
  });

  it('the command that dies of a signal is told from one that exits', async () => {
    expect(await shell(IN_CONTAINER, ['run', '--quiet', '--', 'sh', '-c', 'kill -TERM $$']).ended).toBe(143);
  });
});

describe('where nothing can be kept', () => {
  let server: Server;
  let url: string;
  beforeAll(async () => {
    server = createServer((request, response) => {
      request.resume().on('end', () => response.writeHead(204, { 'X-Influxdb-Version': '1.8.10' }).end());
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => new Promise((resolve) => server.close(resolve)));

  const RUN = `"$1" run --mode enabled --url "$2" --spool "$SPOOL" -- sh -c 'cat; echo out; exit 6' </dev/null`;
  const CASES: Readonly<Record<string, { readonly before?: string; readonly spool: string }>> = {
    'the spool folder is a file': { spool: '/etc/passwd' },
    'the spool folder is below a file': { spool: '/dev/full/spool' },
    'the spool folder cannot be made': { spool: '/proc/no/spool' },
    'no file may grow': { before: 'ulimit -f 0', spool: 'spool of none' },
  };

  const expectRuns = async (before: string, spool: string): Promise<void> => {
    const run = shell(`${before}\n${RUN}`, [url], { SPOOL: spool });
    expect(await run.ended).toBe(6);
    expect(run.stdout()).toBe('out\n');
    expect(run.stderr()).toMatch(/^(joblens: .*\n)+$/);
    expect(run.stderr().match(/.*spool.*/g)).toHaveLength(1);
  };

  it.each(Object.entries(CASES))('as %s: the command runs, and one line says what is wrong', (_name, given) =>
    expectRuns(given.before ?? ':', given.spool)
  );

  describeWhere(['setpriv', '--bounding-set', '-dac_override,-dac_read_search'], 'as the folder is closed', () => {
    it('the command runs, and one line says so', () => {
      mkdirSync(join(joblens.folder, 'closed'), { mode: 0o500, recursive: true });
      const without = RUN.replace('"$1"', 'setpriv --bounding-set -dac_override,-dac_read_search "$1"');
      return expectRuns(`${without}; exit $?`, 'closed/spool');
    });
  });

  describeWhere(['unshare', '--mount'], 'as the disk is full', () => {
    const mount = 'mkdir -p disk; mount -t tmpfs -o size=64k none disk; head -c 1M /dev/zero >disk/full 2>/dev/null';
    const script = (run: string): string =>
      `exec unshare --mount bash -c '${mount}; ${run.replaceAll("'", `'\\''`)}' "$@"`;

    it('of the spool, the command runs, and one line says so', () =>
      expectRuns(script(RUN.replace('"$1"', '"$0"').replace('"$2"', '"$1"')), 'disk/spool'));

    it('of temporary files, the command runs', async () => {
      const run = shell(script(`TMPDIR=$PWD/disk ${RUN.replace('"$1"', '"$0"').replace('"$2"', '"$1"')}`), [url], {
        SPOOL: 'spool',
      });
      expect(await run.ended).toBe(6);
      expect(run.stdout()).toBe('out\n');
    });
  });

  it('as its own messages cannot be written: the command runs', async () => {
    const run = shell(`exec 2>/dev/full\n${RUN}`, [url], { SPOOL: '/etc/passwd' });
    expect(await run.ended).toBe(6);
    expect(run.stdout()).toBe('out\n');
  });
});

describeWith(['script'], 'a terminal', () => {
  const terminal = (words: string): Shell => {
    writeFileSync(join(joblens.folder, 'typed'), words);
    return shell(`JOBLENS="$1" exec script -qefc 'exec bash typed' /dev/null`);
  };

  it('is where it was without joblens', async () => {
    const probe = `[ -t 0 ] && echo in; [ -t 1 ] && echo out; [ -t 2 ] && echo err; : </dev/tty && echo tty
      read -r _ _ _ _ group _ _ foreground _ </proc/$$/stat; [ "$group" = "$foreground" ] && echo foreground`;
    writeFileSync(join(joblens.folder, 'probe'), probe);
    const ways = ['', '"$JOBLENS" run --', '"$JOBLENS" run --quiet --'];
    const run = terminal(`JOBLENS_LOG_LEVEL=error; ${ways.map((way) => `${way} bash probe; echo /`).join('; ')}`);
    expect(await run.ended).toBe(0);
    const [alone, ...others] = run.stdout().replaceAll('\r', '').split('/\n').slice(0, 3);
    expect(alone).toBe('in\nout\nerr\ntty\nforeground\n');
    expect(others.map((found) => found.replace(/^joblens: .*\n/, ''))).toEqual([alone, alone]);
  });

  it.each(WAYS)('sends its interrupt to the command once: run %s', async (...options) => {
    const count = `trap 'echo got it' INT; echo ready; until [ -e stop ]; do sleep 0.05; done; exit 3`;
    writeFileSync(join(joblens.folder, 'count'), count);
    const words = options.map((option) => `'${option}'`).join(' ');
    const run = terminal(`exec "$JOBLENS" run ${words} -- bash count`);
    await until(() => run.stdout().includes('ready'));
    run.child.stdin?.write('\x03');
    await until(() => run.stdout().includes('got it'));
    await aWhile();
    writeFileSync(STOP, '');
    expect(await run.ended).toBe(3);
    expect(run.stdout().match(/got it/g)).toHaveLength(1);
    takePoints();
  });
});

describeWith(['perl'], 'signals that are ignored', () => {
  it.each(WAYS)('SIGCHLD: joblens run %s exits as the command does', async (...options) => {
    const run = shell(`exec perl -e '$SIG{CHLD} = "IGNORE"; exec @ARGV' "$@"`, [
      'run',
      ...options,
      '--',
      'sh',
      '-c',
      'true; exit 7',
    ]);
    expect(await run.ended).toBe(7);
    takePoints();
  });

  it('SIGHUP: joblens watch goes on', async () => {
    const [file, out] = [join(joblens.folder, 'watched'), join(joblens.folder, 'watched.lp')];
    const isLogged = (line: string): boolean => existsSync(out) && readFileSync(out, 'utf8').includes(`line="${line}"`);
    writeFileSync(file, 'before\n');
    const watch = shell('exec nohup "$@"', ['watch', '--mode', 'enabled', '--out', out, file]);
    await until(() => isLogged('before'));
    watch.child.kill('SIGHUP');
    writeFileSync(file, 'after\n', { flag: 'a' });
    await until(() => isLogged('after'));
    watch.child.kill('SIGTERM');
    expect(await watch.ended).toBe(0);
  });

  it('SIGHUP: joblens serve goes on', async () => {
    const out = join(joblens.folder, 'served.lp');
    const serve = shell(
      'exec nohup "$@"',
      ['serve', '--http', '127.0.0.1:0', '--udp', 'off', '--tcp', 'off', '--out', out],
      {
        JOBLENS_LOG_LEVEL: 'info',
      }
    );
    const address = (): string | undefined => /http:\/\/127\.0\.0\.1:\d+/.exec(serve.stderr() + serve.stdout())?.[0];
    await until(() => address() !== undefined);
    serve.child.kill('SIGHUP');
    const { status } = await fetch(`${address() ?? ''}/write?db=joblens`, { method: 'POST', body: 'm a=1 1' });
    expect(status).toBe(204);
    serve.child.kill('SIGTERM');
    expect(await serve.ended).toBe(0);
  });
});
