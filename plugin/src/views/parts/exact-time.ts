import { formatRfc3339Nano } from '@joblens/core/point/timestamp';

/** All nine digits of a time in nanoseconds, as InfluxDB prints it. */
export function formatExactTime(timeNs: string): string {
  return /^-?\d+$/.test(timeNs) ? formatRfc3339Nano(BigInt(timeNs)) : timeNs;
}
