import { describeExit } from './explain-end.js';
import type { PatternParts } from './pattern-parts.js';

/** What launchers of many processes say about the one that ended. */
export const OF_LAUNCHERS: readonly PatternParts[] = [
  {
    name: 'task-failed',
    weight: 'symptom',
    literals: ['failed (exitcode: '],
    // torchrun: a negative code is a signal.
    regex: /failed \(exitcode: (-?\d+)\) (local_rank: \d+ \(pid: \d+\))/,
    say: ([, code, who]) => `${who} failed with ${describeCode(Number(code))}`,
  },
  {
    name: 'task-failed',
    weight: 'symptom',
    literals: ['Root Cause (first observed failure):'],
    regex: /Root Cause \(first observed failure\):/,
    isHeading: (message) => !message.includes(', exit code '),
    addSentence: addRootCause,
  },
  {
    name: 'task-failed',
    weight: 'symptom',
    literals: ['exits with return code = ', 'terminated with the following error', ' exit with status code '],
    regex:
      /--local_rank=\d.{0,1000}\bexits with return code = -?\d+|^-- Process \d+ terminated with the following error:|^Process \d+ exit with status code \d+/,
    say: ([text]) => text.replace(/^(--local_rank=\d{1,6})[^\d].{0,1000}(?= exits with)/, '$1'),
  },
  {
    name: 'task-failed',
    weight: 'symptom',
    literals: ['Process name: [['],
    regex: /Process name: \[\[\d+,\d+\],\d+\]/,
  },
  {
    name: 'mpi-abort',
    weight: 'symptom',
    literals: ['BAD TERMINATION'],
    regex: /BAD TERMINATION OF ONE OF YOUR APPLICATION PROCESSES/,
    isHeading: (message) => !message.includes('EXIT CODE: '),
    addSentence: (message, sentence) => {
      const text = /\b(?:PID \d+ RUNNING AT [\w.-]+|EXIT CODE: \d+)/.exec(sentence)?.[0];
      return text && `${message}${message.includes(' AT ') ? ', ' : ': '}${text}`;
    },
  },
  {
    name: 'out-of-memory',
    literals: ['memory pressure (OOM)'],
    regex: /\b\d{1,9} Workers \(tasks \/ actors\) killed due to memory pressure \(OOM\)/,
  },
];

/** What processes say when another one has gone, and what launchers say when they end those that are left. */
export const OF_PEERS: readonly PatternParts[] = [
  {
    name: 'peer-lost',
    severity: 'warning',
    weight: 'collective',
    literals: [
      ...['gloo/transport/', 'TCPStore', 'mca_btl_', 'Horovod has been shut down', 'HorovodInternalError'],
      ...['DistBackendError', 'DistNetworkError', 'DistStoreError', 'ncclRemoteError', 'Communication error with rank'],
    ],
    regex:
      /gloo\/transport\/\S+ (?:Connection closed by peer|Read error|Write error|Timed out waiting).*|TCPStore.{0,300}(?:[Cc]onnection reset|Broken pipe|recvValue failed|sendBytes failed).*|mca_btl_\w+: \w+ failed: .*|Horovod has been shut down.*|\bHorovodInternalError\b.*|terminate called after throwing an instance of 'c10::Dist\w+Error'|\bDist(?:Backend|Network|Store)Error\b.*|ncclRemoteError: .*|Communication error with rank \d+/,
  },
  {
    name: 'aborted',
    weight: 'symptom',
    literals: ['Fatal Python error: '],
    regex: /Fatal Python error: (?:Aborted|Terminated).*/,
  },
  {
    name: 'terminated',
    severity: 'info',
    weight: 'symptom',
    literals: ['closing signal SIGTERM', ' via signal SIGTERM', ': Terminated', 'Job step aborted'],
    regex:
      /Sending process \d+ closing signal SIGTERM|(?:Closing|Terminating) process \d+ via signal SIGTERM|srun: error: .{0,300}: Terminated$|srun: Job step aborted/,
  },
];

/** `time : …`, `host : n1`, `rank : 5 (local_rank: 5)` and `exitcode : 1 (pid: 95)` are below each other. */
function addRootCause(message: string, sentence: string): string | undefined {
  const [, key, value = ''] = /^(host|rank|exitcode) *: (.+)$/.exec(sentence) ?? [];
  if (key === undefined) return undefined;
  if (key === 'exitcode') return `${message}, exit code ${value.split(' ', 1)[0]}`;
  return key === 'host' ? `${message} host ${value}` : `${message}, rank ${value}`;
}

function describeCode(code: number): string {
  return code < 0 ? `exit code ${code} (${describeExit(128 - code)})` : `exit code ${code}`;
}
