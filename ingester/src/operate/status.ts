import type { Delivery } from '../delivery/delivery.js';

/** The state of a daemon, read anew for each request. */
export interface Status {
  readonly delivery: Pick<Delivery, 'queue' | 'sending' | 'counters'>;
  /** How many jobs are followed now. */
  readonly jobs: () => number;
  readonly monotonicMs: () => number;
}

export interface Health {
  readonly isHealthy: boolean;
  /** One line each. */
  readonly problems: readonly string[];
}

/** A daemon is healthy if it stores what it reads: the store takes points, and there is room for more. */
export function judgeHealth({ delivery }: Status): Health {
  const { queue, sending } = delivery;
  const problems = [
    ...(sending.isHealthy ? [] : [`points cannot be sent: ${sending.status.lastError ?? 'the store is away'}`]),
    ...(queue.diskFailure === undefined ? [] : [`the disk of the spool cannot be written (${queue.diskFailure})`]),
    ...(queue.fill < 1 || queue.relief === 'disk' ? [] : ['there is no room for more points: the spool is full']),
  ];
  return { isHealthy: problems.length === 0, problems };
}
