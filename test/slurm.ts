import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmod, copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { env } from 'node:process';
import { promisify } from 'node:util';
import { freePort } from './influxdb.js';
import { CLUSTER_NAME, formatConfig, mungeSocket, type SlurmOptions, type SlurmPorts } from './slurm-config.js';
import { prepareDatabase, writeDatabaseConfig } from './slurm-database.js';
import { startGuardian } from './slurm-guardian.js';

/** Whose process it is to be; needs root. */
export interface Account {
  readonly uid: number;
  readonly gid: number;
  readonly home: string;
}

export interface RunOptions {
  readonly as?: Account;
  readonly environment?: Record<string, string>;
  readonly input?: string;
}

/** A cluster of one node with Slurm's real daemons. */
export interface Slurm {
  /** The variables by which Slurm's commands find it. */
  readonly environment: { readonly SLURM_CONF: string; readonly PATH: string };
  /** A folder where every user may write; jobs run there. */
  readonly folder: string;
  /** Runs a command to its end in the folder; resolves to what it printed, rejects with what it said. */
  run(command: string, args: readonly string[], options?: RunOptions): Promise<{ stdout: string; stderr: string }>;
  /** Hands in a batch script; resolves to the id of the job. */
  submit(script: string, args?: readonly string[], options?: RunOptions): Promise<string>;
  /** The state of each job by id as users write it (`12`, `12_1`). */
  states(): Promise<ReadonlyMap<string, string>>;
  /** Ends slurmctld: squeue gets no answer, and jobs keep running. */
  stopController(): Promise<void>;
  startController(): Promise<void>;
  /** Cancels all jobs, ends the daemons and removes all files. */
  stop(): Promise<void>;
}

const CONSTRAINTS = 'CgroupPlugin=cgroup/v1\nConstrainRAMSpace=yes\n';

/**
 * Starts munged, slurmctld and slurmd on free ports, with a key, folders and a slurm.conf of their own; no systemd
 * needed.
 */
export async function startSlurm(options: SlurmOptions = {}): Promise<Slurm> {
  const base = await mkdtemp(join(tmpdir(), 'joblens-slurm-'));
  // munged wants to know its socket's folder open to all, and other users' jobs run below it.
  await chmod(base, 0o755);
  const guardian = startGuardian(base);
  const folder = join(base, 'jobs');
  const ports = { controller: await freePort(), node: await freePort(), database: await freePort() };
  await writeFiles(base, ports, options);

  const environment = { SLURM_CONF: join(base, 'slurm.conf'), PATH: `${env['PATH'] ?? ''}:/usr/sbin:/sbin` };
  const daemons = new Set<ChildProcess>();
  const startDaemon = (command: string, args: readonly string[], extra = {}): ChildProcess => {
    const child = spawn(command, args, { cwd: base, env: { ...environment, ...extra }, stdio: 'ignore' });
    child.on('error', () => daemons.delete(child));
    daemons.add(child);
    return child;
  };
  const slurm = createClient(environment, folder);
  const startController = (): ChildProcess => startDaemon('slurmctld', ['-D']);
  let controller: ChildProcess | undefined;
  const stop = async (): Promise<void> => {
    // The daemons end all the same, or this process would never end.
    if (controller !== undefined && isRunning(controller)) await cancelAll(slurm).catch(() => undefined);
    for (const daemon of [...daemons].reverse()) await endDaemon(daemon);
    await rm(base, { recursive: true, force: true, maxRetries: 5 });
    guardian.dismiss();
  };
  try {
    startDaemon('munged', mungeArgs(base));
    await until(30_000, 'munged', () => runCommand('munge', ['-S', mungeSocket(base), '-n'], environment, base));
    if (options.hasAccounting === true) await startAccounting(base, slurm, startDaemon);
    controller = startController();
    startDaemon('slurmd', ['-D']);
    await untilIdle(slurm);
  } catch (error) {
    const logs = await Promise.all(
      ['slurmdbd.log', 'slurmctld.log', 'slurmd.log'].map((name) => readTail(join(base, name)))
    );
    for (const daemon of daemons) daemon.kill('SIGKILL');
    throw new Error(`Cannot start Slurm in ${base}: ${String(error)}\n${logs.join('\n')}`);
  }
  return {
    environment,
    folder,
    ...slurm,
    async stopController() {
      if (controller !== undefined) await endDaemon(controller);
    },
    async startController() {
      controller = startController();
      await untilIdle(slurm);
    },
    stop,
  };
}

/** The files of the daemons, and the folder where jobs run. */
async function writeFiles(base: string, ports: SlurmPorts, options: SlurmOptions): Promise<void> {
  for (const name of ['state', 'spool', 'munge', 'jobs']) await mkdir(join(base, name));
  await chmod(join(base, 'jobs'), 0o1777);
  await writeFile(join(base, 'munge', 'key'), randomBytes(1024), { mode: 0o600 });
  await writeFile(join(base, 'slurm.conf'), formatConfig(base, ports, options));
  if (options.jobSubmitLua !== undefined) await copyFile(options.jobSubmitLua, join(base, 'job_submit.lua'));
  if (options.hasCgroups === true) await writeFile(join(base, 'cgroup.conf'), CONSTRAINTS);
  if (options.influxdbProfile !== undefined) await writeFile(join(base, 'acct_gather.conf'), options.influxdbProfile);
  if (options.hasAccounting === true) await writeDatabaseConfig(base, ports);
}

