import { spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { ROOT, type Stack } from './stack.js';

const JOBLENS = join(ROOT, 'ingester/bin/joblens');

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
export function startJoblens(stack: Stack, args: readonly string[]): ChildProcess {
  return spawn(JOBLENS, args, {
    env: environmentFor(stack),
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

export function whenEnded(child: ChildProcess): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve(child.exitCode);
  return new Promise((resolve) => child.once('close', resolve));
}
