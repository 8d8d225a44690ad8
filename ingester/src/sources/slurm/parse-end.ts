import type { EndFacts } from '../../rules/job-signals.js';

const DELIMITER = '\x1f';
const FIELDS = ['JobIDRaw', 'State', 'MaxRSS', 'ReqMem', 'NNodes'] as const;
const UNITS = 'KMGTP';

/** What accounting knows about the end of a job and squeue does not. */
export interface AccountedEnd extends Pick<EndFacts, 'usedBytes' | 'requestedBytes'> {
  /** The user id of the one who cancelled it. */
  readonly cancelledByUid?: number;
}

/** The arguments with which sacct lists these jobs and their steps, in the form that parseEnds reads. */
export function endArgs(rawIds: readonly number[]): string[] {
  return [
    ...['--noheader', '--parsable2', `--delimiter=${DELIMITER}`],
    ...[`--jobs=${rawIds.join(',')}`, `--format=${FIELDS.join(',')}`],
  ];
}

/** The facts of each job by its raw id. The memory is that of the step whose largest task used most. */
export function parseEnds(text: string): ReadonlyMap<number, AccountedEnd> {
  const ends = new Map<number, AccountedEnd>();
  for (const line of text.split('\n')) {
    const rawId = Number(/^\d+/.exec(line)?.[0]);
    if (!Number.isInteger(rawId)) continue;
    const known = ends.get(rawId);
    const found = parseLine(line);
    const usedBytes = Math.max(known?.usedBytes ?? 0, found.usedBytes ?? 0);
    // The first line is that of the job, the others those of its steps.
    ends.set(rawId, { ...found, ...known, ...(usedBytes > 0 && { usedBytes }) });
  }
  return ends;
}

function parseLine(line: string): AccountedEnd {
  const [, state = '', maxRss = '', reqMem = '', nodes = ''] = line.split(DELIMITER);
  const uid = /^CANCELLED by (\d+)$/.exec(state)?.[1];
  const usedBytes = readBytes(maxRss);
  const requestedBytes = readRequested(reqMem, Number(nodes) || 1);
  return {
    ...(uid !== undefined && { cancelledByUid: Number(uid) }),
    ...(usedBytes !== undefined && { usedBytes }),
    ...(requestedBytes !== undefined && { requestedBytes }),
  };
}

/** `12688K`, `1.50G`, or plain bytes. */
function readBytes(text: string): number | undefined {
  const [, count, unit = ''] = /^(\d+(?:\.\d+)?)([KMGTP]?)$/.exec(text) ?? [];
  if (count === undefined) return undefined;
  return Math.round(Number(count) * 1024 ** (unit === '' ? 0 : UNITS.indexOf(unit) + 1));
}

/** On a node: older versions say so by an `n`, newer ones tell it for all nodes. Memory for a CPU is left out. */
function readRequested(text: string, nodes: number): number | undefined {
  const bytes = readBytes(text.replace(/n$/, ''));
  if (bytes === undefined || bytes === 0) return undefined;
  return text.endsWith('n') ? bytes : bytes / nodes;
}
