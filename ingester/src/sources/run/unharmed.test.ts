import { execFileSync, spawn } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { prepareJoblens, type Started, until } from '../../testing/joblens.js';
import { readLog, storePoints } from '../../testing/stored-points.js';

const joblens = prepareJoblens();
afterAll(() => joblens.remove());
const UNLIMITED = ['--limit-lines', '1e9', '--limit-bytes', '1e9'];
const OUT = join(joblens.folder, 'out.lp');
const ON = ['--mode', 'enabled', '--job', 'j', '--user', 'ann', '--out', OUT, ...UNLIMITED];

let programs = 0;
/** A program of this machine's Node as a command, kept in a file: its text is in no process list. */
function node(program: string): string[] {
  const path = join(joblens.folder, `program-${(programs += 1)}.cjs`);
  writeFileSync(path, program);
  return [process.execPath, path];
}

/** What joblens has started and itself: its group with the command and the witness, and a session that logs. */
function processesOf(group: number): { pid: number; command: string }[] {
  return readdirSync('/proc').flatMap((name) => {
    try {
      if (!/^\d+$/.test(name)) return [];
      const status = readFileSync(`/proc/${name}/stat`, 'utf8');
      const [state, , pgid] = status.slice(status.lastIndexOf(')') + 2).split(' ');
      const command = readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
      const environment = readFileSync(`/proc/${name}/environ`, 'utf8').split('\0');
      const isOurs = Number(pgid) === group || environment.includes(`HOME=${joblens.folder}`);
      return isOurs && state !== 'Z' ? [{ pid: Number(name), command }] : [];
    } catch {
      // It has ended meanwhile.
      return [];
    }
  });
}

/** Sends a signal to each of them by itself. */
function signalAll(group: number, signal: NodeJS.Signals): void {
  for (const { pid } of processesOf(group)) {
    try {
      process.kill(pid, signal);
    } catch {
      // It has ended meanwhile.
    }
  }
}

function startRun(command: readonly string[], environment: Record<string, string> = {}): Started {
  return joblens.start(['run', ...ON, '--', ...command], environment);
}

const COUNT = `const { writeSync } = require('fs');
process.on('exit', (code) => writeSync(2, 'ended with ' + code + '\\n'));
let i = 0;
const timer = setInterval(() => {
  for (let n = 0; n < 500; n += 1) writeSync(1, 'line ' + i++ + '\\n');
  if (i === 100000) clearInterval(timer);
}, 3);`;
const COUNTED = Array.from({ length: 100_000 }, (_, i) => `line ${i}\n`).join('');
const FAREWELL =
  'joblens was killed; if the command continues, its output still passes through, but it is not logged any more\n';

describe('a command whose joblens is killed', () => {
  it('runs to its own end, every byte passes through, and one line says what is not logged', async () => {
    const stop = join(joblens.folder, 'stop-counting');
    const child = startRun(node(COUNT.replace('i === 100000', `i > 99999 && require('fs').existsSync('${stop}')`)));
    await until(() => child.stdout().length > 100_000);
    child.kill('SIGKILL');
    await until(() => child.stderr().toString() === FAREWELL);
    writeFileSync(stop, '');
    expect(await child.ended).toEqual({ code: null, signal: 'SIGKILL' });
    const lines = child.stdout().toString().trimEnd().split('\n');
    expect(lines.length).toBeGreaterThanOrEqual(100_000);
    expect(lines).toEqual(lines.map((_, i) => `line ${i}`));
    expect(child.stderr().toString().split('\n').sort()).toEqual(`${FAREWELL}ended with 0\n`.split('\n').sort());
    await until(() => processesOf(child.pid).length === 0);
  });

  it('goes on although nobody reads its stderr', async () => {
    const child = startRun(node(COUNT.replace(/^.*'exit'.*$/m, '')));
    await until(() => child.stdout().length > 100_000);
    child.closeStderr();
    child.kill('SIGKILL');
    await child.ended;
    expect(child.stdout().toString()).toBe(COUNTED);
  });

  it('still learns that nobody reads its output', async () => {
    const child = startRun([
      'sh',
      '-c',
      'trap "" PIPE; while echo x 2>/dev/null; do sleep 0.02; done; echo stopped >&2',
    ]);
    await until(() => child.stdout().length > 0);
    child.kill('SIGKILL');
    await until(() => child.stderr().toString() === FAREWELL);
    child.closeStdout();
    await child.ended;
    expect(child.stderr().toString().split('\n').sort()).toEqual(`${FAREWELL}stopped\n`.split('\n').sort());
  });
});

