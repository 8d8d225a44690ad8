import type { QueueWait, WaitBin } from '@joblens/core/analytics/queue-waits';
import type { Usage } from '@joblens/core/analytics/usage';
import { NS_PER_MS } from '@joblens/core/numbers/time-units';
import { isWastedState } from '@joblens/core/words/states';
import { formatDuration } from '@joblens/core/words/duration';
import { type Column, createTimeColumn } from '../shell/column.js';

export function msToNs(timeMs: number): bigint {
  return BigInt(Math.round(timeMs)) * NS_PER_MS;
}

/** A number with two decimals at most. */
export function formatAmount(amount: number): string {
  return String(Math.round(amount * 100) / 100);
}

function createSpanColumn<Row>(name: string, head: string, seconds: (row: Row) => number): Column<Row> {
  return {
    name,
    head,
    value: (row) => seconds(row),
    shown: (row) => formatDuration(seconds(row) * 1000),
    align: 'right',
  };
}

export const WAIT_COLUMNS: readonly Column<WaitBin>[] = [
  createTimeColumn('from', ({ fromMs }) => msToNs(fromMs)),
  { ...createTimeColumn<WaitBin>('to', ({ toMs }) => msToNs(toMs)), isDetail: true },
  { name: 'jobs', value: ({ count }) => count, align: 'right' },
  createSpanColumn('median_s', 'median', ({ medianS }) => medianS),
  createSpanColumn('p90_s', '90 %', ({ p90S }) => p90S),
  createSpanColumn('max_s', 'longest', ({ maxS }) => maxS),
  createSpanColumn('mean_s', 'mean', ({ meanS }) => meanS),
];

export const EACH_WAIT_COLUMNS: readonly Column<QueueWait>[] = [
  createTimeColumn('started', ({ timeMs }) => msToNs(timeMs)),
  { name: 'job', value: ({ job }) => job },
  { name: 'user', value: ({ user }) => user },
  createSpanColumn('wait_s', 'waited', ({ waitS }) => waitS),
];

type Hours = 'jobHours' | 'nodeHours' | 'coreHours' | 'gpuHours';
const HOURS = ['jobHours', 'nodeHours', 'coreHours', 'gpuHours'] as const;

function createHoursColumn(name: string, part: Hours, rest: Partial<Column<Usage>> = {}): Column<Usage> {
  return { name, value: (usage) => usage[part], shown: (usage) => formatAmount(usage[part]), align: 'right', ...rest };
}

export const USAGE_COLUMNS: readonly Column<Usage>[] = [
  { name: 'user', value: ({ user }) => user },
  { name: 'account', value: ({ account }) => account, isMinor: true },
  {
    name: 'state',
    value: ({ state }) => state,
    color: (usage) => (isWastedState(usage.state) ? 'red' : undefined),
  },
  { name: 'runs', value: ({ runs }) => runs, align: 'right' },
  createHoursColumn('node_hours', 'nodeHours'),
  createHoursColumn('core_hours', 'coreHours'),
  createHoursColumn('gpu_hours', 'gpuHours', {
    isMinor: true,
    shown: ({ gpuHours }) => (gpuHours === 0 ? '' : formatAmount(gpuHours)),
  }),
  createHoursColumn('job_hours', 'jobHours', { isDetail: true }),
  { name: 'wasted', value: (usage) => isWastedState(usage.state), isDetail: true },
];

/** The rows and their sum, for people. */
export function addTotal(usage: readonly Usage[]): readonly Usage[] {
  if (usage.length < 2) return usage;
  const sum = (part: Hours | 'runs'): number => usage.reduce((total, one) => total + one[part], 0);
  const hours = Object.fromEntries(HOURS.map((part) => [part, sum(part)])) as Record<Hours, number>;
  return [...usage, { user: 'total', state: '', runs: sum('runs'), ...hours }];
}
