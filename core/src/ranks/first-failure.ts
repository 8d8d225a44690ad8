import { type RankOrigin, readOrigin } from '../signals/rank-origin.js';
import type { FirstOfSignals } from '../signals/signal-fold.js';
import type { SignalWeight } from '../signals/signal-pattern.js';

/** A stored signal, with whose it is. */
export interface RankSignal {
  /** When the first of equal ones came. */
  readonly timeNs: bigint;
  readonly name: string;
  readonly severity: string;
  readonly weight?: SignalWeight;
  readonly message: string;
  readonly place?: string;
  readonly line?: string;
  readonly count: number;
  readonly task?: string;
  readonly node?: string;
  readonly first?: FirstOfSignals;
  readonly ranks?: readonly number[];
}

/** A process of a job; at least one part is known. */
export interface JobProcess extends RankOrigin {
  readonly task?: string;
}

/** What one process said. */
export interface ProcessSign {
  readonly process: JobProcess;
  readonly timeNs: bigint;
  readonly message: string;
  readonly place?: string;
}

export interface FirstFailure extends ProcessSign {
  /** How many processes failed for the same reason, this one included, where they are known. */
  readonly alike: number;
  /** What only followed, in the order of time: one of each kind, and how often it came. */
  readonly followers: ReadonlyArray<ProcessSign & { readonly name: string; readonly count: number }>;
}

interface Sign extends ProcessSign {
  readonly signal: RankSignal;
}

/** The scheduler ended the job: no process did. */
const OF_ALL: ReadonlySet<string> = new Set(['time-limit', 'preempted', 'requeued', 'cancelled']);
/** What launchers say about a process that ended badly. */
const OF_ENDS: ReadonlySet<string> = new Set([
  ...['task-failed', 'mpi-abort', 'killed', 'aborted', 'segmentation-fault', 'floating-point-error'],
]);
/** Causes further apart than a launcher takes to end a job: the job may have got over the first. */
const APART_NS = 120_000_000_000n;

/**
 * Finds which process of a job had the first cause of its end, whatever order the others printed their consequences in.
 * Undefined where nothing tells it for sure. Pass the signals of one run, of all tasks and both streams.
 */
export function findFirstFailure(signals: readonly RankSignal[]): FirstFailure | undefined {
  const signs = signals.map(readSign).sort((a, b) => (a.timeNs < b.timeNs ? -1 : Number(a.timeNs > b.timeNs)));
  const lost = signs.filter(({ signal }) => signal.weight === 'collective').map(({ process }) => process);
  const ends = completeEnds(signs.filter(isEnd)).filter(({ process }) => !lost.some((one) => isSame(one, process)));
  const causes = signs.filter(isCause);
  const found =
    causes.length > 0
      ? chooseCause(
          causes.map((cause) => chooseRank(cause, ends)),
          ends
        )
      : ends[0];
  if (found === undefined || !isKnown(found.process)) return undefined;
  const { process, timeNs, message, place } = found;
  const whole = { ...found, process: complete(process, ends) };
  return {
    ...{ process: whole.process, timeNs, message },
    ...(place !== undefined && { place }),
    alike: countAlike(found, causes),
    followers: listFollowers(signs, whole),
  };
}

function readSign(signal: RankSignal): Sign {
  const { task, node, first } = signal;
  const { message, place, line, timeNs } = first ?? { ...signal, timeNs: String(signal.timeNs) };
  const origin = line === undefined ? {} : readOrigin(line);
  const process = {
    ...(task !== undefined && { task }),
    ...(node !== undefined && { node }),
    ...(isKnown(origin) ? origin : readOrigin(message)),
  };
  return { ...{ process, timeNs: BigInt(timeNs), message, signal }, ...(place !== undefined && { place }) };
}

function isCause({ signal: { weight, severity, name } }: Sign): boolean {
  return severity === 'error' && (weight === 'cause' || weight === 'verdict') && !OF_ALL.has(name);
}

