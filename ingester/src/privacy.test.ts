import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { prepareJoblens, type Started, until } from './testing/joblens.js';
import { readLog, storePoints } from './testing/stored-points.js';

/** Privacy as the user is promised it (docs/logging-rules.md), with real processes. */
const joblens = prepareJoblens();
afterAll(() => joblens.remove());

const SECRET = 'hunter2';

let files = 0;
/** Options that log into a file of its own, and a function that reads the file. */
function logInto(): { path: string; options: string[]; read: () => string } {
  files += 1;
  const path = join(joblens.folder, `out-${files}.lp`);
  return {
    path,
    options: ['--job', 'j', '--user', 'ann', '--out', path],
    read: () => (existsSync(path) ? readFileSync(path, 'utf8') : ''),
  };
}

describe('the description of a job', () => {
  const program = `echo "$0"; exit 3`;
  const describe = async (mode: string, script: string): Promise<Record<string, unknown>> => {
    const out = logInto();
    const { code } = await joblens.run(['run', '--mode', mode, ...out.options, '--', 'sh', '-c', script, SECRET]);
    expect(code).toBe(3);
    const points = storePoints(out.read()).filter(({ measurement }) => measurement === 'job');
    return Object.assign({}, ...points.map(({ fields }) => Object.fromEntries(fields))) as Record<string, unknown>;
  };

  it('is the state alone when the job starts disabled', async () => {
    expect(await describe('disabled', program)).toEqual({ state: 'FAILED' });
  });

  it('follows once logging is enabled', async () => {
    const described = await describe('disabled', `echo '/LOGCOMMAND {"mode": "enabled"}'; ${program}`);
    expect(described).toMatchObject({ state: 'FAILED', exit_code: 3, name: 'sh', host: hostname() });
    expect(described['command']).toContain(SECRET);
    expect(described['workdir']).toBe(joblens.folder);
  });

  it('has neither command nor folder in metadata mode', async () => {
    const described = await describe('metadata', program);
    expect(described).toMatchObject({ state: 'FAILED', exit_code: 3, name: 'sh' });
    expect(Object.keys(described)).not.toContain('command');
    expect(Object.keys(described)).not.toContain('workdir');
  });
});

const DISABLE = '/LOGCOMMAND {"mode": "disabled"}';
const ENABLE = '/LOGCOMMAND {"mode": "enabled"}';
const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

