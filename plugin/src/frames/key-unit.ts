import { isUsageKey } from '@joblens/core/ask/tables/job-usage';

const BYTES = /(?:^|[^a-z])bytes$/i;
const BYTE_RATE = /(?:^|[^a-z])bytes_per_s$/i;

/** Grafana's unit of a key that names it: bytes, and the percentages among the metrics. Others are plain numbers. */
export function findKeyUnit(key: string): string | undefined {
  if (BYTES.test(key)) return 'bytes';
  if (BYTE_RATE.test(key)) return 'binBps';
  return isUsageKey(key) && key.endsWith('_percent') ? 'percent' : undefined;
}
