import { MINUTE_NS, NS_PER_S } from '../numbers/time-units.js';
import { formatBytes } from '../words/bytes.js';
import { formatDuration } from '../words/duration.js';
import type { FoldedSignal } from './signal-fold.js';
import { SIGNAL_WEIGHTS, type SignalWeight } from './signal-pattern.js';

/** What is known about the end of a job besides its output. */
export interface JobEnd {
  /** In Slurm's words; undefined for output whose job nobody knows. */
  readonly state?: string | undefined;
  /** As a shell counts: 128 plus the number of the signal that ended it. */
  readonly exitCode?: number | undefined;
  readonly cancelledBy?: string | undefined;
  readonly timeLimitMs?: number | undefined;
  /** The node that failed, or the only one that the job had. */
  readonly node?: string | undefined;
  /** The most memory that the job used, and what it had asked for. */
  readonly usedBytes?: number | undefined;
  readonly requestedBytes?: number | undefined;
}

type EndSignal = Pick<FoldedSignal, 'name' | 'severity' | 'weight' | 'message' | 'place' | 'lastNs'>;

/** A weaker signal counts more than a stronger one that came longer before it: the job had got over that one. */
const WINDOW_NS = 15n * MINUTE_NS;
const SIGKILL_EXIT = 137;
const SIGTERM_EXIT = 143;
/** The highest signal that has a name. Higher codes are a program's own: Intel Fortran ends with 174. */
const MAX_SIGNAL = 31;
/** An exit code has 8 bits. Above it, PBS adds the number of the signal. */
const PBS_SIGNALS = 256;

/**
 * Says why a job is in its final state, in one sentence, from all that is known: its state, exit code and resources,
 * and the signals in its output. Undefined when it ended well, or runs.
 */
export function explainEnd(end: JobEnd, signals: readonly EndSignal[]): string | undefined {
  if (end.state === undefined) return explainOutput(signals);
  const errors = signals.filter(({ severity }) => severity === 'error');
  const error = findStrongest(errors);
  switch (end.state) {
    case 'COMPLETED':
      return error && `printed an error: ${formatSignal(error)}`;
    case 'OUT_OF_MEMORY':
      return explainMemory(end);
    case 'TIMEOUT':
      return end.timeLimitMs === undefined ? 'time limit' : `time limit of ${formatDuration(end.timeLimitMs)}`;
    case 'NODE_FAIL':
      return explainNode(end, signals);
    case 'BOOT_FAIL':
      return end.node === undefined ? 'its node did not boot' : `node ${end.node} did not boot`;
    case 'CANCELLED':
      return explainCancel(end, errors);
    case 'FAILED':
      return explainFailure(end, findFailure(error, signals));
    default:
      return PLAIN_REASONS.get(end.state);
  }
}

/** What a warning said right before the consequence of something else was that. */
const RIGHT_BEFORE_NS = 30n * NS_PER_S;

/** The error, or else a warning. */
function findFailure(error: EndSignal | undefined, signals: readonly EndSignal[]): EndSignal | undefined {
  const warnings = signals.filter(({ severity }) => severity === 'warning');
  if (error === undefined) return findStrongest(warnings);
  if (error.weight !== 'symptom') return error;
  const near = warnings.filter(({ weight, lastNs }) => {
    const distance = error.lastNs - lastNs;
    return weight === 'cause' && distance <= RIGHT_BEFORE_NS && -distance <= RIGHT_BEFORE_NS;
  });
  return findStrongest(near) ?? error;
}

const PLAIN_REASONS: ReadonlyMap<string, string> = new Map([
  ['PREEMPTED', 'preempted'],
  ['DEADLINE', 'its deadline passed'],
]);

/** How a job ended by its exit code, as shells give it; undefined where the code says nothing. */
export function describeExit(exitCode: number | undefined): string | undefined {
  if (exitCode === undefined || exitCode === 0) return undefined;
  const signal = exitCode - (exitCode > PBS_SIGNALS ? PBS_SIGNALS : 128);
  if (signal < 1 || signal > MAX_SIGNAL) return `exit code ${exitCode}`;
  return `killed by ${SIGNAL_NAMES.get(signal) ?? `signal ${signal}`}`;
}

