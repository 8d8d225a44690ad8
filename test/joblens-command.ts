import { spawn } from 'node:child_process';
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { createSystemClock } from '../ingester/src/clock/clock.js';
import { runCommandLine } from '../ingester/src/cli/command-line.js';
import type { Host } from '../ingester/src/host/host.js';

export const BINARY = join(__dirname, '..', 'ingester', 'bin', 'joblens');

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

const folder = mkdtempSync(join(tmpdir(), 'joblens-shell-'));
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

/** Runs a program to its end, as a user of this store whose HOME is empty. */
export function run(
  command: string,
  args: readonly string[],
  url?: string,
  environment: Readonly<Record<string, string>> = {}
): Promise<Ended> {
  const env = createEnvironment(url, environment);
  const child = spawn(command, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const printed = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk: Buffer) => (printed.stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (printed.stderr += chunk.toString()));
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, ...printed })));
}

function createEnvironment(url?: string, environment: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv {
  const store = url === undefined ? {} : { INFLUX_HOST: url, INFLUX_BUCKET: 'joblens' };
  return { PATH: process.env['PATH'], HOME: folder, TZ: 'UTC', ...store, ...environment };
}

/** Subcommands that print what the store answers: they run here, since a process costs more than their work. */
const READING = new Set([
  'compare',
  'diff',
  'events',
  'export',
  'jobs',
  'log',
  'metadata',
  'plot',
  'report',
  'story',
  'why',
]);

/** Whether a command runs here as in a process of its own, to which time zone, language and paths belong. */
function isSameHere(environment: Readonly<Record<string, string>>): boolean {
  return (
    new Date().getTimezoneOffset() === 0 && Object.keys(environment).every((name) => /^(INFLUX|JOBLENS)_/.test(name))
  );
}

/** Runs the command: here what only reads the store, and else the program. */
export function joblens(
  args: readonly string[],
  url?: string,
  environment: Readonly<Record<string, string>> = {}
): Promise<Ended> {
  const isHere = READING.has(args[0] ?? '') && isSameHere(environment);
  return isHere ? runHere(args, createEnvironment(url, environment)) : run(BINARY, args, url, environment);
}

let runs = 0;

/** Runs the command as main.ts does, with files in place of its standard output and error. */
async function runHere(args: readonly string[], environment: NodeJS.ProcessEnv): Promise<Ended> {
  const files = { stdout: join(folder, `stdout-${++runs}`), stderr: join(folder, `stderr-${runs}`) };
  const [stdoutFd, stderrFd] = [openSync(files.stdout, 'w'), openSync(files.stderr, 'w')];
  const clock = createSystemClock();
  const host: Host = {
    environment,
    machine: {
      ...{ host: 'here', userName: 'tester', homeFolder: folder, workFolder: folder, pid: process.pid },
      ...{ nowMs: clock.nowMs(), monotonicMs: clock.monotonicMs() },
    },
    uid: process.geteuid?.() ?? 0,
    installFolder: dirname(dirname(BINARY)),
    sharedFolders: [folder],
    clock,
    random: Math.random,
    supervisor: undefined,
    inherited: undefined,
    openStdin: () => Readable.from([]),
    stdoutFd,
    stderrFd,
    writeStderr: (text) => void writeSync(stderrFd, text),
    writeStdout: (text) => void writeSync(stdoutFd, text),
    readTerminal: () => undefined,
    isTerminal: () => false,
    onSignal: () => () => undefined,
    onFault: () => () => undefined,
  };
  try {
    const code = await runCommandLine([...args], host);
    return { code, stdout: readFileSync(files.stdout, 'utf8'), stderr: readFileSync(files.stderr, 'utf8') };
  } finally {
    closeSync(stdoutFd);
    closeSync(stderrFd);
  }
}

/** In a terminal of this width, with what it prints as lines. A file gets what the terminal shows, as it comes. */
export async function onTerminal(
  width: number,
  command: string,
  url: string,
  file = '/dev/null',
  environment?: Readonly<Record<string, string>>
): Promise<readonly string[]> {
  const line = `stty cols ${width} rows 24; ${BINARY} ${command}`;
  const { stdout } = await run('script', ['-qfec', line, file], url, environment);
  return stdout.trimEnd().split('\r\n');
}

/** Waits until a file holds this text; the time of the test is the limit. */
export async function untilWritten(file: string, text: string): Promise<void> {
  while (!existsSync(file) || !readFileSync(file, 'utf8').includes(text))
    await new Promise((resolve) => setTimeout(resolve, 50));
}