describe('a command that is killed with its whole group, as mpiexec does it after MPI_Abort', () => {
  it.each([1, 20_000])('has its last words passed on and logged, after %i lines', async (count) => {
    const out = join(joblens.folder, `killed-${count}.lp`);
    const script = `seq ${count}; echo last words; echo last error >&2; kill -9 0`;
    const child = joblens.start(['run', ...ON, '--out', out, '--', 'sh', '-c', script]);
    expect(await child.ended).toEqual({ code: null, signal: 'SIGKILL' });
    const lines = [...Array.from({ length: count }, (_, i) => `${i + 1}`), 'last words'];
    expect(child.stdout().toString()).toBe(`${lines.join('\n')}\n`);
    expect(child.stderr().toString()).toBe('last error\n');
    expect(readFileSync(out, 'utf8')).toMatch(/^job,.* state="LOST"/m);
    const logged = Array.from(readFileSync(out, 'utf8').matchAll(/ line="([^"]*)"/g), ([, line]) => line);
    expect(logged.sort()).toEqual([...lines, 'last error'].sort());
  });
});

let spoiled = 0;
/** Makes joblens, and no other program, do this once the command has printed something. */
async function runSpoiled(command: readonly string[], deed: string): Promise<Started> {
  const path = join(joblens.folder, `spoil-${(spoiled += 1)}`);
  const wait = `const timer = setInterval(() => {
    if (!require('fs').existsSync('${path}')) return; clearInterval(timer); ${deed} }, 5);`;
  writeFileSync(`${path}.cjs`, `if (process.argv[2] === 'run') { ${wait} }`);
  const child = startRun(command, { JOBLENS_NODE_OPTIONS: `--require ${path}.cjs --max-old-space-size=64` });
  await until(() => child.stdout().length > 0);
  writeFileSync(path, '');
  return child;
}

describe('a command whose joblens has a fault', () => {
  it('goes on when the memory of joblens is full', async () => {
    const child = await runSpoiled(node(COUNT), 'for (const all = []; ; ) all.push(new Array(1e5).fill(1.5));');
    expect(await child.ended).toEqual({ code: 0, signal: null });
    expect(child.stdout().toString()).toBe(COUNTED);
    expect(child.stderr().toString()).toContain(FAREWELL);
    expect(child.stderr().toString()).toContain('ended with 0\n');
  });

  it.each([
    ['an exception in a timer', `throw new Error('spoilt');`],
    ['a promise that nobody waits for', `Promise.reject(new Error('spoilt'));`],
    ['the same fault again and again', `setInterval(() => { throw new Error('spoilt'); }, 1);`],
  ])('goes on to its own exit code after %s', async (_name, deed) => {
    const child = await runSpoiled(node(`${COUNT} process.exitCode = 5;`), deed);
    expect(await child.ended).toEqual({ code: 5, signal: null });
    expect(child.stdout().toString()).toBe(COUNTED);
    expect(child.stderr().toString().split('\n').sort()).toEqual([
      '',
      'ended with 5',
      'joblens: the logging has failed; the job continues, and its output still passes through, but it is not logged any more: spoilt',
    ]);
  });

  it('does not wait for logging that is slow to start', async () => {
    const config = join(joblens.folder, 'slow.json');
    execFileSync('mkfifo', [config]);
    const child = joblens.start(['run', ...ON, '--config', config, '--', 'echo', 'x']);
    await until(() => child.stdout().toString() === 'x\n');
    writeFileSync(config, '{}');
    expect(await child.ended).toEqual({ code: 0, signal: null });
    expect(readFileSync(OUT, 'utf8')).toContain('line="x"');
  });
});