const SIGNAL_NAMES: ReadonlyMap<number, string> = new Map([
  [1, 'SIGHUP'],
  [2, 'SIGINT'],
  [3, 'SIGQUIT'],
  [4, 'SIGILL'],
  [5, 'SIGTRAP'],
  [6, 'SIGABRT'],
  [7, 'SIGBUS'],
  [8, 'SIGFPE'],
  [9, 'SIGKILL'],
  [10, 'SIGUSR1'],
  [11, 'SIGSEGV'],
  [12, 'SIGUSR2'],
  [13, 'SIGPIPE'],
  [14, 'SIGALRM'],
  [15, 'SIGTERM'],
  [24, 'SIGXCPU'],
  [25, 'SIGXFSZ'],
  [31, 'SIGSYS'],
]);

/** The last of the strongest among the signals just before the newest one. */
function findStrongest<Found extends EndSignal>(signals: readonly Found[]): Found | undefined {
  const newestNs = signals.reduce((newest, { lastNs }) => (lastNs > newest ? lastNs : newest), 0n);
  let best: Found | undefined;
  for (const signal of signals) {
    if (newestNs - signal.lastNs > WINDOW_NS) continue;
    const difference = best === undefined ? 1 : rank(signal.weight) - rank(best.weight);
    if (best === undefined || difference > 0 || (difference === 0 && signal.lastNs >= best.lastNs)) best = signal;
  }
  return best;
}

function rank(weight: SignalWeight): number {
  return SIGNAL_WEIGHTS.indexOf(weight);
}

function formatSignal({ message, place }: EndSignal): string {
  return place === undefined ? message : `${message} (${place})`;
}

/** Explains the end by the output alone: by an error, or by what the scheduler printed. */
function explainOutput(signals: readonly EndSignal[]): string | undefined {
  const found = findStrongest(signals.filter(({ severity, weight }) => severity === 'error' || weight === 'verdict'));
  if (found?.name === 'node-failure') return explainNode({}, signals);
  return found && formatSignal(found);
}

function explainFailure(end: JobEnd, signal: EndSignal | undefined): string | undefined {
  const isForMemory =
    signal?.name === 'out-of-memory' && (signal.weight === 'verdict' || end.exitCode === SIGKILL_EXIT);
  if (isForMemory) return explainMemory(end);
  const parts = [describeExit(end.exitCode), signal && formatSignal(signal)].filter((part) => part !== undefined);
  return parts.length === 0 ? undefined : parts.join(': ');
}

/** A scheduler's limit reaches a job as a cancellation, too. */
function explainCancel({ cancelledBy, exitCode }: JobEnd, errors: readonly EndSignal[]): string {
  const verdict = findStrongest(errors.filter(({ weight }) => weight === 'verdict'));
  if (verdict !== undefined) return formatSignal(verdict);
  // SIGTERM is how jobs are cancelled.
  const how = exitCode === SIGTERM_EXIT ? undefined : describeExit(exitCode);
  if (cancelledBy !== undefined) return `cancelled by ${cancelledBy}`;
  return how === undefined ? 'cancelled' : `cancelled: ${how}`;
}

function explainNode({ node }: JobEnd, signals: readonly EndSignal[]): string {
  const printed = signals.find(({ name, message }) => name === 'node-failure' && message.includes(' of '));
  if (printed !== undefined) return printed.message;
  return node === undefined ? 'node failure' : `node failure of ${node}`;
}

/** Less than this share of what it asked for cannot be why a job was killed: its peak came between two samples. */
const KILLING_SHARE = 0.9;

/** `killed for memory (12.1 of 12 GB)`. */
function explainMemory({ usedBytes, requestedBytes }: JobEnd): string {
  const sentence = 'killed for memory';
  if (requestedBytes === undefined) {
    return usedBytes === undefined ? sentence : `${sentence} (${formatBytes(usedBytes, usedBytes)} used)`;
  }
  if (usedBytes === undefined || usedBytes < requestedBytes * KILLING_SHARE) {
    return `${sentence} (${formatBytes(requestedBytes, requestedBytes)} asked for)`;
  }
  const [used] = formatBytes(usedBytes, requestedBytes).split(' ');
  return `${sentence} (${used} of ${formatBytes(requestedBytes, requestedBytes)})`;
}
