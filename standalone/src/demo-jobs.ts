import { spawn, type ChildProcess } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { DEMO_PROGRAMS, type DemoProgram } from './demo-programs.js';

/** How long a demo job may take to send its last points when Joblens stops. */
const STOP_TIMEOUT_MS = 5000;
const KEPT_STDERR_CHARS = 2000;

/** The opt-in file of a job that prints no JSON. It must belong to whoever starts the job. */
const OPT_IN = 'mode: enabled\nmetadata: [json, { preset: auto }]\n';

export interface DemoJobsOptions {
  readonly number: number;
  readonly nodePath: string;
  /** The `joblens` command: bin/joblens of the ingester. */
  readonly joblensPath: string;
  /** The folder of the demo programs. */
  readonly demoFolder: string;
  /** Where to put the opt-in file of a job that needs one. */
  readonly optInPath: string;
  readonly url: string;
  readonly token: string;
  /** The environment to inherit; its INFLUX_* and scheduler variables are left out. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Called for each job that could not run or failed by mistake, with one line that says why. */
  readonly onFailure: (message: string) => void;
}

export interface DemoJobs {
  /** The name of the job to look at first. */
  readonly name: string;
  /** Asks the jobs to end and waits until their output is stored. */
  stop(): Promise<void>;
}

/** Starts the demo programs, each through the real `joblens run`. */
export async function startDemoJobs(options: DemoJobsOptions): Promise<DemoJobs> {
  await writeFile(options.optInPath, OPT_IN, { mode: 0o600 });
  const stops = DEMO_PROGRAMS.map((program) => startDemoJob(options, program));
  return {
    name: `demo-${options.number}`,
    stop: async () => {
      await Promise.all(stops.map((stop) => stop()));
    },
  };
}

/** Starts one, and returns what stops it. */
function startDemoJob(options: DemoJobsOptions, program: DemoProgram): () => Promise<void> {
  const name = `demo-${options.number}${program.suffix}`;
  const child = spawn(options.joblensPath, demoArguments(options, program, name), {
    cwd: options.demoFolder,
    env: demoEnvironment(options),
    stdio: ['ignore', 'ignore', 'pipe'],
    // Its own process group: Ctrl+C in the terminal must reach Joblens first, which then stops the jobs in order.
    detached: true,
  });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr = (stderr + text).slice(-KEPT_STDERR_CHARS)));
  let isStopping = false;
  const ended = new Promise<void>((resolve) => {
    child.once('error', (error) => {
      options.onFailure(`The demo job ${name} did not start: ${error.message}.`);
      resolve();
    });
    child.once('close', (code) => {
      if (code !== program.exitCode && !isStopping) options.onFailure(demoFailure(name, code, stderr));
      resolve();
    });
  });
  return async () => {
    isStopping = true;
    await stopChild(child, ended);
  };
}

function demoArguments(options: DemoJobsOptions, program: DemoProgram, job: string): string[] {
  return [
    'run',
    ...(program.readsOthers === true ? ['--optin', options.optInPath] : ['--mode', 'enabled']),
    ...['--job', job, '--name', program.name, ...program.tags.flatMap((tag) => ['--tag', tag])],
    ...(program.config === undefined ? [] : ['--config', program.config]),
    '--',
    ...[options.nodePath, ...program.args, String(options.number)],
  ];
}

function demoEnvironment(options: DemoJobsOptions): Record<string, string> {
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
