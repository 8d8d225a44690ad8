import { spawn, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describeWith } from '../../../../test/components.js';
import { bundleJoblens, prepareJoblens, until } from '../../testing/joblens.js';

const joblens = prepareJoblens();
const folder = mkdtempSync(join(tmpdir(), 'joblens-attributes-'));
afterAll(() => {
  joblens.remove();
  rmSync(folder, { recursive: true, force: true });
});

const ON = ['run', '--mode', 'enabled', '--job', 'j', '--user', 'ann', '--out', join(folder, 'out.lp'), '--'];
/** The ways to run a command, by the words before it; the first is without joblens. */
const WAYS: readonly (readonly string[])[] = [
  [],
  [bundleJoblens(), ...ON],
  [bundleJoblens(), 'run', '--'],
  [bundleJoblens(), 'run', '--quiet', '--'],
];

/** prctl, ioprio_get and getitimer have other numbers on each kind of machine. */
const CALLS = 'x86_64 => [157, 252, 36], aarch64 => [167, 31, 102]';

/** What a process is besides its program; it ends by replacing itself with "$@". */
const PREPARE = `cd "$1"; shift
exec 3</etc/hostname 5>>five 9<. 200>lock; flock 200
ulimit -Sn 300; ulimit -Hn 4000; ulimit -Sc 7; ulimit -Ss 7000; ulimit -Su $(( $(ulimit -Hu) - 1 )) 2>/dev/null
umask 027
trap '' HUP USR1 PIPE FPE TSTP XFSZ RTMIN+3 RTMAX
echo 77 >/proc/self/coredump_filter; echo 123 >/proc/self/oom_score_adj
exec nice -n 3 taskset -c 0 chrt -b 0 ionice -c 2 -n 6 perl -MPOSIX -e '
  sigprocmask(SIG_BLOCK, POSIX::SigSet->new(SIGUSR2, SIGCHLD, SIGALRM, 37, 63)) or die;
  kill $_, $$ for SIGUSR2, 37, 63; alarm 4000;
  my ($prctl) = @{{${CALLS}}->{(POSIX::uname)[4]}};
  syscall($prctl, @$_, 0, 0, 0) == 0 or die for [1, 12], [29, 123456], [36, 1], [38, 1], [28, 4]; exec @ARGV' \\
  env -i PATH="$PATH" 'a.b=c' $'BASH_FUNC_module%%=() {  echo "x";\\n}' $'caf\\xe9=\\xff\\x81' EMPTY= joblens_skip=7 PWD=/else \\
  SHLVL=41 _=under OLDPWD=/old PERL5OPT=-w PERL5LIB=/p LC_ALL=xx_YY NODE_OPTIONS=--no-deprecation NODE_PATH=/n IFS=x \\
  PS1='$ ' JOBLENS_LOG_LEVEL=error HOME="$PWD" "$@"`;

/** Death signal, reaper, slack, privileges, keep, secure bits, transparent pages; priority of files, nice, alarm. */
const TELL = `my ($prctl, $ioprio_get, $getitimer) = @{{${CALLS}}->{(POSIX::uname)[4]}};
  for my $get (2, 37) { my $value = "\\0" x 4; syscall($prctl, $get, $value, 0, 0, 0); print unpack("i", $value), "\\n" }
  print syscall($prctl, $_, 0, 0, 0, 0), "\\n" for 30, 39, 7, 27, 42, 3, 34;
  my $alarm = "\\0" x 32; syscall($getitimer, 0, $alarm); my @left = unpack "q4", $alarm;
  print syscall($ioprio_get, 1, 0), "\\n", $left[2] > 3900 ? "alarm" : "no alarm", "\\n"`;

