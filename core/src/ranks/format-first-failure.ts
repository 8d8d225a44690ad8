import type { FirstFailure, JobProcess } from './first-failure.js';

/** `rank 5 on n2`. */
function formatProcess({ rank, localRank, task, pid, node }: JobProcess): string {
  const names = [
    ['rank', rank],
    ['local rank', localRank],
    ['task', task === node ? undefined : task],
    ['process', pid],
  ] as const;
  const name = names.find(([, value]) => value !== undefined)?.join(' ');
  if (name === undefined) return node === undefined ? 'a process' : `node ${node}`;
  return node === undefined ? name : `${name} on ${node}`;
}

/** `rank 5 on n2 failed first: ValueError: bad shape (train.py:17)`. */
export function formatFirstFailure({
  process,
  message,
  place,
  alike,
}: Omit<FirstFailure, 'followers' | 'timeNs'>): string {
  const who = formatProcess(process);
  const said = place === undefined ? message : `${message} (${place})`;
  return alike > 1 ? `${alike} failed alike, ${who} first: ${said}` : `${who} failed first: ${said}`;
}

/** `2 NCCL timeouts, 1 lost connection`; undefined where nothing followed. */
export function formatFollowers({ followers }: Pick<FirstFailure, 'followers'>): string | undefined {
  const counts = new Map<string, number>();
  for (const { name, count } of followers) {
    const word = FOLLOWERS[name] ?? name.replaceAll('-', ' ');
    counts.set(word, (counts.get(word) ?? 0) + count);
  }
  if (counts.size === 0) return undefined;
  return [...counts].map(([word, count]) => formatCount(count, word)).join(', ');
}

/** `1 process ended by the launcher`, `2 processes ended by the launcher`. */
function formatCount(count: number, word: string): string {
  if (count === 1) return `1 ${word}`;
  return `${count} ${word.includes('process') ? word.replace('process', 'processes') : `${word}s`}`;
}

const FOLLOWERS: Readonly<Record<string, string>> = {
  'nccl-timeout': 'NCCL timeout',
  'nccl-error': 'NCCL error',
  'mpi-abort': 'MPI abort',
  'mpi-timeout': 'MPI timeout',
  'peer-lost': 'lost connection',
  'task-failed': 'failed process',
  'python-exception': 'lost connection',
  terminated: 'process ended by the launcher',
  killed: 'killed process',
  aborted: 'aborted process',
};
