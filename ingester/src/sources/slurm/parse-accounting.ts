import { join } from 'node:path';
import type { SlurmJob, SlurmState } from './slurm-job.js';
import { isEnded, readState } from './slurm-job.js';

/** A character that no name or folder holds. */
const DELIMITER = '\x1f';

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
] as const;
type Field = (typeof FIELDS)[number];

/** The format of times, which sacct reads from its environment. */
export const ACCOUNTING_ENVIRONMENT = { SLURM_TIME_FORMAT: '%s' };

/**
 * The arguments with which sacct lists all attempts of all jobs since a time, in the form that parseAccounting reads.
 */
export function accountingArgs(sinceMs: number): string[] {
  const sinceSeconds = Math.max(0, Math.floor(sinceMs / 1000));
  return [
    '--allusers',
    '--allocations',
    '--duplicates',
    '--noheader',
    '--parsable2',
    `--delimiter=${DELIMITER}`,
    `--format=${FIELDS.join(',')}`,
    `--starttime=uts${sinceSeconds}`,
  ];
}

/** Parses the attempts that sacct lists, each job's in order. Leaves out lines of another form. */
export function parseAccounting(text: string): SlurmJob[] {
  const attempts = text.split('\n').flatMap((line) => parseLine(line) ?? []);
  const byJob = new Map<number, SlurmJob[]>();
  for (const attempt of attempts.sort((a, b) => a.submittedMs - b.submittedMs)) {
    byJob.set(attempt.rawId, [...(byJob.get(attempt.rawId) ?? []), attempt]);
  }
  return [...byJob.values()].flatMap(countRestarts);
}

/**
 * Counts restarts: an attempt followed by another one was requeued, whatever the reason. An id that is used again,
 * after years, begins anew.
 */
function countRestarts(attempts: readonly SlurmJob[]): SlurmJob[] {
  let restarts = 0;
  return attempts.map((attempt, i) => {
    const next = attempts[i + 1];
    const isRequeued = next !== undefined && next.submittedMs === attempt.endedMs;
    const own = restarts;
    restarts = isRequeued ? restarts + 1 : 0;
    if (!isRequeued) return { ...attempt, restarts: own };
    const reason = attempt.state === 'REQUEUED' ? attempt.reason : attempt.state;
    return { ...attempt, restarts: own, state: 'REQUEUED', reason };
  });
}

type Get = (field: Field) => string;

function parseLine(line: string): SlurmJob | undefined {
  const parts = line.split(DELIMITER);
  if (parts.length !== FIELDS.length) return undefined;
  const get: Get = (field) => parts[FIELDS.indexOf(field)] ?? '';
  const [rawId, uid, submittedMs] = [Number(get('JobIDRaw')), Number(get('UID')), readMs(get('Submit'))];
  const id = /^(\d+(?:_\d+)?)(?:\+0)?$/.exec(get('JobID'))?.[1];
  // Tasks that wait together (`7_[1-9]`) and the later parts of a heterogeneous job (`7+1`) are not a job of their own.
  if (id === undefined || !Number.isInteger(rawId) || !Number.isInteger(uid)) return undefined;
  if (submittedMs === undefined) return undefined;
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

function readMs(text: string): number | undefined {
  return /^\d+$/.test(text) ? Number(text) * 1000 : undefined;
}

/** Reads `code:signal`. For a stopped job accounting gives `0:0`, which is no exit code. */
function readExitCode(state: SlurmState, text: string): { readonly exitCode?: number } {
  const [code = 0, signal = 0] = text.split(':').map(Number);
  if (code === 0 && signal === 0 && state !== 'COMPLETED') return {};
  return { exitCode: signal > 0 ? 128 + signal : code };
}
