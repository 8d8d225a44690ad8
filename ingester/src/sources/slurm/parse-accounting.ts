import { attempt, rethrow } from './attempt.js';
import { groupBy } from '@joblens/core/lists/group-by';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { isEnded, readState, type SlurmJob, type SlurmState, toShellExitCode } from './slurm-job.js';
import { readGpus, readMemory } from './tres.js';

/**
 * A text between fields that no name or folder holds: names are chosen by users, and may have line feeds and any other
 * control character in them, but nobody knows the next delimiter.
 */
export function createDelimiter(): string {
  return `|${randomBytes(12).toString('hex')}|`;
}

/**
 * The fields requested from sacct. Its text form has the user of every job and is the same in all versions; `sacct
 * --json` of 22.05 has no user if accounting knows no association.
 */
const FIELDS = [
  'JobIDRaw',
  'JobID',
  'State',
  'UID',
  'User',
  'Partition',
  'Submit',
  'Start',
  'End',
  'ExitCode',
  'NNodes',
  'NodeList',
  'WorkDir',
  'JobName',
  'Account',
  'TimelimitRaw',
  'NCPUS',
  'ReqTRES',
] as const;
type Field = (typeof FIELDS)[number];

/** The format of times, which sacct reads from its environment. */
export const ACCOUNTING_ENVIRONMENT = { SLURM_TIME_FORMAT: '%s' };

/**
 * The arguments with which sacct lists all attempts of all jobs since a time, in the form that parseAccounting reads.
 */
export function accountingArgs(sinceMs: number, delimiter: string): string[] {
  const sinceSeconds = Math.max(0, Math.floor(sinceMs / 1000));
  return [
    '--allusers',
    '--allocations',
    '--duplicates',
    '--noheader',
    '--parsable2',
    `--delimiter=${delimiter}`,
    `--format=${FIELDS.join(',')}`,
    `--starttime=uts${sinceSeconds}`,
  ];
}

/** Parses the attempts that sacct lists, each job's in order. Leaves out records of another form, and
 * those that this program cannot read, of which `onFault` is told. */
export function parseAccounting(
  text: string,
  delimiter: string,
  onFault: (error: unknown) => void = rethrow
): SlurmJob[] {
  const records = splitRecords(text, delimiter);
  const attempts = records.flatMap((parts) => attempt(() => parseRecord(parts), onFault) ?? []);
  attempts.sort((a, b) => a.submittedMs - b.submittedMs);
  const byJob = groupBy(attempts, ({ rawId }) => rawId);
  return [...byJob.values()].flatMap((each) => attempt(() => countRestarts(each), onFault) ?? []);
}

/** A requeued job is submitted again when its processes are gone: at the latest after KillWait and its epilog. */
const MAX_REQUEUE_MS = 600_000;

/**
 * Counts restarts: an attempt followed by another one was requeued, whatever the reason. An id that is used again,
 * after years, begins anew. An attempt ends when the next one begins to wait, as squeue tells it.
 */
function countRestarts(attempts: readonly SlurmJob[]): SlurmJob[] {
  let restarts = 0;
  return attempts.map((attempt, i) => {
    const next = attempts[i + 1];
    const isRequeued = next !== undefined && isFollowedBy(attempt, next);
    const own = restarts;
    restarts = isRequeued ? restarts + 1 : 0;
    if (!isRequeued) return { ...attempt, restarts: own };
    const reason = attempt.state === 'REQUEUED' ? attempt.reason : attempt.state;
    return { ...attempt, restarts: own, state: 'REQUEUED', reason, endedMs: next.submittedMs };
  });
}

function isFollowedBy({ state, endedMs }: SlurmJob, next: SlurmJob): boolean {
  if (state === 'REQUEUED') return true;
  return endedMs !== undefined && next.submittedMs - endedMs <= MAX_REQUEUE_MS;
}

type Get = (field: Field) => string;

/** Counts the fields of a record, as a line feed may be in one. The last field, of numbers, ends at its line feed. */
function splitRecords(text: string, delimiter: string): string[][] {
  const records: string[][] = [];
  let parts: string[] = [];
  for (const piece of text.split(delimiter)) {
    if (parts.length < FIELDS.length - 1) {
      parts.push(piece);
      continue;
    }
    const end = piece.indexOf('\n');
    records.push([...parts, end < 0 ? piece : piece.slice(0, end)]);
    parts = [piece.slice(end + 1)];
  }
  return records;
}

