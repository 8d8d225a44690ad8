import { OF_LAUNCHERS, OF_PEERS } from './launcher-patterns.js';
import { createPattern, type PatternParts, readLine } from './pattern-parts.js';
import { OF_EXCEPTIONS, OF_FAMILIES } from './program-patterns.js';
import { EXCEPTION, type SignalPattern } from './signal-pattern.js';

/** The name of the signal of a loss that is not a number. */
export const LOSS_NAN = 'loss-nan';

/** The message of that signal: `loss is NaN` for a key `train/loss`. */
export function formatLossNan(key: string): string {
  return `${key.replace(/^.*[./](?=\w)/, '')} is NaN`;
}

/** What a scheduler says about the end of a job. Its texts are those of Slurm's slurmstepd and srun, LSF and PBS. */
const OF_SCHEDULERS: readonly PatternParts[] = [
  {
    name: 'time-limit',
    weight: 'verdict',
    literals: ['TIME LIMIT', 'TERM_RUNLIMIT', 'PBS: job killed: walltime', 'PBS: job killed: cput'],
    regex: /CANCELLED AT \S+ DUE TO TIME LIMIT|TERM_RUNLIMIT: .*|PBS: job killed: ((?:walltime|cput) .*)/,
    say: ([text]) => (text.startsWith('CANCELLED') ? 'time limit' : text),
  },
  {
    name: 'node-failure',
    weight: 'verdict',
    literals: ['NODE FAIL', 'ode failure on'],
    regex: /srun: error: Node failure on (\S+)|CANCELLED AT \S+ DUE TO NODE FAIL/,
    say: ([, node]) => (node === undefined ? 'node failure' : `node failure of ${node}`),
  },
  {
    name: 'preempted',
    weight: 'verdict',
    literals: ['PREEMPTION', 'TERM_PREEMPT'],
    regex: /CANCELLED AT \S+ DUE TO PREEMPTION|TERM_PREEMPT: .*/,
    say: ([text]) => (text.startsWith('CANCELLED') ? 'preempted' : text),
  },
  {
    name: 'requeued',
    severity: 'warning',
    weight: 'verdict',
    literals: ['REQUEUE', 'TERM_REQUEUE'],
    regex: /CANCELLED AT \S+ DUE TO JOB REQUEUE|TERM_REQUEUE_\w+: .*/,
    say: ([text]) => (text.startsWith('CANCELLED') ? 'requeued' : text),
  },
  {
    name: 'out-of-memory',
    weight: 'verdict',
    literals: ['oom_kill', 'oom-kill', 'ut Of Memory', 'emory limit', 'TERM_MEMLIMIT', 'PBS: job killed: '],
    regex:
      /[Dd]etected \d+ oom[_-]kill events?|srun: error: .{0,300}: Out Of Memory|[Ee]xceeded (?:job|step|its)? ?memory limit.*|TERM_MEMLIMIT: .*|PBS: job killed: (?:v?mem) .*/,
    say: ([text]) => (/oom[_-]kill|Out Of Memory/.test(text) ? 'killed for memory' : text),
  },
  {
    name: 'cancelled',
    severity: 'warning',
    weight: 'verdict',
    literals: ['CANCELLED AT', 'TERM_OWNER', 'TERM_ADMIN'],
    regex: /\*\*\* .{0,300}CANCELLED AT \S+(?: \*\*\*)?|TERM_(?:OWNER|ADMIN): .*/,
    say: ([text]) => (text.startsWith('***') ? 'cancelled' : text),
  },
];

const OF_MEMORY: readonly PatternParts[] = [
  {
    name: 'cuda-out-of-memory',
    literals: [
      ...['CUDA out of memory', 'HIP out of memory', 'OutOfMemoryError', 'OUT_OF_MEMORY', 'CUDA error: out of'],
      'OOM when allocating',
    ],
    regex:
      /(?:torch\.(?:cuda\.)?OutOfMemoryError|RuntimeError|CUDA error|(?<![\w.])[\w.]*ResourceExhaustedError): .{0,300}?[Oo]ut ?[Oo]f ?[Mm]emory.*|(?:CUDA|HIP) out of memory.*|torch\.(?:cuda\.)?OutOfMemoryError.*|CUDA_ERROR_OUT_OF_MEMORY.*|CUDA error: out of memory.*|ResourceExhaustedError: OOM when allocating.*/,
  },
  {
    name: 'out-of-memory',
    literals: [
      ...['Out of memory', 'bad_alloc', 'MemoryError', 'annot allocate memory', 'OutOfMemoryError'],
      'nable to allocate ',
    ],
    regex:
      /Out of memory: Killed process .*|std::bad_alloc|\bMemoryError\b.*|[Cc]annot allocate memory.*|java\.lang\.OutOfMemoryError.*|ray\.exceptions\.OutOfMemoryError: .*|Unable to allocate \S+ [KMGTP]iB for .*|Out of memory(?: allocating .*|\. Type "help memory".*|$)/,
  },
];

