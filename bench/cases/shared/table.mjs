// A table of metadata in InfluxDB, with its buckets unless told otherwise, as the ingester writes it.
import { formatPoint } from '../../../core/dist/point/line-protocol.js';
import { createBucketFormatter } from '../../../core/dist/schema/bucket-point.js';
import { createMetadataPoints, createSeriesPoint } from '../../../core/dist/schema/metadata-point.js';
import { createSeriesName } from '../../../core/dist/schema/series-name.js';
import { createBucketFold, foldIntoBuckets } from '../../../core/dist/table/bucket-fold.js';
import { createTableStats, foldRow } from '../../../core/dist/table/table-stats.js';
import { DATABASE, send } from '../../influxdb.mjs';

export const FROM_MS = 1_700_000_000_000;
export const TABLE_KEYS = ['step', 'loss', 'grad_norm', 'lr', 'throughput'];
export const MS_A_ROW = 10;
const ROWS_A_REQUEST = 20_000;

/** The job's rows, one each 10 ms from FROM_MS on. */
export async function writeTable(url, job, rows, options) {
  await createTableWriter(url, job, options).write(rows);
}

/**
 * For the rows of a job that prints them one after the other.
 * @returns {{ write: (rows: number) => Promise<void> }} the next rows; `timeOfMs` says when each is printed
 */
export function createTableWriter(url, job, { hasBuckets = true, timeOfMs = (at) => FROM_MS + at * MS_A_ROW } = {}) {
  const source = { job, user: 'bench' };
  const series = createSeriesName(TABLE_KEYS);
  const fold = createBucketFold(TABLE_KEYS.length);
  const formatter = createBucketFormatter(source, { series, keys: TABLE_KEYS });
  const stats = createTableStats();
  const timeNs = toNs(timeOfMs(0));
  let written = 0;
  const format = (at) => {
    const row = createRow(at);
    const rowNs = toNs(timeOfMs(at));
    foldRow(stats, row);
    const points = createMetadataPoints(source, series, row, rowNs).map((point) => `${formatPoint(point)}\n`);
    const buckets = hasBuckets ? foldIntoBuckets(fold, [...row.values()], rowNs) : [];
    return [...points, ...buckets.map((bucket) => formatter.format(bucket).text)].join('');
  };
  return {
    async write(rows) {
      for (const end = written + rows; written < end;) {
        let text = '';
        const next = Math.min(end, written + ROWS_A_REQUEST);
        for (; written < next; written++) text += format(written);
        await write(url, text);
      }
      const summary = { series, keys: TABLE_KEYS, stats, x: 'step', rows: written, timeNs };
      await write(url, formatPoint(createSeriesPoint(source, summary)));
    },
  };
}

function createRow(at) {
  const values = [at, 1 / (1 + at / 1e4) + Math.sin(at) / 50, (at % 17) / 10, 0.001, 1000 + Math.sin(at / 5000)];
  return new Map(TABLE_KEYS.map((key, column) => [key, values[column]]));
}

const toNs = (ms) => BigInt(ms) * 1_000_000n;

const write = (url, body) => send(url, `/write?db=${DATABASE}&precision=ns`, { method: 'POST', body });
