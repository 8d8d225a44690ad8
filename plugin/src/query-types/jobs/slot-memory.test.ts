import type { FindRequest, FoundJob } from '@joblens/core/ask/heartbeats/find-jobs';
import type { WalkSlot } from '@joblens/core/ask/jobs/walk-jobs';
import { HEARTBEAT_GRIDS } from '@joblens/core/schema/heartbeat-point';
import type { InfluxdbClient } from '../../store/influxdb-client.js';
import { createSlotMemory } from './slot-memory.js';

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
  const memory = createSlotMemory(REQUEST, { client: {} as InfluxdbClient, monotonicMs: 0 });
  const [few, many] = [createJobs(1), createJobs(60_000)];
  memory.remember(createSlot(1n), few);
  for (let time = 0; time < 10; time++) memory.remember(createSlot(2n), many);
  expect(memory.recall(createSlot(1n))).toBe(few);
  expect(memory.recall(createSlot(2n))).toBe(many);
});

it('gives all up when there are too many jobs', () => {
  const memory = createSlotMemory(REQUEST, { client: {} as InfluxdbClient, monotonicMs: 0 });
  const many = createJobs(200_000);
  memory.remember(createSlot(1n), many);
  memory.remember(createSlot(2n), many);
  expect(memory.recall(createSlot(1n))).toBeUndefined();
  expect(memory.recall(createSlot(2n))).toBe(many);
});
