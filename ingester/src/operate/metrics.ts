import { collectDefaultMetrics, Counter, Gauge, Registry } from 'prom-client';
import type { Status } from './status.js';

type Read = (status: Status) => number;

/** Counters since the start of the process. */
const COUNTERS: readonly (readonly [name: string, help: string, read: Read])[] = [
  [
    'joblens_output_bytes_total',
    'Bytes of output read from jobs, or received.',
    ({ delivery }) => delivery.counters.outputBytes,
  ],
  [
    'joblens_output_lines_total',
    'Lines of output read from jobs, or received.',
    ({ delivery }) => delivery.counters.outputLines,
  ],
  ['joblens_points_queued_total', 'Points made of it.', ({ delivery }) => delivery.counters.queuedPoints],
  [
    'joblens_points_sent_total',
    'Points that the store has taken.',
    ({ delivery }) => delivery.sending.status.sentPoints,
  ],
  [
    'joblens_points_rejected_total',
    'Points that the store rejected.',
    ({ delivery }) => delivery.sending.rejectedPoints,
  ],
  ['joblens_points_dropped_total', 'Points that found no room.', ({ delivery }) => delivery.counters.droppedPoints],
  [
    'joblens_faults_total',
    'Lines or steps of jobs that could not be logged because of a fault of joblens.',
    ({ delivery }) => delivery.counters.faults,
  ],
  [
    'joblens_lines_invalid_total',
    'Received lines that are not valid points.',
    ({ delivery }) => delivery.counters.invalidLines,
  ],
  [
    'joblens_datagrams_lost_total',
    'Datagrams lost because they came too fast.',
    ({ delivery }) => delivery.counters.lostDatagrams,
  ],
  [
    'joblens_sent_bytes_total',
    'Bytes of line protocol that the store has taken.',
    ({ delivery }) => delivery.sending.status.sentBytes,
  ],
  ['joblens_requests_total', 'Requests to the store.', ({ delivery }) => delivery.sending.status.requests],
  ['joblens_retries_total', 'Requests that were sent again.', ({ delivery }) => delivery.sending.status.retries],
];

const GAUGES: typeof COUNTERS = [
  ['joblens_jobs', 'Jobs that are followed.', ({ jobs }) => jobs()],
  ['joblens_spool_points', 'Points that wait to be sent.', ({ delivery }) => delivery.queue.waitingPoints],
  [
    'joblens_spool_bytes',
    'Bytes of line protocol that wait to be sent.',
    ({ delivery }) => delivery.queue.waitingBytes,
  ],
  ['joblens_spool_fill_ratio', 'How full the spool is, 0 to 1.', ({ delivery }) => delivery.queue.fill],
  [
    'joblens_lag_seconds',
    'How long the oldest unsent points have waited.',
    ({ delivery, monotonicMs }) => delivery.counters.lagMs(delivery.queue.waitingPoints, monotonicMs()) / 1000,
  ],
  [
    'joblens_store_up',
    '1 when the store takes points, else 0.',
    ({ delivery }) => (delivery.sending.isHealthy ? 1 : 0),
  ],
];

/** Formats the state of this process as text for Prometheus. `contentType` is the type of that text. */
export function createMetrics(status: Status): { readonly contentType: string; format(): Promise<string> } {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  for (const [name, help, read] of COUNTERS) {
    const registers = [registry];
    new Counter({
      ...{ name, help, registers },
      collect() {
        this.reset();
        this.inc(read(status));
      },
    });
  }
  for (const [name, help, read] of GAUGES) {
    const registers = [registry];
    new Gauge({
      ...{ name, help, registers },
      collect() {
        this.set(read(status));
      },
    });
  }
  return {
    contentType: registry.contentType,
    // prom-client writes `Nan` for event loop times that it has not measured yet; the format wants `NaN`.
    format: async () => (await registry.metrics()).replace(/ Nan$/gm, ' NaN'),
  };
}
