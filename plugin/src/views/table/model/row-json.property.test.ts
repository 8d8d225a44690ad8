import { parsePrintedRow } from '@joblens/core/metadata/parse-metadata';
import { readTables, type TableSummary } from '@joblens/core/ask/tables/tables';
import { createSeriesPoint } from '@joblens/core/schema/metadata-point';
import { createTableStats, foldRow } from '@joblens/core/table/table-stats';
import fc from 'fast-check';
import { createMetadataFrame } from '../../../query-types/metadata/metadata-frames.js';
import { createTables } from '../../parts/components/tables.js';
import { formatRows } from './export-rows.js';

interface PrintedTables {
  readonly printedTable: fc.Arbitrary<readonly string[]>;
}

// The repository's own test helpers belong to another TypeScript project.
const { printedTable } = jest.requireActual<PrintedTables>('../../../../../test/printed-tables');

/** What the reader finds of the table of these lines. */
function readTable(lines: readonly string[]) {
  const printed = lines.flatMap((line) => parsePrintedRow(line, { nonfinite: 'log' }) ?? []);
  const stats = createTableStats();
  for (const { row, jsonKeys } of printed) foldRow(stats, row, jsonKeys);
  const [source, keys] = [{ job: '7', user: 'ann' }, [...stats.columns.keys()]];
  const paths = printed[0]?.paths ?? new Map();
  const summary = { series: 'x', keys, stats, x: undefined, rows: lines.length, paths, timeNs: 0n };
  const { fields } = createSeriesPoint(source, summary);
  const columns = ['time', ...fields.keys()];
  const values = [['1970-01-01T00:00:00Z', ...(fields.values() as Iterable<string | number>)]];
  const series = [{ name: 'job_series', tags: { ...source, series: 'x', task: '' }, columns, values }];
  const [table] = readTables({ statement_id: 0, series });
  const records = printed.map(({ row }, at) => ({ timeNs: BigInt(at), values: row }));
  return { table: table as TableSummary, records };
}

it('writes rows as the JSON lines that were printed, whatever the fields of the frame are', () => {
  fc.assert(
    // Grafana gives a field without a name one of its own.
    fc.property(
      printedTable.filter((lines) => !lines.join().includes('"":')),
      (lines) => {
        const { table, records } = readTable(lines);
        const frame = createMetadataFrame({
          ...{ refId: 'A', table, keys: table.keys, records, isLimited: false },
          ...{ jobPrefix: '', executedQuery: '' },
        });
        const [shown] = createTables([frame]);
        if (shown === undefined) throw new Error('no table');
        const texts = formatRows('jsonl', shown, shown.columns, [...lines.keys()]);
        expect(texts).toEqual(lines.map((line) => `${line}\n`));
      }
    )
  );
});
