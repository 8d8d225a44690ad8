import { performance } from 'node:perf_hooks';
import { URLSearchParams } from 'node:url';
import { printStatements } from '../../core/dist/influxql/print.js';
import { readTables, tablesQuery } from '../../core/dist/ask/tables/tables.js';
import { readWholeTable } from '../../core/dist/ask/whole-table/whole-table.js';
import { DATABASE, findInfluxd, send, startInfluxdb } from '../influxdb.mjs';
import { measureServer } from '../process-cost.mjs';
import { readAll } from './shared/read-all.mjs';
import { FROM_MS, TABLE_KEYS, writeTable } from './shared/table.mjs';

const JOB = 'bare';
const RANGE = { fromNs: BigInt(FROM_MS) * 1_000_000n, toNs: BigInt(FROM_MS + 4 * 3600 * 1000) * 1_000_000n };
/** As the query type Metadata asks for one table. */
const MAX_PIECES = 16_000;

// A table with fewer rows than the short ones is read row by row.
export const bareTable = createCase('bare-table', 1_000_000, 100_000);
export const bareTableShort = createCase('bare-table-short', 100_000, 50_000);

function createCase(name, allRows, shortRows) {
  return {
    name,
    work: `the graph's pieces of ${allRows.toLocaleString('en')} rows of 5 keys without buckets in a real InfluxDB`,
    peer: 'its aggregates alone, sent again in one request',
    bar: { by: 'wall', timeAtMost: 1.2 },
    findMissing: () =>
      findInfluxd() === undefined ? 'not on PATH: influxd (sudo apt-get install influxdb)' : undefined,

    async prepare({ folder, isShort }) {
      const rows = isShort ? shortRows : allRows;
      const store = await startInfluxdb(folder);
      await writeTable(store.url, JOB, rows, { hasBuckets: false });
      const { aggregates, pieces } = await readPieces(store.url);
      if (aggregates.length === 0) throw new Error('no aggregate was asked for');
      return {
        amount: 1,
        unit: 'tables',
        measurePeer: () => measureServer(store.pid, () => time(() => ask(store.url, aggregates))),
        measureOurs: () => measureServer(store.pid, () => time(() => readPieces(store.url))),
        note: () => `${pieces.toLocaleString('en')} pieces, ${aggregates.length} statements that aggregate`,
        close: () => store.stop(),
      };
    },
  };
}

async function time(work) {
  const startMs = performance.now();
  await work();
  return { wallMs: performance.now() - startMs };
}

async function readPieces(url) {
  const aggregates = [];
  const [described] = await ask(url, [tablesQuery({ job: [JOB] })]);
  const [table] = readTables(described);
  const reading = readWholeTable({ table, keys: TABLE_KEYS, ...RANGE, maxPieces: MAX_PIECES });
  const { pieces } = await readAll(reading, (statements) => {
    aggregates.push(...statements.filter((statement) => printStatements([statement]).includes('max(')));
    return ask(url, statements);
  });
  return { aggregates, pieces: pieces.length };
}

async function ask(url, statements) {
  const body = new URLSearchParams({ q: printStatements(statements), db: DATABASE }).toString();
  const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
  return JSON.parse((await send(url, '/query', { method: 'POST', body, headers })).body).results;
}