function parseRecord(parts: readonly string[]): SlurmJob | undefined {
  const get: Get = (field) => parts[FIELDS.indexOf(field)] ?? '';
  const [rawId, uid, submittedMs] = [readNumber(get('JobIDRaw')), readNumber(get('UID')), readMs(get('Submit'))];
  const id = /^(\d+(?:_\d+)?)(?:\+0)?$/.exec(get('JobID'))?.[1];
  // Tasks that wait together (`7_[1-9]`) and the later parts of a heterogeneous job (`7+1`) are not a job of their own.
  if (id === undefined || rawId === undefined || uid === undefined || submittedMs === undefined) return undefined;
  const workdir = get('WorkDir');
  return {
    rawId,
    id,
    restarts: 0,
    uid,
    user: get('User') || String(uid),
    name: get('JobName'),
    partition: get('Partition'),
    reason: '',
    nodes: Number(get('NNodes')) || 0,
    host: '',
    workdir,
    command: '',
    submittedMs,
    ...readCourse(get),
    ...readRequest(get),
    // Accounting of 22.05 does not tell where the output went, so this is Slurm's default name.
    stdoutPaths: [join(workdir, `slurm-${id}.out`)],
    stderrPaths: [],
  };
}

function readCourse(
  get: Get
): Pick<SlurmJob, 'state' | 'isCompleting' | 'nodeList' | 'startedMs' | 'endedMs' | 'exitCode'> {
  const { state, isCompleting } = readState([get('State')]);
  const [startedMs, endedMs] = [readMs(get('Start')), readMs(get('End'))];
  const nodeList = get('NodeList') === 'None assigned' ? '' : get('NodeList');
  const hasEnded = isEnded(state) || state === 'REQUEUED';
  return {
    state,
    isCompleting,
    nodeList,
    // A job cancelled while it waited has a start, but no nodes.
    ...(startedMs !== undefined && nodeList !== '' && { startedMs }),
    ...(hasEnded && endedMs !== undefined && { endedMs, ...readExitCode(state, get('ExitCode')) }),
  };
}

/** As squeue tells it: memory for each node. Minutes are a number, `UNLIMITED` or `Partition_Limit`. */
function readRequest(get: Get): Partial<SlurmJob> {
  const [minutes, cpus] = [Number(get('TimelimitRaw')), Number(get('NCPUS'))];
  const [bytes = 0, gpus] = [readMemory(get('ReqTRES')), readGpus(get('ReqTRES'))];
  return {
    ...(get('Account') !== '' && { account: get('Account') }),
    ...(minutes > 0 && { timeLimitMs: minutes * 60_000 }),
    ...(cpus > 0 && { requestedCpus: cpus }),
    ...(bytes > 0 && { requestedBytes: bytes / (Number(get('NNodes')) || 1) }),
    ...(gpus > 0 && { requestedGpus: gpus }),
  };
}

/** Nothing is no number, and not root's. */
function readNumber(text: string): number | undefined {
  return /^\d+$/.test(text) ? Number(text) : undefined;
}

function readMs(text: string): number | undefined {
  const seconds = readNumber(text);
  return seconds === undefined ? undefined : seconds * 1000;
}

/**
 * Reads `code:signal`. For a stopped job accounting gives `0:0`, which is no exit code. Before 25.11 it gives a code
 * from 128 on without these 128.
 */
function readExitCode(state: SlurmState, text: string): { readonly exitCode?: number } {
  const [code = 0, signal = 0] = text.split(':').map(Number);
  if (code === 0 && signal === 0 && state !== 'COMPLETED') return {};
  const exitCode = toShellExitCode(code, signal);
  return exitCode === undefined ? {} : { exitCode };
}

/** Accounting knows the end; squeue knew the rest. */
export function mergeAccounting(seen: SlurmJob, { state, startedMs, endedMs, exitCode }: SlurmJob): SlurmJob {
  return {
    ...seen,
    state,
    isCompleting: false,
    ...(startedMs !== undefined && { startedMs }),
    ...(endedMs !== undefined && { endedMs }),
    ...(exitCode !== undefined && { exitCode }),
  };
}
