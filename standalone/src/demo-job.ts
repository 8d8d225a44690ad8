import { spawn, type ChildProcess } from 'node:child_process';

/** How long a demo job may take to send its last points when Joblens stops. */
const STOP_TIMEOUT_MS = 5000;
const KEPT_STDERR_CHARS = 2000;

export interface DemoJobOptions {
  readonly number: number;
  readonly nodePath: string;
  /** The `joblens` command: bin/joblens.js of the ingester. */
  readonly joblensPath: string;
  /** The folder of the demo program. */
  readonly demoFolder: string;
  readonly url: string;
  readonly token: string;
  /** The environment to inherit; its INFLUX_* and scheduler variables are left out. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Called once if the job could not run or failed, with one line that says why. */
  readonly onFailure: (message: string) => void;
}

export interface DemoJob {
  readonly name: string;
  /** Asks the job to end and waits until its output is stored. */
  stop(): Promise<void>;
}

/** Starts a program that really trains a small model, through the real `joblens run`. */
export function startDemoJob(options: DemoJobOptions): DemoJob {
  const name = `demo-${options.number}`;
  const child = spawn(options.nodePath, demoArguments(options, name), {
    cwd: options.demoFolder,
    env: demoEnvironment(options),
    stdio: ['ignore', 'ignore', 'pipe'],
    // Its own process group: Ctrl+C in the terminal must reach Joblens first, which then stops the job in order.
    detached: true,
  });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr = (stderr + text).slice(-KEPT_STDERR_CHARS)));
  let isStopping = false;
  const ended = new Promise<void>((resolve) => {
    child.once('error', (error) => {
      options.onFailure(`The demo job did not start: ${error.message}.`);
      resolve();
    });
    child.once('close', (code) => {
      if (code !== 0 && !isStopping) options.onFailure(demoFailure(name, code, stderr));
      resolve();
    });
  });
  return {
    name,
    stop: async () => {
      isStopping = true;
      await stopChild(child, ended);
    },
  };
}

function demoArguments(options: DemoJobOptions, name: string): string[] {
  const configPath = 'config.json';
  return [
    options.joblensPath,
    'run',
    ...['--mode', 'enabled', '--job', name, '--name', 'two-moons'],
    ...['--tag', 'purpose=demo', '--tag', 'model=mlp', '--config', configPath],
    '--',
    ...[options.nodePath, 'train.mjs', configPath, String(options.number)],
  ];
}

function demoEnvironment(options: DemoJobOptions): Record<string, string> {
  const inherited = Object.entries(options.environment).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && !/^(INFLUX|SLURM|JOBLENS)_/.test(entry[0])
  );
  return {
    ...Object.fromEntries(inherited),
    INFLUX_HOST: options.url,
    INFLUX_TOKEN: options.token,
    INFLUX_ORG: 'joblens',
    INFLUX_BUCKET: 'joblens',
  };
}

function demoFailure(name: string, code: number | null, stderr: string): string {
  const lastLine = stderr.trim().split('\n').at(-1) ?? '';
  return `The demo job ${name} ended with ${code === null ? 'a signal' : `exit code ${code}`}: ${lastLine}`;
}

async function stopChild(child: ChildProcess, ended: Promise<void>): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
  await ended;
  clearTimeout(timer);
}
