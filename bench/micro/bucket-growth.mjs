/**
 * How much the buckets of a long table add to a store: writes a table of 5 keys into InfluxDB without and with them,
 * lets it compact its files, and compares. `node bench/micro/bucket-growth.mjs [rows]`, after `npm run build`.
 */
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { argv, env } from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { formatPoint } from '../../core/dist/point/line-protocol.js';
import { createBucketPoints } from '../../core/dist/schema/bucket-point.js';
import { createMetadataPoints } from '../../core/dist/schema/metadata-point.js';
import { createSeriesName } from '../../core/dist/schema/series-name.js';
import { createBucketFold, foldIntoBuckets } from '../../core/dist/table/bucket-fold.js';
import { DATABASE, send, startInfluxdb } from '../influxdb.mjs';
import { fraction } from '../inputs.mjs';

const ROWS = Number(argv[2] ?? 1_000_000);
const REQUEST_BYTES = 4_000_000;
const SOURCE = { job: '1234567', user: 'ann' };
const FIRST_NS = 1_700_000_000_000_000_000n;
/** A row each 50 ms or so, never at equal distances. The ingester gives times in whole microseconds. */
const ROW_US = 50_000;
/** Growth that the schema promises (docs/schema.md). */
const LIMIT = 0.15;

/** Values as a training prints them: one counts, one falls slowly, three are noisy with different numbers of digits. */
function rowOf(i) {
  return {
    step: i,
    lr: 0.001 * Math.cos((i / ROWS) * 1.5),
    loss: Number(fraction(i, 7)) + 1 / (1 + i / 1000),
    grad_norm: Number(fraction(i + 5, 5)),
    throughput: 1000 + Math.floor(100 * Number(fraction(i + 9, 3))),
  };
}

/** The line protocol of the table, in requests. */
function* formatRequests(withBuckets) {
  const keys = Object.keys(rowOf(0));
  const series = createSeriesName(keys);
  const fold = createBucketFold(keys.length);
  let text = '';
  for (let i = 0; i < ROWS; i += 1) {
    const row = rowOf(i);
    const timeNs = FIRST_NS + 1000n * BigInt(Math.round((i + Number(fraction(i + 3, 9))) * ROW_US));
    const points = createMetadataPoints(SOURCE, series, new Map(Object.entries(row)), timeNs);
    const full = foldIntoBuckets(fold, Object.values(row), timeNs);
    if (withBuckets) points.push(...full.flatMap((bucket) => createBucketPoints(SOURCE, { series, keys }, bucket)));
    text += points.map((point) => `${formatPoint(point)}\n`).join('');
    if (text.length < REQUEST_BYTES && i < ROWS - 1) continue;
    yield text;
    text = '';
  }
}

/** The bytes of the files below a folder whose names end so. */
function sumBytes(folder, ending) {
  const files = readdirSync(folder, { recursive: true }).filter((name) => name.endsWith(ending));
  return files.reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
}

/** Waits until the log of writes is empty and the files do not change any more. */
async function untilCompacted(folder) {
  for (let before = -1, equal = 0; equal < 5;) {
    await sleep(2000);
    const size = sumBytes(folder, '.tsm');
    equal = size === before && size > 0 ? equal + 1 : 0;
    before = size;
  }
  return sumBytes(folder, '.tsm');
}

async function measure(withBuckets) {
  const folder = mkdtempSync(join(tmpdir(), 'joblens-growth-'));
  const store = await startInfluxdb(folder);
  try {
    let written = 0;
    for (const body of formatRequests(withBuckets)) {
      written += body.length;
      await send(store.url, `/write?db=${DATABASE}`, { method: 'POST', body });
    }
    return { written, stored: await untilCompacted(folder) };
  } finally {
    await store.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

// InfluxDB compacts files only after hours without a write.
env.INFLUXDB_DATA_CACHE_SNAPSHOT_WRITE_COLD_DURATION = '1s';
env.INFLUXDB_DATA_COMPACT_FULL_WRITE_COLD_DURATION = '1s';
const [without, having] = [await measure(false), await measure(true)];
const MB = 1e6;
for (const [name, part] of [
  ['line protocol', 'written'],
  ['InfluxDB on disk', 'stored'],
]) {
  const growth = having[part] / without[part] - 1;
  console.log(
    `${name}: ${(without[part] / MB).toFixed(1)} MB without buckets, ${(having[part] / MB).toFixed(1)} MB with them: +${(100 * growth).toFixed(1)} %` +
      (part === 'stored' ? ` (limit: ${100 * LIMIT} %, ${growth <= LIMIT ? 'met' : 'missed'})` : '')
  );
}
