import { formatPoint } from '@joblens/core/point/line-protocol';
import { createSpanPoint, type Span } from '@joblens/core/schema/span-point';
import { DEMO_NOW_MS } from './demo-data.js';

const OWNER = { job: '48213', user: 'ann' };
const WORKERS = ['tcp://10.0.0.7:41000', 'tcp://10.0.0.7:41001', 'tcp://10.0.0.8:41000', 'tcp://10.0.0.8:41001'];
const STEP_MS = 20_000;
const FROM_MS = DEMO_NOW_MS - 97 * 60_000;

/** Each worker loads, computes in parts and sends, again and again, and saves now and then. */
function createRound(worker: string, at: number, round: number): readonly Span[] {
  const startMs = FROM_MS + round * STEP_MS + at * 1700;
  const id = `${at}-${round}`;
  const span = (category: string, name: string, afterMs: number, durationMs: number | undefined): Span => ({
    ...{ ...OWNER, worker, category, name, id: `${id}-${name}`, durationMs },
    startNs: BigInt(Math.round((startMs + afterMs) * 1000)) * 1000n,
    data: { round, key: `('${name}-${id}', ${at})` },
  });
  const length = 9000 + ((round * 7 + at * 3) % 11) * 600;
  const isOpen = startMs + 2000 + length > DEMO_NOW_MS;
  return [
    span('io', 'load shard', 0, 2000),
    span('compute', 'train step', 2000, isOpen ? undefined : length),
    span('compute', 'forward', 2100, length * 0.4),
    span('compute', 'backward', 2200 + length * 0.42, length * 0.5),
    span('move', 'all-reduce', 2000 + length, 1500 + (round % 5) * 400),
    ...(round % 30 === 29 ? [span('io', 'save checkpoint', 4000, 14_000)] : []),
  ].filter(({ startNs }) => startNs < BigInt(DEMO_NOW_MS) * 1_000_000n);
}

/** What the running job of the demo did when, as line protocol. */
export function createDemoSpans(): string {
  const rounds = Math.ceil((DEMO_NOW_MS - FROM_MS) / STEP_MS);
  const spans = WORKERS.flatMap((worker, at) =>
    Array.from({ length: rounds }, (_, round) => createRound(worker, at, round)).flat()
  );
  return spans.map((span) => formatPoint(createSpanPoint(span))).join('\n');
}