/** Programs that say what they are, and change nothing before. */
const PROBES: Readonly<Record<string, readonly string[]>> = {
  environment: ['cat', '/proc/self/environ'],
  limits: ['cat', '/proc/self/limits'],
  status: ['cat', '/proc/self/status'],
  'priority, session, group and terminal': ['cat', '/proc/self/stat'],
  descriptors: ['ls', '-l', '/proc/self/fd'],
  'the working folder': ['readlink', '/proc/self/cwd'],
  'what it may ask the system': ['perl', '-MPOSIX', '-e', TELL],
  'its way to be scheduled': ['chrt', '-p', '0'],
  others: [
    'cat',
    '/proc/self/oom_score_adj',
    '/proc/self/personality',
    '/proc/self/coredump_filter',
    '/proc/self/cgroup',
  ],
};

/** What must be equal, whichever process it is. `leader`: the process that the test started. */
function normalize(name: string, text: string, leader: number): unknown {
  if (name === 'status')
    return text
      .split('\n')
      .filter((line) =>
        /^(Umask|Sig(Pnd|Ign|Blk|Cgt)|ShdPnd|Uid|Gid|Groups|Cap|NoNew|Seccomp|THP|Cpus_|Mems_)/.test(line)
      );
  if (name.startsWith('priority')) {
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    const [, , group, session, terminal, foreground] = fields;
    return [
      Number(group) === leader,
      Number(session) === leader,
      terminal,
      foreground,
      ...fields.slice(15, 17),
      ...fields.slice(37, 39),
    ];
  }
  if (name.endsWith('scheduled')) return text.replaceAll(/^pid \d+/gm, 'pid N');
  // Output passes through a pipe where it is logged.
  if (name === 'descriptors')
    return text.split('\n').map((line) =>
      line
        .replace(/^(\S+).* (\d+) -> /, '$1 $2 ')
        .replace(/^l.w\S* ([12]) .*/, '$1 is written')
        .replace(/\/proc\/\d+/, '/proc/N')
    );
  return text;
}

