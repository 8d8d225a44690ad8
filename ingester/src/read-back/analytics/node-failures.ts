import { foldNodeFailures, type NodeFailures } from '@joblens/core/analytics/node-failures';
import { readNodeJobs } from '@joblens/core/ask/why/read-node-failures';
import { DAY_MS, NS_PER_MS } from '@joblens/core/numbers/time-units';
import { type Column, createTimeColumn } from '../shell/column.js';
import { createTagTest } from '../shell/has-tags.js';
import { findRange, type PointInTime } from '../shell/point-in-time.js';
import type { Reading } from '../shell/reading.js';
import { runReading } from '../shell/run-reading.js';

interface NodeFailuresCommand {
  readonly user: readonly string[];
  /** `key=value` each. */
  readonly tag: readonly string[];
  readonly after: PointInTime | undefined;
  readonly before: PointInTime | undefined;
}

/** Prints the nodes on which failures add up. Returns the exit code. */
export async function printNodeFailures(reading: Reading, command: NodeFailuresCommand): Promise<number> {
  const range = findRange(command, reading.host.clock.nowMs(), DAY_MS);
  if (!range.ok) return reading.refuse(range.error);
  const request = { ...range.value, user: command.user, isWanted: createTagTest(command.tag) };
  const jobs = await runReading(reading.ask, readNodeJobs(request));
  if (!jobs.ok) return reading.fail(jobs.error);
  const nodes = foldNodeFailures(jobs.value);
  await reading.createPrinter(COLUMNS).print(nodes);
  if (nodes.length === 0) reading.report.info('no job failed on a node that is known');
  return 0;
}

const COLUMNS: ReadonlyArray<Column<NodeFailures>> = [
  { name: 'node', value: ({ node }) => node },
  { name: 'failures', value: ({ failures }) => failures, align: 'right' },
  { name: 'jobs', value: ({ jobs }) => jobs, align: 'right' },
  { name: 'share', value: ({ share }) => share, shown: ({ share }) => formatShare(share), align: 'right' },
  { name: 'at_least', value: ({ atLeast }) => atLeast, shown: ({ atLeast }) => formatShare(atLeast), align: 'right' },
  createTimeColumn('last', ({ lastMs }) => (lastMs === undefined ? undefined : BigInt(Math.round(lastMs)) * NS_PER_MS)),
  { name: 'reason', head: 'MOSTLY', value: ({ reason }) => reason, shrinks: true },
];

function formatShare(share: number): string {
  return `${Math.round(100 * share)} %`;
}