type StartDaemon = (command: string, args: readonly string[], environment?: Record<string, string>) => ChildProcess;

/** Starts the database and slurmdbd; the cluster is known to it before slurmctld begins. */
async function startAccounting(base: string, { run }: Pick<Slurm, 'run'>, start: StartDaemon): Promise<void> {
  const database = await prepareDatabase(base);
  start('mariadbd', database.args);
  await until(60_000, 'database', () => database.check());
  start('slurmdbd', ['-D'], { ...database.environment });
  await until(60_000, 'slurmdbd', () => run('sacctmgr', ['--immediate', 'add', 'cluster', CLUSTER_NAME]));
}

type Client = Pick<Slurm, 'run' | 'submit' | 'states'>;

function createClient(environment: Slurm['environment'], folder: string): Client {
  const run: Slurm['run'] = (command, args, { as, environment: extra, input } = {}) =>
    runCommand(command, args, { ...environment, ...(as && { HOME: as.home }), ...extra }, folder, as, input);
  return {
    run,
    async submit(script, args = [], options = {}) {
      const { stdout } = await run('sbatch', ['--parsable', ...args], { ...options, input: script });
      return stdout.trim();
    },
    async states() {
      const { stdout } = await run('squeue', ['--all', '--states=all', '--noheader', '--array', '--format=%i %T']);
      return new Map(stdout.split('\n').flatMap((line) => (line === '' ? [] : [split(line)])));
    },
  };
}

function split(line: string): [string, string] {
  const [id = '', state = ''] = line.split(' ');
  return [id, state];
}

function mungeArgs(base: string): string[] {
  const at = (name: string): string => join(base, 'munge', name);
  return [
    '--foreground',
    `--socket=${mungeSocket(base)}`,
    `--key-file=${at('key')}`,
    `--log-file=${at('log')}`,
    `--pid-file=${at('pid')}`,
    `--seed-file=${at('seed')}`,
  ];
}

/** A job that ended a moment ago frees its node only after its end. */
async function untilIdle({ run }: Pick<Slurm, 'run'>): Promise<void> {
  await until(30_000, 'a node that takes jobs', async () => {
    const { stdout } = await run('sinfo', ['--noheader', '--format=%T']);
    if (!/^(idle|mixed|allocated)$/.test(stdout.trim())) throw new Error(`the node is ${stdout.trim()}`);
  });
}

async function cancelAll({ run }: Pick<Slurm, 'run'>): Promise<void> {
  const { stdout } = await run('squeue', ['--noheader', '--format=%A']);
  const jobs = [...new Set(stdout.split('\n').filter((id) => id !== ''))];
  if (jobs.length > 0) await run('scancel', ['--full', ...jobs]).catch(() => undefined);
  await until(10_000, 'the end of the jobs', async () => {
    const running = await run('squeue', ['--noheader', '--states=RUNNING,COMPLETING,SUSPENDED']);
    if (running.stdout.trim() !== '') throw new Error(`still there: ${running.stdout}`);
  }).catch(() => undefined);
}

function isRunning(daemon: ChildProcess): boolean {
  return daemon.exitCode === null && daemon.signalCode === null;
}

async function endDaemon(daemon: ChildProcess): Promise<void> {
  if (!isRunning(daemon)) return;
  const ended = new Promise((resolve) => daemon.once('exit', resolve));
  daemon.kill('SIGTERM');
  const timer = setTimeout(() => daemon.kill('SIGKILL'), 10_000);
  await ended;
  clearTimeout(timer);
}

async function until(timeoutMs: number, what: string, attempt: () => Promise<unknown>): Promise<void> {
  const deadlineMs = Date.now() + timeoutMs;
  for (;;) {
    try {
      await attempt();
      return;
    } catch (error) {
      if (Date.now() > deadlineMs) throw new Error(`no ${what} within ${String(timeoutMs)} ms: ${String(error)}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

function runCommand(
  command: string,
  args: readonly string[],
  environment: Record<string, string>,
  cwd: string,
  as?: Account,
  input = ''
): Promise<{ stdout: string; stderr: string }> {
  const running = promisify(execFile)(command, [...args], {
    cwd,
    env: environment,
    timeout: 120_000,
    maxBuffer: 2 ** 26,
    ...(as && { uid: as.uid, gid: as.gid }),
  });
  running.child.stdin?.on('error', () => undefined);
  running.child.stdin?.end(input);
  return running;
}

async function readTail(path: string): Promise<string> {
  const text = await readFile(path, 'utf8').catch(() => '');
  return text.split('\n').slice(-10).join('\n');
}