describe('what stands between a command and its output', () => {
  it('is nothing that the command has or sees', async () => {
    const child = startRun(['sh', '-c', 'ls /proc/$$/fd; echo; tr "\\0" "\\n" < /proc/$$/environ | sort; cat']);
    const direct = spawn('sh', ['-c', 'ls /proc/$$/fd']);
    let expected = '';
    direct.stdout.on('data', (text: Buffer) => (expected += text.toString()));
    await until(() => child.stdout().includes('PATH=') && direct.exitCode !== null);
    expect(child.stdout().toString().split('\n\n')[0]).toBe(expected.trim());
    expect(child.stdout().toString().split('\n\n')[1]).toMatch(/^HOME=.*\n(JOBLENS_\w+=.*\n)*PATH=.*\n$/);
    child.endInput();
    await child.ended;
  });

  it('is small, and gone when the command has ended', async () => {
    const child = startRun(['cat']);
    await until(() => processesOf(child.pid).length === 7);
    const small = processesOf(child.pid).filter(({ command }) => !command.includes('/node '));
    for (const { pid } of small) {
      const kib = Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
      expect(kib).toBeLessThan(8192);
    }
    child.endInput();
    expect(await child.ended).toEqual({ code: 0, signal: null });
    await until(() => processesOf(child.pid).length === 0);
  });

  it.each(['SIGHUP', 'SIGINT', 'SIGQUIT', 'SIGTERM', 'SIGUSR1'] as const)(
    'survives %s to all processes, so that the last words of the command are heard',
    async (signal) => {
      const child = startRun(
        node(`process.on('${signal}', () => setTimeout(() => { console.log('last words'); process.exit(); }, 100));
          setInterval(() => {}, 1000); console.log('ready')`)
      );
      await until(() => child.stdout().includes('ready') && processesOf(child.pid).length === 7);
      signalAll(child.pid, signal);
      expect(await child.ended).toEqual({ code: 0, signal: null });
      expect(child.stdout().toString()).toBe('ready\nlast words\n');
    }
  );

  it('does not lose what a slow reader has not taken when the command ends', async () => {
    const child = startRun(['sh', '-c', `head -c 400000 /dev/zero | tr '\\0' x; echo; echo end`]);
    child.pauseStdout();
    await new Promise((resolve) => setTimeout(resolve, 1500));
    child.resumeStdout();
    expect(await child.ended).toEqual({ code: 0, signal: null });
    expect(child.stdout().length).toBe(400_005);
  });
});

describe('a process that the command leaves behind', () => {
  const LEFT = 'a process that it left behind still holds its output';
  const runShell = (script: string, out: string): Started =>
    joblens.start(['run', ...ON, '--out', join(joblens.folder, out), '--', 'sh', '-c', script]);
  const readLogIn = (out: string): string[] =>
    readLog(storePoints(readFileSync(join(joblens.folder, out), 'utf8').trimEnd()));

  it('is heard as long as it prints, although joblens has ended with the command', async () => {
    const go = join(joblens.folder, 'go');
    const left = `until [ -e ${go} ]; do sleep 0.05; done; echo late; sleep 1; echo late >&2; echo later`;
    const child = runShell(`(${left}) & echo x; exit 3`, 'left.lp');
    expect(await child.exited).toBe(3);
    expect(child.stdout().toString()).toBe('x\n');
    writeFileSync(go, '');
    expect(await child.ended).toEqual({ code: 3, signal: null });
    expect(child.stdout().toString()).toBe('x\nlate\nlater\n');
    const said =
      `the command has ended, but ${LEFT}. The output of that process was logged until nothing came for 250 ms, ` +
      'for 1000 ms at most. From here on it passes through, but it is not logged';
    expect(child.stderr().toString()).toBe(`joblens: ${said}\nlate\n`);
    expect(readLogIn('left.lp')).toEqual(['x', `[notice] (joblens: ${said})`]);
    await until(() => processesOf(child.pid).length === 0);
  });

  it('is logged for a second at most when it never pauses, with all that the command printed', async () => {
    const lines = Array.from({ length: 20_000 }, (_, i) => `line ${i}`);
    const at = (name: string): string => join(joblens.folder, name);
    const endless = `while sleep 0.02; do echo on >&2; : >${at('began')}; done`;
    const script = `(${endless}) & until [ -e ${at('began')} ]; do sleep 0.02; done
      seq -f 'line %.0f' 0 19999; echo $! > ${at('endless')}`;
    const startedMs = Date.now();
    const child = runShell(script, 'endless.lp');
    expect(await child.exited).toBe(0);
    expect(Date.now() - startedMs).toBeLessThan(60_000);
    process.kill(Number(readFileSync(at('endless'), 'utf8')));
    await child.ended;
    const log = readLogIn('endless.lp');
    expect(log.filter((line) => line.startsWith('line '))).toEqual(lines);
    expect(log).toContain('stderr: on');
    expect(log.at(-1)).toContain(LEFT);
  });

  it('does not keep joblens when it prints as fast as it can, and learns that nobody reads it', async () => {
    const child = runShell('yes & echo $!', 'fast.lp');
    expect(await child.exited).toBe(0);
    child.closeStdout();
    await child.ended;
    await until(() => processesOf(child.pid).length === 0);
  });

  it('is not disturbed by signals to joblens and its helpers when it ignores them itself', async () => {
    const go = join(joblens.folder, 'go-ignores');
    const left = `until [ -e ${go} ]; do sleep 0.05; done; echo late`;
    const child = runShell(`trap '' HUP TERM; (${left}) & echo x`, 'ignores.lp');
    expect(await child.exited).toBe(0);
    for (const signal of ['SIGHUP', 'SIGTERM'] as const) signalAll(child.pid, signal);
    writeFileSync(go, '');
    await child.ended;
    expect(child.stdout().toString()).toBe('x\nlate\n');
  });
});

