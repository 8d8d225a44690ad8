import { spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { ROOT, type Stack } from './stack.js';

const JOBLENS = join(ROOT, 'ingester/bin/joblens.js');

function environmentFor(stack: Stack): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(([name]) => !/^(INFLUX|SLURM)_/.test(name));
  return {
    ...Object.fromEntries(inherited),
    INFLUX_HOST: stack.influxHost,
    INFLUX_BUCKET: 'joblens',
    ...(stack.token !== undefined && { INFLUX_TOKEN: stack.token, INFLUX_ORG: 'joblens' }),
  };
}

/** Starts the real command; what it prints goes where the tests print. */
export function startJoblens(stack: Stack, args: readonly string[], input: 'ignore' | 'pipe' = 'ignore'): ChildProcess {
  return spawn(process.execPath, [JOBLENS, ...args], {
    env: environmentFor(stack),
    stdio: [input, 'ignore', 'inherit'],
  });
}

export function whenEnded(child: ChildProcess): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve(child.exitCode);
  return new Promise((resolve) => child.once('close', resolve));
}

/** Logs a text as a job's standard output, through `joblens pipe`. */
export async function pipeJob(stack: Stack, job: string, text: string): Promise<void> {
  const child = startJoblens(stack, ['pipe', '--mode', 'enabled', '--job', job, '--user', 'ann'], 'pipe');
  child.stdin?.end(text);
  const code = await whenEnded(child);
  if (code !== 0) throw new Error(`joblens pipe ended with exit code ${String(code)}`);
}