/** Programs that run on graphics cards, and between nodes. */
const OF_DEVICES: readonly PatternParts[] = [
  {
    name: 'nccl-timeout',
    weight: 'collective',
    literals: ['collective operation timeout', 'operations have failed or timed out', 'ollective operation timed out'],
    regex:
      /Watchdog caught collective operation timeout.*|Some NCCL operations have failed or timed out.*|[Cc]ollective operation timed out.*/,
  },
  {
    name: 'nccl-error',
    weight: 'collective',
    literals: ['NCCL error', 'NCCL Error'],
    regex: /NCCL [Ee]rror .*/,
  },
  {
    name: 'cuda-error',
    literals: ['CUDA error', 'cuDNN error', 'CUDNN_STATUS', 'CUBLAS_STATUS', 'no CUDA-capable device'],
    regex:
      /CUDA error: .*|cuDNN error: .*|CUDNN_STATUS_(?!SUCCESS)[A-Z_].*|CUBLAS_STATUS_(?!SUCCESS)[A-Z_].*|no CUDA-capable device is detected/,
  },
  {
    name: 'mpi-abort',
    weight: 'symptom',
    literals: ['MPI_ABORT was invoked', 'MPI_Abort(', 'MPI_ERRORS_ARE_FATAL', 'exited with non-zero'],
    regex:
      /MPI_ABORT was invoked on rank \d.*|application called MPI_Abort\(.*|MPI_ERRORS_ARE_FATAL.*|mpirun detected that one or more processes exited with non-zero status.*/,
  },
  {
    name: 'mpi-timeout',
    weight: 'collective',
    literals: ['PMIX ERROR', 'ORTE was unable', 'ORTE has lost communication', 'lost connection to its'],
    regex: /PMIX ERROR: .{0,300}?TIMEOUT.*|ORTE was unable to .*|ORTE has lost communication with a remote daemon.*/,
  },
];

/** The signals of the system that end a process, as a launcher such as mpirun tells of one of its ranks. */
const OF_RANKS: readonly PatternParts[] = [
  ['illegal-instruction', 4],
  ['aborted', 6],
  ['bus-error', 7],
  ['floating-point-error', 8],
  ['killed', 9],
  ['segmentation-fault', 11],
].map(([name, number]) => ({
  name: String(name),
  weight: 'symptom',
  literals: [`signal ${number}`],
  regex: new RegExp(`(?:exited on|terminated with|terminated by|[Kk]illed by) signal ${number}\\b`),
  say: readLine,
}));

/** Processes that a signal of the system ended. The shell, srun, mpirun and the program itself say so. */
const OF_PROCESSES: readonly PatternParts[] = [
  {
    name: 'segmentation-fault',
    literals: ['egmentation fault', 'egmentation Fault', 'SIGSEGV', 'aught signal 11'],
    regex: /[Ss]egmentation [Ff]ault(?! handler).*|[Cc]aught signal 11\b.*|\bSIGSEGV\b(?! or another).*/,
  },
  ...['Bus error', 'Illegal instruction'].map((words): PatternParts => ({
    name: words.toLowerCase().replace(' ', '-'),
    literals: [words.slice(1)],
    regex: new RegExp(
      `: line \\d+: +\\d+ ${words} +(?! )(?:\\(core dumped\\) )?(.+)|\\b${words}(?: \\(core dumped\\)|$)`
    ),
    say: ([text, command]) => (command === undefined ? text : `${words}: ${command}`),
  })),
  {
    name: 'floating-point-error',
    literals: ['loating point exception', 'sigFpe', 'aught signal 8'],
    regex: /Floating point exception(?: ?\((?:core dumped|8)\)|$)|Foam::sigFpe::sigHandler.*|[Cc]aught signal 8\b.*/,
  },
  {
    name: 'aborted',
    weight: 'symptom',
    literals: ['Aborted', 'SIGABRT', 'aught signal 6'],
    regex: /\bAborted(?: \(core dumped\)| {2}.*|$)|[Cc]aught signal 6\b.*|\bSIGABRT\b.*/,
  },
  {
    name: 'killed',
    weight: 'symptom',
    literals: ['Killed', 'SIGKILL', 'exitcode: -9'],
    regex: /^Killed$|: line \d+: +\d+ Killed +(?! )(.*)|srun: error: .{0,300}: Killed$|\bSIGKILL\b.*|exitcode: -9\b.*/,
    say: ([text, command]) => (command === undefined ? text : `Killed: ${command}`),
  },
  {
    name: 'cpp-exception',
    literals: ['terminate called', 'what():  '],
    regex: /terminate called after throwing an instance of '.{0,1000}'|what\(\): {2}(.*)/,
    say: ([text, what]) => what ?? text,
  },
  {
    name: 'task-failed',
    weight: 'symptom',
    literals: ['Exited with exit code', 'Error executing process', 'Error in rule', 'with an error exit status'],
    regex:
      /srun: error: .{0,300}: Exited with exit code \d+|^Exited with exit code [1-9]\d*\.?$|Error executing process > .*|Error in rule \w+:?|Process `.{0,300}` terminated with an error exit status .*/,
  },
];

const OF_FILES: readonly PatternParts[] = [
  {
    name: 'disk-quota',
    literals: ['uota exceeded', 'uotaExceeded'],
    regex: /[Qq]uota ?[Ee]xceeded/,
    say: () => 'Disk quota exceeded',
  },
  {
    name: 'disk-full',
    literals: ['space left on device', 'out of disk space'],
    regex: /No space left on device|out of disk space/,
    say: readLine,
  },
  {
    name: 'permission-denied',
    severity: 'warning',
    literals: ['ermission denied', 'PermissionError'],
    regex: /: [Pp]ermission denied|Permission denied[:,]|PermissionError: /,
    say: readLine,
  },
  {
    name: 'module-not-found',
    severity: 'warning',
    literals: ['No module named', 'shared librar', 'module(s) are unknown', 'Lmod has detected'],
    regex:
      /(?:ModuleNotFoundError: |ImportError: )?No module named .*|error while loading shared libraries: .*|Lmod has detected the following error: .*/,
  },
  {
    name: 'file-not-found',
    severity: 'warning',
    literals: ['No such file or directory', 'FileNotFoundError'],
    regex: /(?:: |\] |^)No such file or directory|FileNotFoundError: /,
    say: readLine,
  },
  {
    name: 'command-not-found',
    severity: 'warning',
    literals: ['ommand not found', ': not found'],
    regex: /: command not found|(?:sh|script): (?:line )?\d+: .{0,300}: not found/,
    say: readLine,
  },
];