function isEnd({ signal: { weight, name }, process }: Sign): boolean {
  const { rank, localRank, node } = process;
  return weight === 'symptom' && OF_ENDS.has(name) && (rank ?? localRank ?? node) !== undefined;
}

/** The earliest cause whose process is known, or can be told from the only process that a launcher saw fail. */
function chooseCause(causes: readonly Sign[], ends: readonly Sign[]): Sign | undefined {
  const [earliest] = causes;
  const newest = causes.at(-1);
  if (earliest === undefined || newest === undefined) return undefined;
  const [only, other] = ends;
  const isOnly = only !== undefined && (other === undefined || ends.every((end) => isSame(end.process, only.process)));
  const named = causes.map((cause) =>
    isKnown(withoutTask(cause.process)) || !isOnly || !isSameTask(cause.process, only.process)
      ? cause
      : { ...cause, process: { ...cause.process, ...only.process } }
  );
  const [first] = named;
  const isOfOther = named.some(({ process }) => !isSame(process, first?.process ?? {}));
  // With a pause between them, nobody knows whether the job had got over the first.
  return isOfOther && newest.timeNs - earliest.timeNs > APART_NS ? undefined : first;
}

/** The newest of ranks that said the same, if a launcher saw that one fail: the first may have got over it. */
function chooseRank(cause: Sign, ends: readonly Sign[]): Sign {
  const { ranks = [], message, place, line } = cause.signal;
  const newest = readOrigin(line ?? '');
  const isEnded = (process: JobProcess): boolean => ends.some((end) => isSame(end.process, process));
  if (ranks.length < 2 || isEnded(cause.process) || !isEnded(newest)) return cause;
  return { ...cause, process: { ...cause.process, ...newest }, message, ...(place !== undefined && { place }) };
}

/** Each end with what others tell of the same process. */
function completeEnds(ends: readonly Sign[]): readonly Sign[] {
  return ends.map((end) => ({ ...end, process: complete(end.process, ends) }));
}

function complete(process: JobProcess, others: readonly Sign[]): JobProcess {
  return others.reduce(
    (known, other) => (isSame(known, other.process) ? { ...other.process, ...known } : known),
    process
  );
}

const PARTS = ['rank', 'localRank', 'pid'] as const;

/** Whether two tell of one process: they share what names it, or its node alone where one knows no more. */
function isSame(a: JobProcess, b: JobProcess): boolean {
  const keys = [...PARTS, 'task', 'node'] as const;
  if (keys.some((key) => a[key] !== undefined && b[key] !== undefined && a[key] !== b[key])) return false;
  if (PARTS.some((key) => a[key] !== undefined && a[key] === b[key])) return true;
  const isOfOneRank = [a, b].some((one) => PARTS.every((key) => one[key] === undefined));
  return isOfOneRank && (['task', 'node'] as const).some((key) => a[key] !== undefined && a[key] === b[key]);
}

function isSameTask(a: JobProcess, b: JobProcess): boolean {
  return a.task === b.task;
}

function isKnown(process: JobProcess): boolean {
  return Object.values(process).some((part) => part !== undefined);
}

function withoutTask({ task: _, node: __, ...process }: JobProcess): RankOrigin {
  return process;
}

function countAlike(found: Sign, causes: readonly Sign[]): number {
  const alike = causes.filter(({ message }) => normalize(message) === normalize(found.message));
  const ranks = new Set(alike.flatMap(({ signal }) => signal.ranks ?? []));
  const tasks = new Set(alike.flatMap(({ signal }) => signal.task ?? []));
  return Math.max(1, ranks.size, tasks.size);
}

function normalize(message: string): string {
  return message.replace(/0x[\da-f]+|\d+/gi, '#');
}

function listFollowers(signs: readonly Sign[], found: Sign): FirstFailure['followers'] {
  return signs
    .filter(({ signal }) => signal.weight === 'symptom' || signal.weight === 'collective')
    .filter(({ signal, process }) => signal !== found.signal && !isSame(process, found.process))
    .map(({ signal: { name, count }, ...sign }) => ({ ...sign, name, count }));
}
