import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

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
  const env = {
    ...{ PATH: process.env['PATH'], HOME: folder, TZ: 'UTC' },
    ...(url !== undefined && { INFLUX_HOST: url, INFLUX_BUCKET: 'joblens' }),
    ...environment,
  };
  const child = spawn(command, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const printed = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk: Buffer) => (printed.stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (printed.stderr += chunk.toString()));
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, ...printed })));
}

/** Runs the command. */
export const joblens = (
  args: readonly string[],
  url?: string,
  environment?: Readonly<Record<string, string>>
): Promise<Ended> => run(BINARY, args, url, environment);

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
