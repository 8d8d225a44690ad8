import { hostname, userInfo } from 'node:os';
import { join } from 'node:path';

export interface SlurmOptions {
  /** What it calls itself; by default CLUSTER_NAME. */
  readonly clusterName?: string;
  /** How long ended jobs stay with squeue. */
  readonly minJobAgeSeconds?: number;
  /** A job_submit.lua to submit jobs through. */
  readonly jobSubmitLua?: string;
  /** An acct_gather.conf for the plugin acct_gather_profile/influxdb, which then samples each task every second. */
  readonly influxdbProfile?: string;
  /** A program that slurmctld runs before each job and after it. */
  readonly controllerHook?: string;
  /** Each job has a cgroup, and is killed when it uses more memory than it asked for. See `canMakeCgroups`. */
  readonly hasCgroups?: boolean;
  /** Jobs are kept in a database, for sacct; tasks are sampled every second. */
  readonly hasAccounting?: boolean;
}

/** The ports that the daemons listen on. */
export interface SlurmPorts {
  readonly controller: number;
  readonly node: number;
  readonly database: number;
}

export const CLUSTER_NAME = 'joblens';
/** More than the machine has, which Slurm need not know, so that no job of a test waits for another. */
const CPUS = 16;

const SAMPLED_CONFIG = `
JobAcctGatherType=jobacct_gather/linux
JobAcctGatherFrequency=task=1`;

const PROFILE_CONFIG = `${SAMPLED_CONFIG}
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

/** The slurm.conf of a cluster of one node whose files are in this folder. */
export function formatConfig(base: string, ports: SlurmPorts, options: SlurmOptions): string {
  const host = hostname().split('.')[0] ?? 'localhost';
  const user = userInfo().username;
  return `
ClusterName=${options.clusterName ?? CLUSTER_NAME}
SlurmctldHost=${host}(127.0.0.1)
SlurmUser=${user}
SlurmdUser=${user}
SlurmctldPort=${String(ports.controller)}
SlurmdPort=${String(ports.node)}
AuthType=auth/munge
AuthInfo=socket=${mungeSocket(base)}
StateSaveLocation=${base}/state
SlurmdSpoolDir=${base}/spool
SlurmctldPidFile=${base}/slurmctld.pid
SlurmdPidFile=${base}/slurmd.pid
SlurmctldLogFile=${base}/slurmctld.log
SlurmdLogFile=${base}/slurmd.log
${options.hasCgroups === true ? CGROUP_CONFIG : NO_CGROUP_CONFIG}
${formatAccounting(base, ports, options)}
MpiDefault=none
SelectType=select/cons_tres
SchedulerParameters=batch_sched_delay=0,sched_interval=1,bf_interval=1,sched_min_interval=0
ReturnToService=2
JobRequeue=1
KillWait=2
MessageTimeout=5
MinJobAge=${String(options.minJobAgeSeconds ?? 300)}
SlurmdParameters=config_overrides
${formatHooks(options)}
${options.jobSubmitLua === undefined ? '' : 'JobSubmitPlugins=lua'}
NodeName=${host} NodeAddr=127.0.0.1 CPUs=${String(CPUS)} RealMemory=4096
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP
`;
}

function formatHooks({ controllerHook: path }: SlurmOptions): string {
  return path === undefined ? '' : `PrologSlurmctld=${path}\nEpilogSlurmctld=${path}`;
}

function formatAccounting(
  base: string,
  { database }: SlurmPorts,
  { influxdbProfile, hasCgroups, hasAccounting }: SlurmOptions
): string {
  if (influxdbProfile !== undefined) return PROFILE_CONFIG;
  const storage = `
AccountingStorageType=accounting_storage/slurmdbd
AccountingStorageHost=127.0.0.1
AccountingStoragePort=${String(database)}
AccountingStoragePass=${mungeSocket(base)}
${hasCgroups === true ? '' : SAMPLED_CONFIG}`;
  if (hasAccounting === true) return storage;
  return hasCgroups === true ? '' : 'JobAcctGatherType=jobacct_gather/none';
}

/** The socket of munged. */
export function mungeSocket(base: string): string {
  return join(base, 'munge.sock');
}
