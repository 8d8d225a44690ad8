import type { Host } from '../../host/host.js';
import type { Reporter } from '../../host/report.js';

/**
 * Keeps faults of the logging away from the job: the first one is reported in one line and ends the logging, not the
 * job.
 */
export interface FaultGuard {
  readonly hasFailed: boolean;
  /** Does the task unless the logging has failed. Undefined when it failed. */
  attempt<T>(task: () => T | Promise<T>): Promise<T | undefined>;
  /** Calls it when the logging fails. */
  onFailure(listener: () => void): void;
  /** A fault from now on costs at most the end of the log. */
  jobHasEnded(): void;
  remove(): void;
}

/** Faults that nobody waits for (in a timer, in a socket) are caught too. */
export function createFaultGuard(host: Pick<Host, 'onFault'>, report: Reporter): FaultGuard {
  let hasFailed = false;
  let hasJobEnded = false;
  const listeners: (() => void)[] = [];
  const fail = (error: unknown): void => {
    if (hasFailed) return;
    hasFailed = true;
    const found = error instanceof Error ? error.message : String(error);
    report.error(
      hasJobEnded
        ? `the end of the log may be missing: ${found}; points that wait in the spool are sent by the next joblens, or by \`joblens drain\``
        : `the logging has failed; the job continues, and its output still passes through, but it is not logged any more: ${found}`
    );
    for (const tell of listeners) tell();
  };
  const remove = host.onFault(fail);
  return {
    get hasFailed() {
      return hasFailed;
    },
    async attempt(task) {
      if (hasFailed) return undefined;
      try {
        return await task();
      } catch (error) {
        fail(error);
        return undefined;
      }
    },
    onFailure: (listener) => void listeners.push(listener),
    jobHasEnded: () => void (hasJobEnded = true),
    remove,
  };
}
