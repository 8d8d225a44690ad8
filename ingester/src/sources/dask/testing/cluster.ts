import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { env } from 'node:process';
import { createInterface } from 'node:readline';
import { pythonPath } from '../../../../../test/python.js';

/** A row of Dask's `client.story`, as JSON. */
export type StoryRow = readonly [string, string, string, Readonly<Record<string, string>>, string, number];

type Command =
  | { readonly do: 'compute'; readonly prefix: string; readonly count: number }
  | { readonly do: 'log'; readonly events: readonly (readonly [string, unknown])[] }
  | { readonly do: 'flood'; readonly count: number; readonly bytes: number }
  | { readonly do: 'topics' }
  | { readonly do: 'leave' };

/** A scheduler with two workers and a client, in one Python process (cluster.py). */
export interface Cluster {
  readonly pid: number;
  ask(command: Command): Promise<unknown>;
  stderr(): string;
  /** Ends it as a user does, or at once. Resolves when the plugin's process has ended, too. */
  close(): Promise<void>;
  kill(): Promise<void>;
}

export async function startCluster(
  way: 'preload' | 'register' | 'none',
  plugin: string,
  environment: Readonly<Record<string, string>>
): Promise<Cluster> {
  const child = spawn(pythonPath(), [join(__dirname, 'cluster.py'), way], {
    env: { PATH: env['PATH'], HOME: join(plugin, '..'), PLUGIN: plugin, ...environment },
    cwd: join(plugin, '..'),
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let stderr = '';
  child.stderr.on('data', (text: Buffer) => (stderr += text.toString()));
  child.stdin.on('error', () => undefined);
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const read = async (): Promise<unknown> => {
    const next: IteratorResult<string, unknown> = await lines.next();
    if (next.done === true) throw new Error(`the cluster has ended: ${stderr}`);
    return JSON.parse(next.value) as unknown;
  };
  const { pid } = (await read()) as { readonly pid: number };
  return {
    pid,
    stderr: () => stderr,
    async ask(command) {
      child.stdin.write(`${JSON.stringify(command)}\n`);
      return read();
    },
    close: () => endWith(child, ended, (each) => each.stdin?.end()),
    kill: () => endWith(child, ended, (each) => each.kill('SIGKILL')),
  };
}

async function endWith(child: ChildProcess, ended: Promise<void>, end: (child: ChildProcess) => void): Promise<void> {
  end(child);
  await ended;
}
