import type { Clock } from '../clock/clock.js';
import { describeFileError, readErrorCode } from '../host/file-error.js';
import type { SystemRow, UsageSampler } from './usage-sampler.js';

interface UsageLoopOptions {
  readonly sampler: UsageSampler;
  readonly clock: Pick<Clock, 'sleep'>;
  readonly intervalMs: number;
  readonly addRow: (row: SystemRow) => void;
  /** Called when nobody can tell what is used now. The next row says it. */
  readonly onUnknown: (found: string) => void;
  /** Called once, after which nothing is sampled any more. */
  readonly onFault: (message: string) => void;
  /** Aborted at the end of the job. */
  readonly ended: AbortSignal;
}

/** The first row comes early, so that short jobs have one. Rates over less time say little. */
const FIRST_ROW_MS = 1000;

/** Adds rows until the job ends, and one for the rest. Never rejects. */
export async function sampleUsage(options: UsageLoopOptions): Promise<void> {
  const { sampler, clock, intervalMs, addRow, onUnknown, onFault, ended } = options;
  const addNext = (): void => {
    try {
      const row = sampler.take();
      if (row !== undefined) addRow(row);
    } catch (error) {
      if (readErrorCode(error) === undefined) throw error;
      onUnknown(describeFileError(error));
    }
  };
  try {
    await clock.sleep(Math.min(FIRST_ROW_MS, intervalMs), ended);
    while (!ended.aborted) {
      addNext();
      await clock.sleep(intervalMs, ended);
    }
    if (sampler.elapsedMs >= FIRST_ROW_MS) addNext();
  } catch (error) {
    onFault(error instanceof Error ? error.message : String(error));
  }
}
