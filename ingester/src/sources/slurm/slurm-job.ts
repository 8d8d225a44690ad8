/** Slurm's base states of an ended job (squeue manual, JOB STATE CODES). */
const END_STATES = [
  'COMPLETED',
  'CANCELLED',
  'FAILED',
  'TIMEOUT',
  'NODE_FAIL',
  'PREEMPTED',
  'BOOT_FAIL',
  'DEADLINE',
  'OUT_OF_MEMORY',
] as const;

/**
 * The states that Joblens tells apart. REQUEUED ends one attempt of a job, which then waits again under the same id.
 * UNKNOWN is a job that Slurm forgot before its end was seen.
 */
const STATES = ['PENDING', 'RUNNING', 'SUSPENDED', 'REQUEUED', 'UNKNOWN', ...END_STATES] as const;
export type SlurmState = (typeof STATES)[number];

/**
 * One attempt of a job, as squeue or sacct reports it. Plain JSON. Times are in milliseconds since the epoch, to whole
 * seconds.
 */
export interface SlurmJob {
  /** Slurm's own number; each task of an array has one. */
  readonly rawId: number;
  /** The id as users write it: `123`, or `123_4` for a task of an array. */
  readonly id: string;
  /** The number of requeues before this attempt. */
  readonly restarts: number;
  readonly uid: number;
  readonly user: string;
  readonly name: string;
  readonly partition: string;
  readonly account?: string;
  readonly state: SlurmState;
  /** Its processes or files are still being cleared away. */
  readonly isCompleting: boolean;
  /** The reason why it waits or failed; '' for none. */
  readonly reason: string;
  readonly nodeList: string;
  readonly nodes: number;
  /** The node that runs its batch script; '' before. */
  readonly host: string;
  readonly workdir: string;
  readonly command: string;
  readonly submittedMs: number;
  readonly startedMs?: number;
  readonly endedMs?: number;
  /** The time of its last suspension or resumption. */
  readonly suspendedMs?: number;
  /** As a shell counts: 128 plus the number of the signal that ended it. */
  readonly exitCode?: number;
  readonly timeLimitMs?: number;
  /** The memory that it asked for on a node. */
  readonly requestedBytes?: number;
  /** The processors and GPUs that it asked for, on all nodes. */
  readonly requestedCpus?: number;
  readonly requestedGpus?: number;
  /** The output files of its batch script; none without a script, or for /dev/null. */
  readonly stdoutPaths: readonly string[];
  readonly stderrPaths: readonly string[];
  /** Its stderr goes into the files of its stdout. */
  readonly isMerged?: true;
}

/** Slurm's dummy signal for a job that was killed for memory, and all above it (SIG_OOM in slurm.h, less 128). */
const FIRST_DUMMY_SIGNAL = 125;

/** The exit code as a shell counts; undefined for a signal that no system has. */
export function toShellExitCode(code: number, signal: number): number | undefined {
  if (signal >= FIRST_DUMMY_SIGNAL) return undefined;
  return signal > 0 ? 128 + signal : code;
}

export function isEnded(state: SlurmState): boolean {
  return state === 'UNKNOWN' || (END_STATES as readonly string[]).includes(state);
}

/** Flags that squeue shows instead of the state, and the state of a job with each flag. */
const UNDER_FLAG: Readonly<Record<string, SlurmState>> = {
  COMPLETING: 'RUNNING',
  SIGNALING: 'RUNNING',
  STAGE_OUT: 'RUNNING',
  RESIZING: 'RUNNING',
  STOPPED: 'SUSPENDED',
  CONFIGURING: 'PENDING',
  POWER_UP_NODE: 'PENDING',
  REQUEUE_FED: 'PENDING',
  REQUEUE_HOLD: 'PENDING',
  RESV_DEL_HOLD: 'PENDING',
  SPECIAL_EXIT: 'PENDING',
  REVOKED: 'CANCELLED',
};

const WAITING_FLAGS: ReadonlySet<string> = new Set(['CONFIGURING', 'POWER_UP_NODE']);

/**
 * Reads a job's state from Slurm's words: one word, or (23.11 and later) the base state and its flags. An unknown word
 * counts as running: a job must not be given up because Slurm has learnt a new word.
 */
export function readState(words: readonly string[]): { readonly state: SlurmState; readonly isCompleting: boolean } {
  // Accounting writes "CANCELLED by 1000".
  const plain = words.map((word) => word.split(' ')[0] ?? '');
  const isCompleting = plain.includes('COMPLETING') || plain.includes('STAGE_OUT');
  if (plain.some((word) => WAITING_FLAGS.has(word))) return { state: 'PENDING', isCompleting };
  const base = plain.find((word): word is SlurmState => (STATES as readonly string[]).includes(word));
  const flag = plain.map((word) => UNDER_FLAG[word]).find((state) => state !== undefined);
  return { state: base ?? flag ?? 'RUNNING', isCompleting };
}
