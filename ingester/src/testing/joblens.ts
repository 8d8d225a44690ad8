import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { env, execPath } from 'node:process';
import type { Readable } from 'node:stream';

export interface Started {
  readonly pid: number;
  /** The process that logs: a child of this one under `run` and `pipe`, once it has started. */
  readonly loggerPid: () => number;
  /** The output so far. */
  readonly stdout: () => Buffer;
  readonly stderr: () => Buffer;
  write(text: string | Uint8Array): void;
  endInput(): void;
  kill(signal: NodeJS.Signals): void;
  /** Closes our end of its stdout, as `| head` does. */
  closeStdout(): void;
  closeStderr(): void;
  /** Reads its stdout no more, until it is resumed. */
  pauseStdout(): void;
  resumeStdout(): void;
  /** Its own end; others may still print. */
  readonly exited: Promise<number | null>;
  /** Nobody holds its output any more. */
  readonly ended: Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }>;
}

export interface Ended {
  readonly code: number | null;
  readonly stdout: Buffer;
  readonly stderr: string;
}

export interface JoblensUnderTest {
  /** A folder of its own, also HOME. */
  readonly folder: string;
  /** The command, for a shell. */
  readonly command: string;
  start(args: readonly string[], environment?: Record<string, string>): Started;
  /** Runs it to its end with this standard input. */
  run(args: readonly string[], input?: string | Uint8Array, environment?: Record<string, string>): Promise<Ended>;
  remove(): void;
}

const running = new Set<ChildProcess>();
/** Started for all tests of a suite. */
let shared: ReadonlySet<ChildProcess> = new Set();
beforeEach(() => (shared = new Set(running)));
// What a failed test leaves behind would disturb the tests after it.
afterEach(() => {
  for (const child of running) if (!shared.has(child)) child.kill('SIGKILL');
});

const BIN = join(__dirname, '..', '..', 'bin');

/**
 * The command, bundled and started as it is shipped: by the first suite of a run of jest that asks, for all. Returns
 * its path. The Node of the tests lies beside it.
 */
export function bundleJoblens(): string {
  const runFolder = env['JOBLENS_TEST_FOLDER'];
  if (runFolder === undefined) throw new Error('JOBLENS_TEST_FOLDER is not set: jest sets it (test/run-folder.mjs)');
  const folder = join(runFolder, 'command');
  if (!existsSync(folder)) {
    const building = mkdtempSync(`${folder}-`);
    execFileSync(execPath, [join(BIN, '..', 'build.mjs'), join(building, 'dist')]);
    cpSync(BIN, join(building, 'bin'), { recursive: true });
    writeFileSync(join(building, 'package.json'), '{ "type": "module" }');
    symlinkSync(execPath, join(building, 'bin', 'node'));
    try {
      renameSync(building, folder);
    } catch (error) {
      // Another suite was faster.
      if (!existsSync(folder)) throw error;
    }
  }
  return join(folder, 'bin', 'joblens');
}

/** Runs the command as a process, with an environment that asks for warnings only and for no /health. */
export function prepareJoblens(): JoblensUnderTest {
  const folder = mkdtempSync(join(tmpdir(), 'joblens-test-'));
  const command = bundleJoblens();

  const start: JoblensUnderTest['start'] = (args, environment = {}) => {
    const child = spawn(command, args, {
      cwd: folder,
      env: { PATH: env['PATH'], HOME: folder, JOBLENS_LOG_LEVEL: 'warn', JOBLENS_HEALTH: 'off', ...environment },
      // In a group of its own, so that the terminal of the tests does not count.
      detached: true,
    });
    running.add(child);
    child.once('close', () => running.delete(child));
    const printed = { stdout: collectOutput(child.stdout), stderr: collectOutput(child.stderr) };
    child.stdin.on('error', () => undefined);
    return {
      pid: child.pid ?? 0,
      loggerPid: () => findLogger(child.pid ?? 0),
      ...printed,
      write: (text) => void child.stdin.write(text),
      endInput: () => void child.stdin.end(),
      kill: (signal) => void child.kill(signal),
      closeStdout: () => void child.stdout.destroy(),
      closeStderr: () => void child.stderr.destroy(),
      pauseStdout: () => void child.stdout.pause(),
      resumeStdout: () => void child.stdout.resume(),
      exited: new Promise((resolve) => child.once('exit', resolve)),
      ended: new Promise((resolve, reject) => {
        child.once('close', (code, signal) => {
          // Node 26 dies of a file that nobody closed; before, it only says so.
          const leak = /.* on garbage collection.*/i.exec(printed.stderr().toString());
          if (leak === null) resolve({ code, signal });
          else reject(new Error(`joblens left a file open: ${leak[0]}`));
        });
      }),
    };
  };
  return {
    folder,
    command,
    start,
    async run(args, input = '', environment = {}) {
      const child = start(args, environment);
      child.write(input);
      child.endInput();
      const { code } = await child.ended;
      return { code, stdout: child.stdout(), stderr: child.stderr().toString() };
    },
    remove() {
      // A child left behind would keep the test runner waiting.
      for (const child of running) child.kill('SIGKILL');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function findLogger(pid: number): number {
  const isLogger = (child: string): boolean => readFileSync(`/proc/${child}/cmdline`, 'utf8').includes('joblens.js\0');
  try {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ');
    const found = children.find(
      (child) => child !== '' && readFileSync(`/proc/${child}/comm`, 'utf8') !== 'perl\n' && isLogger(child)
    );
    return Number(found ?? pid);
  } catch {
    // One has ended meanwhile.
    return pid;
  }
}

/** What has come so far: joined once, not each time that somebody looks, as it may be megabytes. */
function collectOutput(stream: Readable): () => Buffer {
  let joined: Buffer = Buffer.alloc(0);
  let newer: Buffer[] = [];
  stream.on('data', (chunk: Buffer) => newer.push(chunk));
  return () => {
    if (newer.length > 0) joined = Buffer.concat([joined, ...newer]);
    newer = [];
    return joined;
  };
}

/** Waits until the condition holds, and asks ever more seldom. Fails after a time that suits a busy machine. */
export async function until(condition: () => boolean | Promise<boolean>, timeoutMs = 120_000): Promise<void> {
  const startMs = Date.now();
  while (!(await condition())) {
    const waitedMs = Date.now() - startMs;
    if (waitedMs > timeoutMs) throw new Error(`Condition did not hold within ${timeoutMs} ms: ${String(condition)}`);
    // What is asked may keep the machine busy, and the tests that run beside this one.
    await new Promise((resolve) => setTimeout(resolve, Math.min(20 + waitedMs / 10, 250)));
  }
}

/** Waits until the value has stayed the same for this long. */
export async function untilStill(read: () => unknown, stillMs: number): Promise<void> {
  let [last, sinceMs] = [await read(), Date.now()];
  await until(async () => {
    const next = await read();
    if (next !== last) [last, sinceMs] = [next, Date.now()];
    return Date.now() - sinceMs >= stillMs;
  }, 120_000);
}
