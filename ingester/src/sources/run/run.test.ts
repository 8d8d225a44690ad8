import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import type { Point } from '@joblens/core/point/point';
import { prepareJoblens, until } from '../../testing/joblens.js';
import { readLog, readMetadata, storePoints } from '../../testing/stored-points.js';

const joblens = prepareJoblens();
afterAll(() => joblens.remove());

let files = 0;
/** Options that log into a file of its own, and a function that reads the file. */
function logInto(): { options: string[]; read: () => Point[] } {
  files += 1;
  const path = join(joblens.folder, `out-${files}.lp`);
  const read = (): Point[] => {
    const text = existsSync(path) ? readFileSync(path, 'utf8') : '';
    return storePoints(text.split('\n').filter((line) => line !== ''));
  };
  return { options: ['--mode', 'enabled', '--job', 'j', '--user', 'ann', '--out', path], read };
}

/** A program of this machine's Node as a command. */
function node(program: string): string[] {
  return [process.execPath, '-e', program];
}

function pointsOf(points: readonly Point[], measurement: string): Point[] {
  return points.filter((point) => point.measurement === measurement);
}

const EVERY_BYTE = `const all = Buffer.from(Array.from({ length: 256 }, (_, i) => i));
for (let i = 0; i < 400; i += 1) { require('fs').writeSync(1, all); require('fs').writeSync(2, Buffer.from(all).reverse()); }`;