/** OpenFOAM of some versions adds its name. */
const FOAM_HEADING = /^FOAM FATAL (?:IO )?ERROR:? *(?:\([\w. -]+\))?$/;

const OF_PROGRAMS: readonly PatternParts[] = [
  {
    name: 'assertion',
    literals: ['Assertion', 'ssertion failed'],
    regex: /\bAssertionError\b.*|\bAssertion [`'"].{0,1000}[`'"] failed.*|\bAssertion failed\b.*/,
  },
  {
    name: 'fatal-error',
    literals: ['FOAM FATAL', 'Fatal Python error', 'ERROR on proc', 'ERROR: Lost atoms'],
    addSentence: (message, sentence) => (FOAM_HEADING.test(message) ? `FOAM FATAL ERROR: ${sentence}` : undefined),
    regex: /FOAM FATAL (?:IO )?ERROR.*|Fatal Python error: .*|ERROR on proc \d+: .*|ERROR: Lost atoms.*/,
  },
  {
    name: EXCEPTION,
    literals: ['Exception in thread "', 'panicked at', 'ERROR: LoadError'],
    regex: /Exception in thread "[^"]*" (.*)|thread '.{0,300}' panicked at .*|ERROR: LoadError: (.*)/,
    say: ([text, java, julia]) => java ?? julia ?? text,
    // Rust: the sentence is behind the place, or below it.
    addSentence: (message, sentence) => (/^thread .*:\d+:$/.test(message) ? `${message} ${sentence}` : undefined),
  },
  {
    name: LOSS_NAN,
    weight: 'symptom',
    literals: [
      ...[' nan', '=nan', ':nan', '(nan', '-nan', '-NAN', '[nan', "'nan", '"nan'],
      ...[' NaN', '=NaN', ':NaN', '"NaN', ' NAN', '=NAN'],
    ],
    regex: /([\w./]{0,40}loss(?:[/_]\w{1,20})?)['"]?(?: ?[:=] ?| )(?:tensor\()?['"[(]*-?nan(?![\w.])/i,
    say: ([, key = 'loss']) => formatLossNan(key),
  },
];

/** The patterns that every job is searched for. The first that matches a line is its signal. */
export const BUILT_IN_SIGNALS: readonly SignalPattern[] = [
  ...OF_SCHEDULERS,
  ...OF_MEMORY,
  ...OF_DEVICES,
  ...OF_LAUNCHERS,
  ...OF_PEERS,
  ...OF_RANKS,
  ...OF_PROCESSES,
  ...OF_FAMILIES,
  ...OF_FILES,
  ...OF_PROGRAMS,
  ...OF_EXCEPTIONS,
].map(createPattern);
