import { ParquetWriter, fileWriter } from 'hyparquet-writer';
import type { ExportColumn } from './export-columns.js';
import type { PrintedRow } from './printed-rows.js';

type SchemaElement = ConstructorParameters<typeof ParquetWriter>[0]['schema'][number];

/** Rows and cells of one row group, which is in memory as a whole. */
const [GROUP_ROWS, GROUP_CELLS] = [20_000, 1_000_000];

export interface ParquetFile {
  write(rows: readonly PrintedRow[]): Promise<void>;
  finish(): Promise<void>;
}

/** Writes rows as Parquet: doubles, UTF-8 texts and times in nanoseconds, each optional. */
export function openParquetFile(path: string, columns: readonly ExportColumn[]): ParquetFile {
  const writer = new ParquetWriter({ writer: fileWriter(path), schema: createSchema(columns), createdBy: 'joblens' });
  const groupRows = Math.max(1, Math.min(GROUP_ROWS, Math.floor(GROUP_CELLS / columns.length)));
  let waiting: PrintedRow[] = [];

  const writeGroup = async (rows: readonly PrintedRow[]): Promise<void> => {
    const columnData = columns.map(({ name, kind, read }) => ({
      name,
      data: rows.map((row) => toCell(read(row), kind)),
    }));
    await writer.write({ columnData, rowGroupSize: groupRows });
  };
  return {
    async write(rows) {
      waiting.push(...rows);
      for (; waiting.length >= groupRows; waiting = waiting.slice(groupRows)) {
        await writeGroup(waiting.slice(0, groupRows));
      }
    },
    async finish() {
      if (waiting.length > 0) await writeGroup(waiting);
      await writer.finish();
    },
  };
}

function toCell(value: number | string | bigint | undefined, kind: ExportColumn['kind']): unknown {
  return kind === 'text' && typeof value === 'number' ? JSON.stringify(value) : value;
}

function createSchema(columns: readonly ExportColumn[]): SchemaElement[] {
  return [{ name: 'job', num_children: columns.length }, ...columns.map(createElement)];
}

function createElement({ name, kind }: ExportColumn): SchemaElement {
  const element = { name, repetition_type: 'OPTIONAL' } as const;
  switch (kind) {
    case 'number':
      return { ...element, type: 'DOUBLE' };
    case 'text':
      return { ...element, type: 'BYTE_ARRAY', converted_type: 'UTF8' };
    case 'time':
      return { ...element, type: 'INT64', logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'NANOS' } };
  }
}
