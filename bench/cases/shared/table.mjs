// A table of metadata in InfluxDB, with its buckets unless told otherwise, as the ingester writes it.
import {
  createBucketFold,
  createBucketFormatter,
  createMetadataPoints,
  createSeriesName,
  createSeriesPoint,
  createTableStats,
  foldIntoBuckets,
  foldRow,
  formatPoint,
} from '../../../core/dist/index.js';
import { DATABASE, send } from '../../influxdb.mjs';

export const FROM_MS = 1_700_000_000_000;
export const TABLE_KEYS = ['step', 'loss', 'grad_norm', 'lr', 'throughput'];
const MS_A_ROW = 10;
const ROWS_A_REQUEST = 20_000;

/** The job's rows, one each 10 ms from FROM_MS on. */
export async function writeTable(url, job, rows, { hasBuckets = true } = {}) {
  const source = { job, user: 'bench' };
  const series = createSeriesName(TABLE_KEYS);
  const fold = createBucketFold(TABLE_KEYS.length);
  const formatter = createBucketFormatter(source, { series, keys: TABLE_KEYS });
  const stats = createTableStats();
  for (let from = 0; from < rows; from += ROWS_A_REQUEST) {
    let text = '';
    for (let at = from; at < Math.min(rows, from + ROWS_A_REQUEST); at++) {
      const row = createRow(at);
      const timeNs = BigInt(FROM_MS + at * MS_A_ROW) * 1_000_000n;
      foldRow(stats, row);
      for (const point of createMetadataPoints(source, series, row, timeNs)) text += `${formatPoint(point)}\n`;
      const buckets = hasBuckets ? foldIntoBuckets(fold, [...row.values()], timeNs) : [];
      for (const bucket of buckets) text += formatter.format(bucket).text;
    }
    await write(url, text);
  }
  const timeNs = BigInt(FROM_MS) * 1_000_000n;
  await write(
    url,
    formatPoint(createSeriesPoint(source, { series, keys: TABLE_KEYS, stats, x: 'step', rows, timeNs }))
  );
}

function createRow(at) {
  const values = [at, 1 / (1 + at / 1e4) + Math.sin(at) / 50, (at % 17) / 10, 0.001, 1000 + Math.sin(at / 5000)];
  return new Map(TABLE_KEYS.map((key, column) => [key, values[column]]));
}

const write = (url, body) => send(url, `/write?db=${DATABASE}&precision=ns`, { method: 'POST', body });