describe('processes that log the same job', () => {
  const ROUNDS = 20;

  /** Two pipes, one a stream, that are ready. */
  const startPipes = async (job: string): Promise<{ out: Started; error: Started; read: () => string[] }> => {
    const logs = [logInto(), logInto()];
    const [out, error] = logs.map(({ options }, i) => {
      const stream = i === 0 ? 'stdout' : 'stderr';
      return joblens.start(['pipe', '--mode', 'enabled', '--stream', stream, ...options, '--job', job]);
    });
    if (out === undefined || error === undefined) throw new Error('not started');
    out.write('ready\n');
    error.write('ready\n');
    const read = (): string[] => logs.flatMap((log) => readLog(storePoints(log.read())));
    await until(() => logs.every((log) => log.read().includes('ready')));
    return { out, error, read };
  };

  it('share its commands, in both directions, and nobody else hears of them', async () => {
    const [{ out, error, read }, other] = [await startPipes('shared'), await startPipes('other')];
    out.write(`a\n${DISABLE}\n`);
    await until(() => read().includes(`[command] ${DISABLE}`));
    error.write(`${SECRET}\n`);
    other.error.write('b\n');
    await until(() => other.read().includes('stderr: b'));
    error.write(`${ENABLE}\n`);
    await until(() => read().includes(`[command] stderr: ${ENABLE}`));
    out.write('c\n');
    for (const pipe of [out, error, other.out, other.error]) pipe.endInput();
    for (const pipe of [out, error, other.out, other.error]) expect((await pipe.ended).code).toBe(0);
    expect(read()).toEqual([
      ...['ready', 'a', `[command] ${DISABLE}`, 'c'],
      ...['stderr: ready', `[command] stderr: ${ENABLE}`],
    ]);
    expect(other.read()).toEqual(['ready', 'stderr: ready', 'stderr: b']);
  });

  /**
   * Prints secrets on one pipe, each right after a command on the other that forbids it; returns what was stored of
   * them.
   */
  async function printSecretsAtOnce(job: string): Promise<string[]> {
    const { out, error, read } = await startPipes(job);
    for (let i = 0; i < ROUNDS; i += 1) {
      out.write(`${DISABLE}\n`);
      error.write(`${SECRET} ${i}\n`);
      await sleep(60);
      out.write(`${ENABLE}\n`);
      await sleep(60);
    }
    for (const pipe of [out, error]) pipe.endInput();
    for (const pipe of [out, error]) expect((await pipe.ended).code).toBe(0);
    expect(read().filter((line) => line.includes('disabled'))).toHaveLength(ROUNDS);
    return read().filter((line) => line.includes(SECRET));
  }

  it('store no secret that another of them prints right after the command', async () => {
    // A pipe that is read more than 25 ms late lets a line through. A busy machine does that now and then, but not each
    // time.
    let stored = await printSecretsAtOnce('at-once');
    for (let i = 0; i < 9 && stored.length > 0; i += 1) stored = await printSecretsAtOnce(`at-once-${i}`);
    expect(stored).toEqual([]);
  });

  it('go on when one of them is killed', async () => {
    const { out, error, read } = await startPipes('killed');
    out.write(`${DISABLE}\n`);
    await until(() => read().includes(`[command] ${DISABLE}`));
    out.kill('SIGKILL');
    await out.ended;
    error.write(`${SECRET}\n${ENABLE}\nafter\n`);
    error.endInput();
    expect((await error.ended).code).toBe(0);
    expect(read().filter((line) => line.startsWith('stderr') || line.includes(SECRET))).toEqual([
      'stderr: ready',
      'stderr: after',
    ]);
  });
});

describe('both streams of run', () => {
  /**
   * Reads its own log, to print on only once what it printed before is there: then it is known under which mode that
   * came.
   */
  const program = `
    const { existsSync, readFileSync, writeSync } = require('fs');
    const isOf = (text) => (line) => line.startsWith('job_log') && line.includes(text);
    // The program starts before what logs it.
    const readLog = () => (existsSync(process.env.LOG) ? readFileSync(process.env.LOG, 'utf8') : '');
    const countLogged = (text) => readLog().split('\\n').filter(isOf(text)).length;
    const untilLogged = async (count, text) => {
      while (countLogged(text) < count) await new Promise((resolve) => setTimeout(resolve, 10));
    };
    (async () => {
      for (let i = 1; i <= 15; i += 1) {
        const [first, second] = i % 2 === 0 ? [1, 2] : [2, 1];
        writeSync(second, 'shown ' + i + '\\n');
        await untilLogged(i, 'shown');
        writeSync(first, '${DISABLE}\\n');
        writeSync(second, '${SECRET} ' + i + '\\n');
        await untilLogged(i, 'disabled');
        writeSync(second, '${SECRET} ' + i + '\\n');
        writeSync(first, '${ENABLE}\\n');
        await untilLogged(i, 'enabled');
      }
    })();`;

  it('are under a command from the line on that follows it, also on a busy machine', async () => {
    const out = logInto();
    const busy = [0, 1].map(() =>
      spawn(process.execPath, ['-e', 'const end = Date.now() + 20000; while (Date.now() < end);'])
    );
    try {
      const command = [process.execPath, '-e', program];
      const args = ['run', '--mode', 'enabled', ...out.options, '--', ...command];
      expect(await joblens.run(args, '', { LOG: out.path })).toMatchObject({ code: 0 });
    } finally {
      for (const child of busy) child.kill('SIGKILL');
    }
    const log = readLog(storePoints(out.read()));
    expect(log.filter((line) => line.includes(SECRET))).toEqual([]);
    expect(log.filter((line) => line.includes('shown'))).toHaveLength(15);
  });
});