describe('signals', () => {
  const COUNT_SIGNALS = (signal: string): string[] =>
    node(`let count = 0; process.on('${signal}', () => console.log('signal', ++count)); console.log('ready');
      process.on('SIGCONT', () => { console.log('got ' + count); process.exit(); }); setInterval(() => {}, 1000);`);

  it.each([
    ['SIGTERM', 'all processes', (pid: number): unknown => process.kill(-pid, 'SIGTERM')],
    ['SIGINT', 'all processes', (pid: number): unknown => process.kill(-pid, 'SIGINT')],
    ['SIGUSR1', 'all processes', (pid: number): unknown => process.kill(-pid, 'SIGUSR1')],
    ['SIGTERM', 'joblens alone', (pid: number): unknown => process.kill(pid, 'SIGTERM')],
    ['SIGINT', 'joblens alone', (pid: number): unknown => process.kill(pid, 'SIGINT')],
    ['SIGTERM', 'each process, one after the other', (pid: number): unknown => signalAll(pid, 'SIGTERM')],
  ] as const)('%s to %s reaches the command once, and once again', async (signal, _whom, send) => {
    const child = startRun(COUNT_SIGNALS(signal));
    await until(() => child.stdout().includes('ready') && processesOf(child.pid).length === 7);
    for (const count of [1, 2]) {
      send(child.pid);
      await until(() => child.stdout().includes(`signal ${count}`));
      // Time for it to come twice.
      await new Promise((resolve) => setTimeout(resolve, 300));
    }
    const command = processesOf(child.pid).find(
      ({ command }) => command.includes('program-') && !command.includes(' run ')
    );
    process.kill(command?.pid ?? 0, 'SIGCONT');
    await child.ended;
    expect(child.stdout().toString()).toBe('ready\nsignal 1\nsignal 2\ngot 2\n');
  });

  it('that come together reach the command once each', async () => {
    const child = startRun(
      node(`const got = []; for (const s of ['SIGTERM', 'SIGUSR1', 'SIGINT']) process.on(s, () => note(s));
        const end = () => { console.log(got.sort().join()); process.exit(); };
        // Time for more to come.
        const note = (signal) => { if (got.push(signal) === 3) setTimeout(end, 500); };
        console.log('ready'); setInterval(() => {}, 1000);`)
    );
    await until(() => child.stdout().includes('ready') && processesOf(child.pid).length === 7);
    for (const signal of ['SIGTERM', 'SIGUSR1', 'SIGINT'] as const) process.kill(-child.pid, signal);
    await child.ended;
    expect(child.stdout().toString()).toBe('ready\nSIGINT,SIGTERM,SIGUSR1\n');
  });
});
