import type { FindRequest, FoundJob } from '@joblens/core/queries/find-jobs';
import type { WalkSlot } from '@joblens/core/queries/walk-jobs';
import { HEARTBEAT_GRIDS } from '@joblens/core/schema/heartbeat-point';
import type { InfluxdbClient } from '../store/influxdb-client.js';
import { recallSlot, rememberSlot } from './slot-memory.js';

const HOUR_NS = 3_600_000_000_000n;
const REQUEST: FindRequest = { user: ['ann (a.b)'], fromNs: 0n, toNs: 10n * HOUR_NS };
const createSlot = (hour: bigint): WalkSlot => ({
  grid: HEARTBEAT_GRIDS[0],
  fromNs: hour * HOUR_NS,
  beforeNs: (hour + 1n) * HOUR_NS,
});
const createJobs = (count: number): readonly FoundJob[] =>
  Array.from({ length: count }, (_, i) => ({ job: `run-${i}.(x)`, user: 'ann (a.b)', fromNs: 0n, toNs: 1n }));

it('keeps the other slots when one is read again and again', () => {
  const context = { client: {} as InfluxdbClient, monotonicMs: 0 };
  const [few, many] = [createJobs(1), createJobs(60_000)];
  rememberSlot(createSlot(1n), REQUEST, few, context);
  for (let time = 0; time < 10; time++) rememberSlot(createSlot(2n), REQUEST, many, context);
  expect(recallSlot(createSlot(1n), REQUEST, context)).toBe(few);
  expect(recallSlot(createSlot(2n), REQUEST, context)).toBe(many);
});

it('gives all up when there are too many jobs', () => {
  const context = { client: {} as InfluxdbClient, monotonicMs: 0 };
  const many = createJobs(200_000);
  rememberSlot(createSlot(1n), REQUEST, many, context);
  rememberSlot(createSlot(2n), REQUEST, many, context);
  expect(recallSlot(createSlot(1n), REQUEST, context)).toBeUndefined();
  expect(recallSlot(createSlot(2n), REQUEST, context)).toBe(many);
});
