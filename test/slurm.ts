import type { ChildProcess } from 'node:child_process';
import { execFile, spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { chmod, copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { hostname, tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { env, pid } from 'node:process';
import { promisify } from 'node:util';
import { freePort } from './influxdb.js';

export interface SlurmOptions {
  /** How long ended jobs stay with squeue. */
  readonly minJobAgeSeconds?: number;
  /** A job_submit.lua to submit jobs through. */
  readonly jobSubmitLua?: string;
  /** An acct_gather.conf for the plugin acct_gather_profile/influxdb, which then samples each task every second. */
  readonly influxdbProfile?: string;
  /** Each job has a cgroup, and is killed when it uses more memory than it asked for. See `canMakeCgroups`. */
  readonly hasCgroups?: boolean;
}

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

/** More than the machine has, which Slurm need not know, so that no job of a test waits for another. */
const CPUS = 16;

const PROFILE_CONFIG = `
JobAcctGatherType=jobacct_gather/linux
JobAcctGatherFrequency=task=1
AcctGatherProfileType=acct_gather_profile/influxdb`;

/** A job that asks for no memory gets some, not all. */
const CGROUP_CONFIG = `
ProctrackType=proctrack/cgroup
TaskPlugin=task/cgroup
JobAcctGatherType=jobacct_gather/cgroup
JobAcctGatherFrequency=task=1
SelectTypeParameters=CR_CPU_Memory
DefMemPerNode=256`;

const NO_CGROUP_CONFIG = `
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectTypeParameters=CR_CPU`;

const CONSTRAINTS = 'CgroupPlugin=cgroup/v1\nConstrainRAMSpace=yes\n';

const SIGKILL_STATUS = 137;
const PROBE_LIMIT_BYTES = 16 * 2 ** 20;

/**
 * Whether cgroups of version 1 can be made here, as slurmd makes them, and the kernel kills what takes more memory than
 * they may; mostly not in a container.
 */
export function canMakeCgroups(): boolean {
  const folders = ['freezer', 'cpuacct', 'memory'].map((name) => `/sys/fs/cgroup/${name}/joblens-${String(pid)}`);
  const memory = folders[2] ?? '';
  const made: string[] = [];
  try {
    for (const folder of folders) {
      mkdirSync(folder);
      made.push(folder);
    }
    writeFileSync(`${memory}/memory.limit_in_bytes`, String(PROBE_LIMIT_BYTES));
    // tail keeps what has no line feed.
    const greedy = `echo $$ > ${memory}/cgroup.procs && head -c ${String(4 * PROBE_LIMIT_BYTES)} /dev/zero | tail > /dev/null`;
    return spawnSync('sh', ['-c', greedy], { timeout: 10_000 }).status === SIGKILL_STATUS;
  } catch {
    return false;
  } finally {
    // The kernel may still be busy with what it killed; an empty cgroup harms nobody.
    for (const folder of made) spawnSync('rmdir', [folder]);
  }
}

/**
 * Starts munged, slurmctld and slurmd on free ports, with a key, folders and a slurm.conf of their own; no systemd
 * needed.
 */
export async function startSlurm(options: SlurmOptions = {}): Promise<Slurm> {
  const base = await mkdtemp(join(tmpdir(), 'joblens-slurm-'));
  // munged wants to know its socket's folder open to all, and other users' jobs run below it.
  await chmod(base, 0o755);
  const folder = join(base, 'jobs');
  for (const name of ['state', 'spool', 'munge', 'jobs']) await mkdir(join(base, name));
  await chmod(folder, 0o1777);
  await writeFile(join(base, 'munge', 'key'), randomBytes(1024), { mode: 0o600 });
  const configPath = join(base, 'slurm.conf');
  await writeFile(configPath, formatConfig(base, [await freePort(), await freePort()], options));
  if (options.jobSubmitLua !== undefined) await copyFile(options.jobSubmitLua, join(base, 'job_submit.lua'));
  if (options.hasCgroups === true) await writeFile(join(base, 'cgroup.conf'), CONSTRAINTS);
  if (options.influxdbProfile !== undefined) await writeFile(join(base, 'acct_gather.conf'), options.influxdbProfile);

  const environment = { SLURM_CONF: configPath, PATH: `${env['PATH'] ?? ''}:/usr/sbin:/sbin` };
  const daemons = new Set<ChildProcess>();
  const startDaemon = (command: string, args: readonly string[]): ChildProcess => {
    const child = spawn(command, args, { cwd: base, env: environment, stdio: 'ignore' });
    child.on('error', () => daemons.delete(child));
    daemons.add(child);
    return child;
  };
  const slurm = createClient(environment, folder);
  const startController = (): ChildProcess => startDaemon('slurmctld', ['-D']);
  let controller: ChildProcess | undefined;
  const stop = async (): Promise<void> => {
    if (controller !== undefined && isRunning(controller)) await cancelAll(slurm);
    for (const daemon of [...daemons].reverse()) await endDaemon(daemon);
    await rm(base, { recursive: true, force: true, maxRetries: 5 });
  };
  try {
    startDaemon('munged', mungeArgs(base));
    await until(30_000, 'munged', () => runCommand('munge', ['-S', mungeSocket(base), '-n'], environment, base));
    controller = startController();
    startDaemon('slurmd', ['-D']);
    await untilIdle(slurm);
  } catch (error) {
    const logs = await Promise.all(['slurmctld.log', 'slurmd.log'].map((name) => readTail(join(base, name))));
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

function formatConfig(
  base: string,
  [controllerPort, nodePort]: readonly [number, number],
  options: SlurmOptions
): string {
  const host = hostname().split('.')[0] ?? 'localhost';
  const user = userInfo().username;
  return `
ClusterName=joblens
SlurmctldHost=${host}(127.0.0.1)
SlurmUser=${user}
SlurmdUser=${user}
SlurmctldPort=${String(controllerPort)}
SlurmdPort=${String(nodePort)}
AuthType=auth/munge
AuthInfo=socket=${mungeSocket(base)}
StateSaveLocation=${base}/state
SlurmdSpoolDir=${base}/spool
SlurmctldPidFile=${base}/slurmctld.pid
SlurmdPidFile=${base}/slurmd.pid
SlurmctldLogFile=${base}/slurmctld.log
SlurmdLogFile=${base}/slurmd.log
${options.hasCgroups === true ? CGROUP_CONFIG : NO_CGROUP_CONFIG}
${formatAccounting(options)}
MpiDefault=none
SelectType=select/cons_tres
SchedulerParameters=batch_sched_delay=0,sched_interval=1,bf_interval=1,sched_min_interval=0
ReturnToService=2
JobRequeue=1
KillWait=2
MessageTimeout=5
MinJobAge=${String(options.minJobAgeSeconds ?? 300)}
SlurmdParameters=config_overrides
${options.jobSubmitLua === undefined ? '' : 'JobSubmitPlugins=lua'}
NodeName=${host} NodeAddr=127.0.0.1 CPUs=${String(CPUS)} RealMemory=4096
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP
`;
}

function formatAccounting({ influxdbProfile, hasCgroups }: SlurmOptions): string {
  if (influxdbProfile !== undefined) return PROFILE_CONFIG;
  return hasCgroups === true ? '' : 'JobAcctGatherType=jobacct_gather/none';
}

function mungeSocket(base: string): string {
  return join(base, 'munge.sock');
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
