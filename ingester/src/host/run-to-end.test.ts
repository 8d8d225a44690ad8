import { closeSync, openSync, readdirSync, readFileSync } from 'node:fs';
import { until } from '../testing/joblens.js';
import { type ProgramEnd, type ProgramLimits, runToEnd } from './run-to-end.js';

const LONG: ProgramLimits = { timeoutMs: 240_000, maxBytes: 1 << 20 };

function sh(script: string, limits: Partial<ProgramLimits> = {}): Promise<ProgramEnd> {
  return runToEnd('/bin/sh', ['-c', script, "a (b)'", '-'], { ...LONG, ...limits });
}

/** The processes of a group that have not ended. */
function listLiving(group: number): readonly string[] {
  return readdirSync('/proc').filter((name) => {
    if (!/^\d+$/.test(name)) return false;
    try {
      // Behind the name of the program, which may hold anything: state, parent, group (proc(5)).
      const [state, , of] = readFileSync(`/proc/${name}/stat`, 'utf8')
        .replace(/^.*\) /s, '')
        .split(' ');
      return Number(of) === group && state !== 'Z' && state !== 'X';
    } catch {
      return false;
    }
  });
}

it('gives what a program prints, and how it ended', async () => {
  expect(await sh('printf "%s" "$0$1"; printf no >&2; exit 7')).toMatchObject({
    ...{ kind: 'ended', code: 7, stdout: Buffer.from("a (b)'-"), stderr: Buffer.from('no') },
  });
  expect(await sh('kill -9 $$')).toMatchObject({ kind: 'ended', code: 'SIGKILL' });
  expect(await sh('cat; echo $X', { environment: { X: 'y z' } })).toMatchObject({ stdout: Buffer.from('y z\n') });
});

it.each([['/none/a b'], ['/etc'], ['a\0b']])('says that %j cannot be started', async (program) => {
  expect(await runToEnd(program, [], LONG)).toMatchObject({ kind: 'not-started', stdout: Buffer.alloc(0) });
});

it('hands a file on', async () => {
  const fd = openSync('/etc/passwd', 'r');
  expect((await sh('cat <&3', { fd })).stdout.toString()).toContain('root:');
  closeSync(fd);
});

it.each([
  ['hangs', 'echo begun; exec sleep 1000'],
  ['ignores signals', "trap '' TERM INT HUP; echo begun; while :; do sleep 1000; done"],
  ['waits for its child', 'echo begun; sleep 1000; echo'],
  ['has children that hold its output', "trap '' TERM; echo begun; sleep 1000 & sleep 1000 & wait"],
  ['closes its output and hangs', 'echo begun; exec >&- 2>&-; sleep 1000'],
])('gives a program up that %s, and kills all of it', async (_what, script) => {
  let [pid, word] = ['', ''];
  // A busy machine may not even have begun.
  for (let timeoutMs = 300; word !== 'begun'; timeoutMs *= 2) {
    const { kind, stdout, gone } = await sh(`echo $$; ${script}`, { timeoutMs });
    [pid = '', word = ''] = stdout.toString().split('\n');
    expect(kind).toBe('late');
    await gone;
  }
  // Its whole group: no process of it is left, or none that is more than a name.
  await until(() => listLiving(Number(pid)).length === 0);
});

it('does not wait for what a program leaves behind, and lets it live', async () => {
  const { kind, code, stdout } = await sh('sleep 1000 & echo $!; exit 3');
  expect([kind, code]).toEqual(['ended', 3]);
  process.kill(Number(stdout), 'SIGKILL');
});

it('ends a program that prints too much', async () => {
  const end = await sh('yes', { maxBytes: 1000 });
  expect(end.kind).toBe('too-much');
  await end.gone;
});

it('is stopped, with all that it has started, or is not started at all', async () => {
  const stop = new AbortController();
  let pid = 0;
  const running = sh('sleep 1000 & sleep 1000', {
    stop: stop.signal,
    onStart: (started) => {
      pid = started;
      stop.abort();
    },
  });
  expect((await running).kind).toBe('stopped');
  await until(() => listLiving(pid).length === 0);
  expect((await sh('sleep 1000', { stop: AbortSignal.abort() })).kind).toBe('stopped');
});

it('has ended in time where its children outlive its limit', async () => {
  const script = 'sleep 1000 & echo $!';
  let end = await sh(script, { timeoutMs: 900 });
  // A busy machine may need longer to begin; its end alone counts, not how long the children hold the output.
  for (let timeoutMs = 1800; end.kind === 'late'; timeoutMs *= 2) end = await sh(script, { timeoutMs });
  expect([end.kind, end.code]).toEqual(['ended', 0]);
  process.kill(Number(end.stdout), 'SIGKILL');
});

it('is run in a folder', async () => {
  expect((await sh('pwd', { folder: '/usr' })).stdout.toString()).toBe('/usr\n');
  expect((await sh('pwd', { folder: '/none (a)' })).kind).toBe('not-started');
});