async function probe(way: readonly string[], name: string, prepare: string): Promise<unknown> {
  const args = ['-c', prepare, 'bash', folder, ...way, ...(PROBES[name] ?? [])];
  const child = spawn('/bin/bash', args, { detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  const chunks: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
  child.stderr.resume();
  const code = await new Promise((resolve) => child.once('close', resolve));
  return { code, found: normalize(name, Buffer.concat(chunks).toString('latin1'), child.pid ?? 0) };
}

interface Stoppable {
  /** The process ids of what was started, and of the command. */
  readonly words: () => string[];
  readonly ended: Promise<unknown>;
  readonly end: () => Promise<unknown>;
}

describeWith(['perl'], 'a command is what it would be without joblens', () => {
  it.each(Object.keys(PROBES))('%s', async (name) => {
    const [alone, ...others] = await Promise.all(WAYS.map((way) => probe(way, name, PREPARE)));
    expect(alone).toMatchObject({ code: 0 });
    expect(others).toEqual([alone, alone, alone]);
  });

  it('all of its signals blocked, and waiting', async () => {
    // The C library lets nobody block 32 and 33. perl and shells drop SIGFPE and SIGCHLD.
    const prepare = `cd "$1"; shift; exec perl -MPOSIX -e '
      sigprocmask(SIG_BLOCK, POSIX::SigSet->new(grep { $_ != 32 && $_ != 33 } 1 .. 64)) or die;
      kill $_, $$ for grep { !/^(8|9|17|19|32|33)$/ } 1 .. 64; exec @ARGV' "$@"`;
    const found = await Promise.all(WAYS.map((way) => probe(way, 'status', prepare)));
    expect(JSON.stringify(found[0])).toMatch(/ShdPnd:\\tfffffffe7ff8fe7f.*SigBlk:\\tfffffffe7ffbfeff/);
    expect(found.slice(1)).toEqual([found[0], found[0], found[0]]);
  });

  it('an alarm that was set before ends it', async () => {
    const script = `exec perl -e 'alarm 1; exec @ARGV' "$@"`;
    for (const way of WAYS) {
      const child = spawn('/bin/bash', ['-c', script, 'bash', ...way, 'sleep', '600'], { stdio: 'ignore' });
      expect(await new Promise((resolve) => child.once('close', (code, signal) => resolve(code ?? signal)))).toBe(
        way.length === 0 ? 'SIGALRM' : 142
      );
    }
  });

  it.each([1, 9, 15])('signal %i at the end of its parent, if it has asked for that', async (number) => {
    const parent = `my ($prctl) = @{{${CALLS}}->{(POSIX::uname)[4]}}; my $pid = fork;
      if (!$pid) { syscall($prctl, 1, 0 + $ARGV[0], 0, 0, 0); exec @ARGV[1 .. $#ARGV] } sleep 600`;
    for (const way of WAYS) {
      const args = ['-MPOSIX', '-e', parent, String(number), ...way, 'sh', '-c', 'echo $$; exec sleep 600'];
      const child = spawn('perl', args, { detached: true, stdio: ['ignore', 'pipe', 'ignore'] });
      let printed = '';
      child.stdout.on('data', (bytes: Buffer) => (printed += bytes.toString()));
      await until(() => printed.endsWith('\n'));
      child.kill('SIGKILL');
      await until(() => !existsSync(`/proc/${printed.trim()}`), 20_000);
    }
  });

  it('with closed descriptors', async () => {
    for (const closed of ['0<&-', '0<&- 2>&-', '2>&- 7>&-']) {
      const found = await Promise.all(
        WAYS.map((way) =>
          probe(way, 'descriptors', `cd "$1"; shift; exec ${closed} 4</etc/hostname; exec env HOME=/none "$@"`)
        )
      );
      expect(found.slice(1)).toEqual([found[0], found[0], found[0]]);
    }
  });

  it('its arguments, byte for byte', () => {
    const script = `all=$(perl -e 'print map { chr } 1 .. 9, 11 .. 255'); exec "$@" printf '%s|' '' "$all" $'caf\\xe9\\n' -- '' '*' '~'`;
    const all = Buffer.from([...Array(255).keys()].map((i) => i + 1).filter((byte) => byte !== 10));
    const expected = Buffer.concat([Buffer.from('|'), all, Buffer.from('|caf\xe9\n|--||*|~|', 'latin1')]);
    for (const way of WAYS) {
      const env = { PATH: process.env['PATH'], HOME: folder, LANG: 'C.UTF-8' };
      const { stdout } = spawnSync('/bin/bash', ['-c', script, 'bash', ...way], { env });
      expect(stdout.toString('latin1')).toBe(expected.toString('latin1'));
    }
  });

  it("what a user tells the command's own Node, and nothing that joblens does because of it", async () => {
    const told = {
      ...{
        NODE_DEBUG: '*',
        NODE_V8_COVERAGE: join(folder, 'coverage (1)'),
        NODE_REDIRECT_WARNINGS: join(folder, 'warned'),
      },
      ...{ NODE_COMPILE_CACHE: join(folder, 'cache'), NODE_PENDING_DEPRECATION: '1', NODE_PATH: '/gone' },
      ...{
        NODE_UNIQUE_ID: '1',
        NODE_TEST_CONTEXT: 'child-v8',
        NODE_ICU_DATA: '/gone',
        NODE_PRESERVE_SYMLINKS_MAIN: '1',
      },
    };
    const env = { PATH: process.env['PATH'], HOME: folder, JOBLENS_LOG_LEVEL: 'error' };
    const before = readdirSync(folder);
    for (const more of [
      told,
      { NODE_V8_COVERAGE: '/proc/gone/(1)' },
      { NODE_CHANNEL_FD: '3' },
      { NODE_CHANNEL_FD: '77' },
    ]) {
      for (const [command = '', ...args] of WAYS.slice(1)) {
        const child = spawn(command, [...args, 'sh', '-c', 'tr "\\0" "\\n" </proc/$$/environ | grep "^NODE_"'], {
          env: { ...env, ...more },
          stdio: ['ignore', 'pipe', 'pipe'],
        });
        const printed: string[] = [];
        for (const stream of [child.stdout, child.stderr])
          stream.on('data', (text: Buffer) => printed.push(text.toString()));
        expect(await new Promise((resolve) => child.once('close', resolve))).toBe(0);
        const expected = Object.entries(more).map(([name, value]) => `${name}=${value}`);
        expect(printed.join('').trimEnd().split('\n').sort()).toEqual(expected.sort());
      }
    }
    expect(readdirSync(folder)).toEqual(expect.arrayContaining(before));
    expect(readdirSync(folder).filter((name) => /coverage|warned|cache/.test(name))).toEqual([]);
  });

  it('its exit code, for codes and each signal that ends it', () => {
    // The supervisor alone, without the time that Node takes: its Node ends at once.
    const home = join(folder, 'without-node');
    cpSync(dirname(dirname(bundleJoblens())), home, { recursive: true });
    rmSync(join(home, 'bin', 'node'));
    mkdirSync(join(home, 'path'));
    writeFileSync(join(home, 'path', 'node'), '#!/bin/sh\n', { mode: 0o755 });
    const isLarge = Number(process.env['JOBLENS_TEST_SIZE'] ?? 1) > 1;
    const codes = isLarge ? '$(seq 0 255)' : '$(seq 0 3) $(seq 125 165) $(seq 192 21 255) 254 255';
    const script = `ulimit -c 0
for code in ${codes}; do "$@" sh -c "exit $code"; echo "$code $?"; done
for n in $(seq 1 18) $(seq 23 31) $(seq 34 64); do "$@" bash -c "kill -$n \\$\\$"; echo "signal $n $?"; done`;
    const env = { PATH: `${home}/path:${process.env['PATH']}`, HOME: folder };
    const [alone, supervised] = [[], [join(home, 'bin/joblens'), 'run', '--']].map(
      (way) => spawnSync('/bin/bash', ['-c', script, 'bash', ...way], { encoding: 'utf8', env }).stdout
    );
    expect(alone?.split('\n')).toHaveLength((isLarge ? 256 : 4 + 41 + 4 + 2) + 58 + 1);
    expect(supervised).toBe(alone);
  });

  it.each([
    [35, 'SIGRTMIN+1'],
    [64, 'SIGRTMIN+30'],
    [31, 'SIGSYS'],
  ])('ended by signal %i it has failed', async (number, signal) => {
    const out = join(folder, `signal-${number}.lp`);
    const args = ['run', '--mode', 'enabled', '--out', out, '--', 'bash', '-c', `kill -${number} $$`];
    expect((await joblens.run(args)).code).toBe(128 + number);
    expect(readFileSync(out, 'utf8')).toMatch(/^job,.*state="FAILED".*exit_code=/m);
    expect(readFileSync(out, 'utf8')).toContain(signal);
  });

  /** Starts it below a parent in the same session, without which nothing of a terminal stops it. */
  function startStoppable(way: readonly string[]): Stoppable {
    const parent = `my $pid = fork; if (!$pid) { setpgrp; exec @ARGV } $| = 1; print "$pid\\n"; waitpid $pid, 0;
      exit($? & 127 ? 128 + ($? & 127) : $? >> 8)`;
    const command = ['sh', '-c', 'echo $$; read x; exit 5'];
    const child = spawn('perl', ['-e', parent, ...way, ...command], {
      detached: true,
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    let printed = '';
    child.stdout.on('data', (bytes: Buffer) => (printed += bytes.toString()));
    const ended = new Promise((resolve) => child.once('close', resolve));
    return {
      ended,
      words: () => printed.trim().split('\n'),
      end: () => {
        child.stdin.end();
        return ended;
      },
    };
  }
  const isStopped = (pid: number): boolean => /\) T /.test(readFileSync(`/proc/${pid}/stat`, 'latin1'));

  it.each(
    ['SIGTSTP', 'SIGTTIN', 'SIGTTOU', 'SIGSTOP'].flatMap((signal) =>
      (['joblens', 'its group', 'the command'] as const)
        // SIGSTOP to joblens alone cannot be passed on.
        .filter((whom) => signal !== 'SIGSTOP' || whom !== 'joblens')
        .map((whom) => [signal, whom] as const)
    )
  )('%s to %s stops it and what started it, until it goes on', async (signal, whom) => {
    for (const way of WAYS) {
      const { words, end } = startStoppable(way);
      await until(() => words().length === 2);
      const [leader = 0, command = 0] = words().map(Number);
      const target = { joblens: leader, 'its group': -leader, 'the command': command }[whom];
      process.kill(target, signal);
      await until(() => isStopped(leader) && isStopped(command));
      process.kill(target, 'SIGCONT');
      await until(() => !isStopped(leader) && !isStopped(command));
      expect(await end()).toBe(5);
    }
  });

  it.each([32, 33])('signal %i, which is of the C library, ends it, sent to it or to joblens', async (number) => {
    for (const way of WAYS) {
      for (const index of [0, 1]) {
        const { words, ended } = startStoppable(way);
        await until(() => words().length === 2);
        process.kill(Number(words()[index]), number);
        expect(await ended).toBe(128 + number);
      }
    }
  });

  it('each signal that is sent to joblens reaches it once, also when it is sent to all', async () => {
    const program = join(folder, 'count.pl');
    writeFileSync(
      program,
      `use Config; my @names = split ' ', $Config{sig_name}; $| = 1;
      for my $n (grep { !/^(9|19|32|33)$/ } 1 .. 64) { $SIG{$names[$n]} = sub { print "got $n\n" } }
      print "ready\n"; sleep 1 until -e "${program}.stop";`
    );
    const child = joblens.start([...ON, 'perl', program]);
    const count = (line: string): number =>
      child
        .stdout()
        .toString()
        .split('\n')
        .filter((found) => found === line).length;
    await until(() => count('ready') === 1);
    const numbers = [...Array(65).keys()].filter((n) => ![0, 9, 19, 32, 33].includes(n));
    for (const number of numbers) {
      process.kill(child.pid, number);
      await until(() => count(`got ${number}`) === 1);
    }
    for (const number of numbers) {
      process.kill(-child.pid, number);
      await until(() => count(`got ${number}`) === 2);
    }
    // Time for one to come twice.
    await new Promise((resolve) => setTimeout(resolve, 300));
    writeFileSync(`${program}.stop`, '');
    expect((await child.ended).code).toBe(0);
    expect(numbers.filter((n) => count(`got ${n}`) !== 2)).toEqual([]);
  });
});

describeWith(['perl', 'script'], 'a command that leads the session of a terminal', () => {
  it('the end of its terminal reaches it once, as the leader of a session', async () => {
    for (const [i, way] of WAYS.entries()) {
      const at = (name: string): string => join(folder, `terminal (${i}) ${name}`);
      const told = `trap 'echo HUP >> "$told"' HUP; trap 'sleep 0.5; exit 3' CONT; echo "$$" > "$began"
        while :; do sleep 0.05; done; exit 4`;
      writeFileSync(at('script'), told);
      const words = [...way, 'bash', at('script')].map((word) => `'${word}'`).join(' ');
      const env = { PATH: process.env['PATH'], HOME: folder, SHELL: '/bin/sh', began: at('began'), told: at('told') };
      const terminal = spawn('script', ['-qec', `exec ${words}`, '/dev/null'], {
        env,
        stdio: ['pipe', 'ignore', 'ignore'],
      });
      await until(() => existsSync(at('began')) && readFileSync(at('began'), 'utf8').endsWith('\n'));
      terminal.kill('SIGKILL');
      await until(() => existsSync(at('told')) && readFileSync(at('told'), 'utf8') !== '');
      const pid = readFileSync(at('began'), 'utf8').trim();
      await until(() => !existsSync(`/proc/${pid}`));
      expect(readFileSync(at('told'), 'utf8')).toBe('HUP\n');
    }
  });
});