describe('a secret', () => {
  const [TOKEN, PASSWORD] = ['Zk9-Qw4_token-of-the-test==', "pass'word of the test"];
  const SECRETS = { INFLUX_TOKEN: TOKEN, INFLUX_PASSWORD: PASSWORD };
  const OWN = { JOBLENS_TOKEN: `${TOKEN}2`, JOBLENS_PASSWORD: `${PASSWORD}2` };
  const SHOWN = /Zk9|token-of|word of/;

  it.each([
    ['env', ['env']],
    ['its own arguments', ['sh', '-c', 'tr "\\0" " " </proc/$PPID/cmdline; echo', 'x', TOKEN, PASSWORD]],
    ['a line of metadata', ['sh', '-c', `printf '{"t": "%s", "n": 1}\\n' "$INFLUX_TOKEN"`]],
    [
      'stderr, bit by bit',
      [
        'sh',
        '-c',
        'printf "%s\\n" "$INFLUX_TOKEN" | fold -w 5 | while read -r part; do printf "%s" "$part" >&2; sleep 0.1; done; echo >&2',
      ],
    ],
  ])('in %s is printed, but not stored', async (_name, command) => {
    const { options, read } = logInto();
    const args = ['run', ...options, '--token', `${TOKEN}3`, '--', ...command];
    const { stdout, stderr } = await joblens.run(args, '', { ...SECRETS, ...OWN });
    expect(stdout.toString() + stderr).toContain(TOKEN);
    const text = read()
      .map(({ fields }) => [...fields.values()].join('\n'))
      .join('\n');
    expect(text).not.toMatch(SHOWN);
    expect(text).toContain('***');
  });

  it('of its own does not reach the command, and goes before that of other programs', async () => {
    const seen: (string | undefined)[] = [];
    const server = createHttpServer((request, response) => {
      seen.push(request.headers.authorization);
      response.writeHead(204, { 'x-influxdb-version': '2.7.1' }).end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const args = ['run', '--mode', 'enabled', '--url', url, '--spool', join(joblens.folder, 'secret'), '--', 'env'];
    const { stdout } = await joblens.run(args, '', { ...SECRETS, ...OWN });
    server.close();
    expect(stdout.toString()).not.toMatch(/JOBLENS_(TOKEN|PASSWORD)/);
    expect(stdout.toString()).toContain(`INFLUX_TOKEN=${TOKEN}\n`);
    expect(new Set(seen)).toEqual(new Set([`Token ${OWN.JOBLENS_TOKEN}`]));
  });
});

describe('joblens run', () => {
  it('passes every byte of both streams and of standard input through', async () => {
    const all = Buffer.from(Array.from({ length: 256 }, (_, i) => i));
    const { code, stdout, stderr } = await joblens.run(['run', ...logInto().options, '--', ...node(EVERY_BYTE)]);
    expect(code).toBe(0);
    expect(stdout.equals(Buffer.concat(Array<Buffer>(400).fill(all)))).toBe(true);
    expect(stderr).toBe(Buffer.concat(Array<Buffer>(400).fill(Buffer.from(all).reverse())).toString());
    const copied = await joblens.run(['run', ...logInto().options, '--', 'cat'], all);
    expect(copied.stdout.equals(all)).toBe(true);
  });

  it('does not hold output back', async () => {
    const child = joblens.start([
      'run',
      ...logInto().options,
      '--',
      'sh',
      '-c',
      'printf "no line end"; read x; echo got $x',
    ]);
    await until(() => child.stdout().toString() === 'no line end');
    child.write('this\n');
    child.endInput();
    expect(await child.ended).toEqual({ code: 0, signal: null });
    expect(child.stdout().toString()).toBe('no line endgot this\n');
  });

  it('gives the command pipes that it can open again', async () => {
    const program = 'echo a > /dev/stdout; echo b > /dev/stderr';
    expect(await joblens.run(['run', ...logInto().options, '--', 'sh', '-c', program])).toMatchObject({
      code: 0,
      stdout: Buffer.from('a\n'),
      stderr: 'b\n',
    });
  });

  it.each([
    ['exits as the command does', ['sh', '-c', 'exit 7'], 7, 'FAILED', ''],
    ['exits with 128 and the signal', ['sh', '-c', 'kill -KILL $$'], 137, 'FAILED', ''],
    [
      'says that a command is not found',
      ['no-such-command'],
      127,
      'FAILED',
      'joblens: cannot run no-such-command: command not found; check its name and PATH\n',
    ],
    [
      'says that a command is not executable',
      ['/etc/passwd'],
      126,
      'FAILED',
      'joblens: cannot run /etc/passwd: it is not an executable file; check its permissions\n',
    ],
    [
      'says that a command has no name',
      [''],
      127,
      'FAILED',
      "joblens: cannot run '': command not found; check its name and PATH\n",
    ],
  ])('%s', async (_name, command, code, state, stderr) => {
    const out = logInto();
    expect(await joblens.run(['run', ...out.options, '--', ...command])).toMatchObject({ code, stderr });
    const [job] = pointsOf(out.read(), 'job').slice(-1);
    expect(Object.fromEntries(job?.fields ?? [])).toMatchObject({ state, exit_code: code });
  });

  it.each(['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGUSR1', 'SIGUSR2', 'SIGQUIT'] as const)('passes %s on', async (signal) => {
    const out = logInto();
    const program = `process.on('${signal}', () => { console.log('got it'); process.exit(9); }); setInterval(() => {}, 1000); console.log('ready')`;
    const child = joblens.start(['run', ...out.options, '--', ...node(program)]);
    await until(() => child.stdout().includes('ready'));
    child.kill(signal);
    expect(await child.ended).toEqual({ code: 9, signal: null });
    expect(child.stdout().toString()).toBe('ready\ngot it\n');
    const states = pointsOf(out.read(), 'job').map(({ fields }) => fields.get('state'));
    expect(states).toEqual(['RUNNING', signal.startsWith('SIGUSR') ? 'FAILED' : 'CANCELLED']);
  });

  it('ends with 128 and the signal that ended the command', async () => {
    const child = joblens.start(['run', ...logInto().options, '--', 'sleep', '60']);
    await until(() => isRunning(child.pid, 'sleep'));
    child.kill('SIGTERM');
    expect(await child.ended).toEqual({ code: 143, signal: null });
  });

  it('lets the command learn that nobody reads its output any more', async () => {
    const child = joblens.start(['run', ...logInto().options, '--', 'yes']);
    await until(() => child.stdout().length > 0);
    child.closeStdout();
    expect(await child.ended).toEqual({ code: 141, signal: null });
    expect(child.stderr().toString()).toBe('');
  });

  it('lets it learn that of a socket, too, that nobody has read for long', async () => {
    const path = join(joblens.folder, 'socket');
    const server = createServer({ pauseOnConnect: true }).listen(path);
    const accepted = once(server, 'connection') as Promise<[Socket]>;
    const stdout = connect(path);
    const [reader] = await accepted;
    const words = `${joblens.command} run ${logInto().options.join(' ')} -- yes`;
    const child = spawn('sh', ['-c', `exec ${words}`], { stdio: ['ignore', stdout, 'ignore'] });
    stdout.destroy();
    const exited = once(child, 'exit');
    // Until it is full.
    await new Promise((resolve) => setTimeout(resolve, 2000));
    reader.destroy();
    server.close();
    expect(await exited).toEqual([141, null]);
  });

  it('ends with the command although a child of it holds the output', async () => {
    const left = join(joblens.folder, 'left');
    const command = ['sh', '-c', `sleep 600 & echo $! > ${left}; echo done`];
    const child = joblens.start(['run', ...logInto().options, '--', ...command]);
    expect(await child.exited).toBe(0);
    await until(() => child.stderr().includes('a process that it left behind still holds its output'));
    expect(child.stdout().toString()).toBe('done\n');
    process.kill(Number(readFileSync(left, 'utf8')));
    await child.ended;
  });

  it('logs both streams, and describes the job at its start and end', async () => {
    const out = logInto();
    const config = join(joblens.folder, 'conf.yaml');
    writeFileSync(config, 'lr: 0.1\nlayers: [1, 2]\n');
    const program = `echo a; echo b >&2; echo '{"epoch": 1, "loss": 0.5}'; exit 3`;
    const kept = ['--experiment', 'sweep (a-1)', '--group', 'lr=0.1', '--note', "the ann's first try"];
    const options = [...out.options, '--tag', 'k=v', '--tag', 'l=', ...kept, '--config', config];
    const environment = { SLURM_JOB_ID: '5', SLURM_JOB_NUM_NODES: '2', SLURM_JOB_PARTITION: 'gpu' };
    await joblens.run(['run', ...options, '--', 'sh', '-c', program], '', environment);
    const points = out.read();
    expect(readLog(points).sort()).toEqual(['a', 'stderr: b', '{"epoch": 1, "loss": 0.5}']);
    expect(readMetadata(points)).toEqual([{ epoch: 1, loss: 0.5 }]);
    const [start, end] = pointsOf(points, 'job').map(({ fields }) => Object.fromEntries(fields));
    expect(start).toMatchObject({
      name: 'sh',
      state: 'RUNNING',
      command: `sh -c 'echo a; echo b >&2; echo '\\''{"epoch": 1, "loss": 0.5}'\\''; exit 3'`,
      workdir: joblens.folder,
      nodes: 2,
      queue: 'gpu',
      config: '{"lr":0.1,"layers":[1,2]}',
      ...{ experiment: 'sweep (a-1)', group: 'lr=0.1', note: "the ann's first try" },
      tags: '{"k":"v","l":"","experiment":"sweep (a-1)","group":"lr=0.1"}',
    });
    expect(start).not.toHaveProperty('submitted');
    expect(end).toMatchObject({ state: 'FAILED', exit_code: 3 });
    expect(Number(end?.['ended'])).toBeGreaterThanOrEqual(Number(start?.['started']));
    const events = pointsOf(points, 'job_event').map(({ tags }) => [tags.get('from_state'), tags.get('to_state')]);
    expect(events).toEqual([
      [undefined, 'RUNNING'],
      ['RUNNING', 'FAILED'],
    ]);
  });

  it('describes the job once where several tasks run', async () => {
    const out = logInto();
    const environment = { SLURM_JOB_ID: '5', SLURM_NTASKS: '2', SLURM_PROCID: '1' };
    await joblens.run(['run', ...out.options, '--', 'echo', 'a'], '', environment);
    const points = out.read().filter(({ measurement }) => measurement !== 'job_heartbeat');
    expect(points.map(({ measurement, tags }) => [measurement, tags.get('task')])).toEqual([['job_log', '1']]);
  });
});

function isRunning(parentPid: number, name: string): boolean {
  const children = readFileSync(`/proc/${parentPid}/task/${parentPid}/children`, 'utf8').trim().split(' ');
  return children.some((pid) => {
    try {
      return pid !== '' && readFileSync(`/proc/${pid}/comm`, 'utf8').trim() === name;
    } catch {
      // It has ended meanwhile.
      return false;
    }
  });
}

describe('joblens run where nothing is logged', () => {
  it('gives the command our own descriptors and asks for no destination', async () => {
    const program = 'exec 3>&1; readlink /proc/$$/fd/3 /proc/$$/fd/2 /proc/$PPID/fd/2 > links; echo x';
    const { code, stdout, stderr } = await joblens.run(['run', '--', 'sh', '-c', program]);
    expect({ code, stdout: stdout.toString(), stderr }).toEqual({ code: 0, stdout: 'x\n', stderr: '' });
    const [childOut, childErr, ownErr] = readFileSync(join(joblens.folder, 'links'), 'utf8').split('\n');
    expect(childOut).toMatch(/^(socket|pipe):/);
    expect(childErr).toBe(ownErr);
  });

  it('follows ~/.logoptin, and says what is wrong in it in one line and one notice', async () => {
    const home = join(joblens.folder, 'home');
    const out = join(joblens.folder, 'optin.lp');
    mkdirSync(home);
    const run = (): ReturnType<typeof joblens.run> =>
      joblens.run(['run', '--out', out, '--', 'echo', 'x'], '', { HOME: home });
    expect(await run()).toMatchObject({ code: 0, stderr: '' });
    writeFileSync(join(home, '.logoptin'), 'mode: all\n');
    const where = `${home}/.logoptin:1:1: option mode is "all"; allowed are enabled, metadata, disabled`;
    const message = `nothing is logged: the opt-in file is not valid: ${where}`;
    expect(await run()).toMatchObject({ code: 0, stdout: Buffer.from('x\n'), stderr: `joblens: ${message}\n` });
    const lines = readFileSync(out, 'utf8').trim().split('\n');
    expect(lines).toHaveLength(1);
    expect(readLog(storePoints(lines))).toEqual([`[notice] (joblens: ${message})`]);
    writeFileSync(out, '');
    writeFileSync(join(home, '.logoptin'), 'retention: basic\n');
    const ignored = `this version does not know, and ignores, options of ${home}/.logoptin: at 1:1 "retention"`;
    expect(await run()).toMatchObject({ code: 0, stderr: `joblens: ${ignored}\n` });
    expect(readLog(storePoints(readFileSync(out, 'utf8').trim().split('\n')))).toEqual([
      `[notice] (joblens: ${ignored})`,
      'x',
    ]);
    writeFileSync(join(home, '.logoptin'), '');
    expect(await run()).toMatchObject({ code: 0, stderr: '' });
    expect(readFileSync(out, 'utf8')).toContain('line="x"');
  });
});

describe('joblens run when something is wrong', () => {
  const ON = ['--mode', 'enabled', '--drain-timeout', '0.5'];

  it.each([
    [
      'nothing says where to write',
      [],
      [/^joblens: nothing is logged: nothing says where to write; set INFLUX_HOST, or give --url URL or --out FILE$/],
    ],
    [
      'the file for the points cannot be made',
      ['--out', '/proc/none/x.lp'],
      [
        /^joblens: nothing is logged: cannot write to \/proc\/none\/x\.lp: no such file or directory \(ENOENT\); give a file in a folder that exists and is yours with --out$/,
      ],
    ],
    [
      'InfluxDB is down',
      ['--url', 'http://127.0.0.1:1'],
      [
        /^joblens: cannot reach InfluxDB at http:\/\/127\.0\.0\.1:1: connect ECONNREFUSED .*; points wait and are sent again; start it, or set INFLUX_HOST to its address$/,
        /^joblens: could not send \d+ points to InfluxDB at http:\/\/127\.0\.0\.1:1: the next joblens, or `joblens drain`, sends what waits in .*spool$/,
      ],
    ],
    [
      'the configuration cannot be read',
      ['--out', '/dev/null', '--config', '/none.json'],
      [
        /^joblens: cannot read the configuration \/none\.json: no such file or directory \(ENOENT\); the job is logged without it$/,
      ],
    ],
  ])('runs the command and says in one line each that %s', async (_name, options, lines) => {
    const { code, stdout, stderr } = await joblens.run(['run', ...ON, ...options, '--', 'sh', '-c', 'echo x; exit 4']);
    expect({ code, stdout: stdout.toString() }).toEqual({ code: 4, stdout: 'x\n' });
    const said = stderr.trimEnd().split('\n');
    expect(said).toHaveLength(lines.length);
    lines.forEach((line, i) => expect(said[i]).toMatch(line));
  });

  it('logs where the folder for temporary files is gone', async () => {
    const out = logInto();
    const { code, stdout, stderr } = await joblens.run(['run', ...out.options, '--', 'echo', 'x'], '', {
      TMPDIR: join(joblens.folder, 'no such (folder)'),
    });
    expect([code, stdout.toString(), stderr]).toEqual([0, 'x\n', expect.not.stringContaining('pipes')]);
    expect(pointsOf(out.read(), 'job_log')).toHaveLength(1);
  });

  it.each([
    ['fails', 'echo "mkfifo: no room" >&2; exit 1', /\/tmp: mkfifo: no room; .*; set TMPDIR to a folder/],
    ['is missing', undefined, /\/tmp: the program mkfifo cannot be started: ENOENT; .*; set TMPDIR to a folder/],
  ])('runs the command where no pipes can be made, as mkfifo %s', async (what, script, said) => {
    const folder = mkdtempSync(join(joblens.folder, `mkfifo ${what} `));
    if (script !== undefined) writeFileSync(join(folder, 'mkfifo'), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    else for (const name of ['echo', 'perl', 'readlink']) symlinkSync(`/bin/${name}`, join(folder, name));
    const out = logInto();
    const path = script === undefined ? folder : `${folder}:${process.env['PATH']}`;
    const { code, stdout, stderr } = await joblens.run(['run', ...out.options, '--', 'echo', 'x'], '', { PATH: path });
    expect({ code, stdout: stdout.toString() }).toEqual({ code: 0, stdout: 'x\n' });
    expect(stderr).toMatch(/nothing of the output is logged: cannot make pipes \(/);
    expect(stderr).toMatch(said);
    expect(pointsOf(out.read(), 'job')).toHaveLength(2);
  });

  it('never waits for an InfluxDB that does not answer', async () => {
    const silent = createServer(() => undefined);
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
    const startedMs = Date.now();
    const program = `for (let i = 0; i < 20000; i += 1) console.log('line ' + i)`;
    const { code, stdout } = await joblens.run(['run', ...ON, '--url', url, '--', ...node(program)]);
    expect(code).toBe(0);
    expect(stdout.toString().split('\n')).toHaveLength(20_001);
    expect(Date.now() - startedMs).toBeLessThan(20_000);
    silent.close();
  });

  it('says at once that a spool folder cannot be made', async () => {
    const startedMs = Date.now();
    const to = ['--url', 'http://127.0.0.1:1', '--spool', '/proc/none/spool'];
    const { code, stdout, stderr } = await joblens.run(['run', ...ON, ...to, '--', 'echo', 'x']);
    expect([code, stdout.toString()]).toEqual([0, 'x\n']);
    expect(stderr.split(';')[0]).toBe(
      'joblens: the spool folder /proc/none/spool cannot be used (ENOENT): choose another one with --spool'
    );
    expect(Date.now() - startedMs).toBeLessThan(20_000);
  });

  it('keeps its memory bounded while InfluxDB is down, and says what was not logged', async () => {
    const program = `const line = 'x'.repeat(99); let i = 0; (function more() { let text = ''; for (let n = 0; n < 5000; n += 1) text += line + i++ + '\\n'; if (i < 400000) process.stdout.write(text, more); else process.stdout.write(text); })()`;
    const child = joblens.start([
      'run',
      ...ON,
      '--limit-bytes',
      '1000',
      '--limit-lines',
      '1e9',
      '--spool-size',
      '8',
      '--url',
      'http://127.0.0.1:1',
      '--',
      ...node(program),
    ]);
    let maxKib = 0;
    const timer = setInterval(() => (maxKib = Math.max(maxKib, residentKib(child.loggerPid()))), 20);
    const { code } = await child.ended;
    clearInterval(timer);
    expect(code).toBe(0);
    expect(child.stdout().length).toBeGreaterThan(400_000 * 100);
    expect(maxKib).toBeGreaterThan(0);
    expect(maxKib).toBeLessThan(200 * 1024);
    expect(child.stderr().toString()).toMatch(/could not store \d+ points: there was no room for waiting points/);
  });
});

function residentKib(pid: number): number {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0);
  } catch {
    return 0;
  }
}

describe('the command line', () => {
  it.each([
    [['run'], 2, /missing required argument 'command'/],
    [['run', '--mode', 'all', '--', 'true'], 2, /^joblens: --mode must be enabled, metadata or disabled; got "all"$/m],
    [['run', '--bogus', '--', 'true'], 2, /unknown option '--bogus'/],
    [['bogus'], 2, /unknown command 'bogus'/],
    [[], 2, /Usage: joblens/],
    [['pipe', '--tee', '--out', '-'], 2, /--tee and --out -/],
    [['watch'], 2, /^joblens: nothing to follow: give files, folders or patterns, or --slurm$/m],
  ])('refuses %j with exit code %i', async (args, code, message) => {
    const ended = await joblens.run(args);
    expect(ended.code).toBe(code);
    expect(ended.stderr).toMatch(message);
  });

  it.each([['run'], ['pipe'], ['watch']])('explains %s', async (command) => {
    const { code, stdout } = await joblens.run([command, '--help']);
    expect(code).toBe(0);
    for (const part of [
      '--job',
      '--mode',
      '--out',
      '--url',
      'INFLUX_HOST',
      '--drain-timeout',
      'Examples:',
      '.logoptin',
    ]) {
      expect(stdout.toString()).toContain(part);
    }
  });

  it('starts a command without -- too, and leaves its options alone', async () => {
    expect(await joblens.run(['run', 'sh', '-c', 'echo $1', 'sh', '--mode'])).toMatchObject({
      code: 0,
      stdout: Buffer.from('--mode\n'),
    });
  });
});

describe('--metrics', () => {
  it('adds what the command uses as a table, and its output is what it was', async () => {
    const { options, read } = logInto();
    const stop = join(joblens.folder, 'measured (1)');
    const program = `const timer = setInterval(() => {
      if (require('fs').existsSync('${stop}')) { clearInterval(timer); console.log('{"loss": 1}'); }
    }, 20);`;
    const child = joblens.start(['run', '--metrics', ...options, '--', ...node(program)]);
    const rowsOf = (points: readonly Point[]): Point[] =>
      pointsOf(points, 'job_metadata').filter(({ fields }) => fields.has('system.age_s'));
    await until(() => rowsOf(read()).length > 0);
    writeFileSync(stop, '');
    expect((await child.ended).code).toBe(0);
    expect(child.stdout().toString()).toBe('{"loss": 1}\n');
    const rows = rowsOf(read());
    expect(rows[0]?.fields.get('system.age_s')).toBeGreaterThanOrEqual(1);
    expect(rows[0]?.fields.get('system.memory_bytes')).toBeGreaterThan(1e6);
    expect(readLog(read())).toEqual(['{"loss": 1}']);
  });

  it('stores nothing without an opt-in, and nothing in mode disabled', async () => {
    const { options, read } = logInto();
    const program = node('setTimeout(() => undefined, 1500)');
    const { code } = await joblens.run(['run', '--metrics', ...options, '--mode', 'disabled', '--', ...program]);
    expect(code).toBe(0);
    expect(read().filter(({ measurement }) => /metadata|series/.test(measurement))).toEqual([]);
    const without = await joblens.run(['run', '--metrics', '--out', '-', '--', ...program]);
    expect([without.code, without.stdout.toString()]).toEqual([0, '']);
  });

  it('does not matter to a command that cannot be started', async () => {
    const { options } = logInto();
    expect((await joblens.run(['run', '--metrics', ...options, '--', 'no-such-command'])).code).toBe(127);
  });
});
