import type { MetadataRow } from '../table/metadata-row.js';
import type { TableStats } from '../table/table-stats.js';
import { LOSS_NAN, formatLossNan } from './built-in-patterns.js';
import type { Signal } from './signal-detector.js';

const METRIC_NONFINITE = 'metric-nonfinite';

const NONFINITE: ReadonlySet<string> = new Set(['NaN', 'Infinity', '-Infinity']);
const MAX_KEY_CHARS = 100;
const LOSS_KEY = /[\w./]{0,40}loss(?:[/_]\w{1,20})?$/i;

/** A key that was finite in rows before, and is not finite in this one. */
export interface NonfiniteMetric {
  readonly key: string;
  /** `NaN`, `Infinity` or `-Infinity`. */
  readonly value: string;
}

/** The keys of a row that are no longer finite. `stats`: those of the rows before it. */
export function findNonfiniteMetrics(row: MetadataRow, stats: TableStats): NonfiniteMetric[] {
  const found: NonfiniteMetric[] = [];
  for (const [key, value] of row) {
    if (typeof value === 'number' || !NONFINITE.has(value)) {
      continue;
    }
    if ((stats.columns.get(key)?.numeric ?? 0) > 0) {
      found.push({ key, value });
    }
  }
  return found;
}

/** A loss that is not a number is the signal that a line of the log would be; anything else is a warning. */
export function createNonfiniteSignal({ key, value }: NonfiniteMetric): Signal {
  const loss = value === 'NaN' ? LOSS_KEY.exec(key)?.[0] : undefined;
  if (loss !== undefined) {
    return { name: LOSS_NAN, severity: 'error', weight: 'symptom', message: formatLossNan(loss) };
  }
  const name = key.length > MAX_KEY_CHARS ? `${key.slice(0, MAX_KEY_CHARS)}…` : key;
  return { name: METRIC_NONFINITE, severity: 'warning', weight: 'symptom', message: `${name} is ${value}` };
}
