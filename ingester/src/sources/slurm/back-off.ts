/** How often Slurm is asked, unless the user says otherwise. */
export const DEFAULT_SLURM_INTERVAL_MS = 2000;
const MAX_BACK_OFF_MS = 60_000;

/** How long to wait after so many failures in a row. */
export function backOff(intervalMs: number, failures: number): number {
  return Math.min(intervalMs * 2 ** failures, MAX_BACK_OFF_MS);
}
