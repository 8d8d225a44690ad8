import { groupBy } from '../lists/group-by.js';

/** A job that has ended on a node. */
export interface NodeJob {
  readonly node: string;
  readonly isFailed: boolean;
  /** When it ended, in milliseconds since the epoch. */
  readonly endedMs: number | undefined;
  /** Why it failed. */
  readonly reason?: string | undefined;
}

/** The jobs of one node. */
export interface NodeFailures {
  readonly node: string;
  readonly failures: number;
  /** All that went well or failed. */
  readonly jobs: number;
  readonly share: number;
  /** The share that is to be reckoned with at least: a node on which one of one failed is not the worst. */
  readonly atLeast: number;
  readonly lastMs: number | undefined;
  /** The most frequent reason; of equals, the newest. */
  readonly reason: string | undefined;
}

/** 95% of such intervals hold the true share. */
const Z = 1.959964;

/** The nodes on which jobs failed, those first where failures add up. */
export function foldNodeFailures(jobs: readonly NodeJob[]): readonly NodeFailures[] {
  return [...groupBy(jobs, ({ node }) => node)]
    .map(([node, ofNode]) => foldNode(node, ofNode))
    .filter(({ failures }) => failures > 0)
    .sort((a, b) => b.atLeast - a.atLeast || b.failures - a.failures || (a.node < b.node ? -1 : 1));
}

function foldNode(node: string, jobs: readonly NodeJob[]): NodeFailures {
  const failed = jobs.filter(({ isFailed }) => isFailed);
  const ends = failed.flatMap(({ endedMs }) => endedMs ?? []);
  return {
    ...{ node, failures: failed.length, jobs: jobs.length, share: failed.length / jobs.length },
    atLeast: findLeastShare(failed.length, jobs.length),
    lastMs: ends.length === 0 ? undefined : ends.reduce((a, b) => Math.max(a, b)),
    reason: findReason(failed),
  };
}

/** The lower end of Wilson's interval of a share, of `count` in `total`. */
export function findLeastShare(count: number, total: number): number {
  if (total === 0) return 0;
  const share = count / total;
  const spread = Z * Math.sqrt((share * (1 - share)) / total + Z ** 2 / (4 * total ** 2));
  return Math.max(0, (share + Z ** 2 / (2 * total) - spread) / (1 + Z ** 2 / total));
}

/** Reasons that differ in their numbers alone are one, in the words of the newest. */
function findReason(failed: readonly NodeJob[]): string | undefined {
  const counts = new Map<string, { count: number; newest: NodeJob }>();
  for (const job of failed) {
    if (job.reason === undefined) continue;
    const key = job.reason.replace(/0x[\da-f]+|\d+/gi, '#');
    const known = counts.get(key) ?? { count: 0, newest: job };
    const newest = (job.endedMs ?? 0) >= (known.newest.endedMs ?? 0) ? job : known.newest;
    counts.set(key, { count: known.count + 1, newest });
  }
  const found = [...counts.values()].sort(
    (a, b) => b.count - a.count || (b.newest.endedMs ?? 0) - (a.newest.endedMs ?? 0)
  );
  return found[0]?.newest.reason;
}
