import { attempt, rethrow } from './attempt.js';
import type { EndFacts } from '../../rules/signals/job-signals.js';
import { readBytes, readMemory } from './tres.js';

const DELIMITER = '\x1f';
const FIELDS = ['JobIDRaw', 'State', 'MaxRSS', 'TRESUsageInTot', 'ReqMem', 'NNodes', 'Start', 'End'] as const;

/** What accounting knows about the end of a job and squeue does not. */
export interface AccountedEnd extends Pick<EndFacts, 'usedBytes' | 'requestedBytes'> {
  /** The user id of the one who cancelled it. */
  readonly cancelledByUid?: number;
}

/** A step of a job, or its script. */
interface Step {
  /** The highest peak of a task, and the sum of the peaks of all tasks. */
  readonly taskBytes: number;
  readonly totalBytes: number;
  readonly nodes: number;
  readonly startedS: number;
  readonly endedS: number;
}

/** The arguments with which sacct lists these jobs and their steps, in the form that parseEnds reads. */
export function endArgs(rawIds: readonly number[]): string[] {
  return [
    ...['--noheader', '--parsable2', `--delimiter=${DELIMITER}`],
    ...[`--jobs=${rawIds.join(',')}`, `--format=${FIELDS.join(',')}`],
  ];
}

/**
 * The facts of each job by its raw id. The memory is that on one node. `onFault` is told of records that this program
 * cannot read; they are left out.
 */
export function parseEnds(
  text: string,
  onFault: (error: unknown) => void = rethrow
): ReadonlyMap<number, AccountedEnd> {
  const jobs = new Map<number, { facts?: AccountedEnd; nodes: number; steps: Step[] }>();
  for (const line of text.split('\n')) {
    const [, rawId, step] = /^(\d+)(\.)?/.exec(line) ?? [];
    if (rawId === undefined) continue;
    const job = jobs.get(Number(rawId)) ?? { nodes: 1, steps: [] };
    jobs.set(Number(rawId), job);
    attempt(() => {
      const parts = line.split(DELIMITER);
      if (step !== undefined) job.steps.push(parseStep(parts));
      else [job.facts, job.nodes] = [parseJob(parts), readNodes(parts)];
    }, onFault);
  }
  return new Map(
    [...jobs].map(([rawId, { facts, nodes, steps }]) => {
      const usedBytes = attempt(() => findUsedBytes(steps, nodes), onFault) ?? 0;
      return [rawId, { ...facts, ...(usedBytes > 0 && { usedBytes }) }];
    })
  );
}

function parseJob([, state = '', , , reqMem = '', nodes = '']: readonly string[]): AccountedEnd {
  const uid = /^CANCELLED by (\d+)$/.exec(state)?.[1];
  const requestedBytes = readRequested(reqMem, Number(nodes) || 1);
  return {
    ...(uid !== undefined && { cancelledByUid: Number(uid) }),
    ...(requestedBytes !== undefined && { requestedBytes }),
  };
}

function parseStep(parts: readonly string[]): Step {
  const [, , maxRss = '', total = '', , , start = '', end = ''] = parts;
  const taskBytes = readBytes(maxRss) ?? 0;
  return {
    taskBytes,
    totalBytes: Math.max(taskBytes, readMemory(total) ?? 0),
    nodes: readNodes(parts),
    startedS: Number(start) || 0,
    // `Unknown` while it runs.
    endedS: Number(end) || Infinity,
  };
}

function readNodes([, , , , , nodes = '']: readonly string[]): number {
  return Number(nodes) || 1;
}

/**
 * The most memory that a job used on a node, as far as accounting tells: it has the peaks of tasks, not their nodes. So
 * the tasks of a step, and the steps at one time, count as spread evenly.
 */
function findUsedBytes(steps: readonly Step[], nodes: number): number {
  // At one second, ends come before starts.
  const changes = steps
    .flatMap(({ startedS, endedS, totalBytes }) => [
      { atS: startedS, bytes: totalBytes },
      { atS: endedS, bytes: -totalBytes },
    ])
    .sort((a, b) => a.atS - b.atS || a.bytes - b.bytes);
  let [together, most] = [0, 0];
  for (const { bytes } of changes) {
    together += bytes;
    most = Math.max(most, together / nodes);
  }
  const ofStep = (known: number, step: Step): number => Math.max(known, step.taskBytes, step.totalBytes / step.nodes);
  return Math.round(steps.reduce(ofStep, most));
}

/** On a node: older versions say so by an `n`, newer ones tell it for all nodes. Memory for a CPU is left out. */
function readRequested(text: string, nodes: number): number | undefined {
  const bytes = readBytes(text.replace(/n$/, ''));
  if (bytes === undefined || bytes === 0) return undefined;
  return text.endsWith('n') ? bytes : bytes / nodes;
}
