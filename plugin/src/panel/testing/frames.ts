import { FieldType, toDataFrame, type DataFrame } from '@grafana/data';

type Row = Readonly<Record<string, unknown>>;

export interface MetadataFrameInput {
  readonly rows: readonly Row[];
  readonly job?: string;
  readonly user?: string;
  readonly task?: string;
  readonly series?: string;
  readonly name?: string;
  readonly timesMs?: readonly number[];
  readonly tsNs?: readonly string[];
  readonly totalRows?: number;
  readonly x?: { readonly key: string; readonly reason?: string; readonly runnersUp?: readonly string[] } | null;
}

function listKeys(rows: readonly Row[]): readonly string[] {
  return [...new Set(rows.flatMap((row) => Object.keys(row)))];
}

/** A table as the data source hands it out: rows oldest first, a second apart unless their times are given. */
export function createMetadataFrame(input: MetadataFrameInput): DataFrame {
  const { rows } = input;
  const keys = listKeys(rows);
  const timesMs = input.timesMs ?? rows.map((_, row) => 1000 * row);
  const fields = keys.map((key) => {
    const values = rows.map((row) => row[key] ?? null);
    return {
      name: key,
      type: values.some((value) => typeof value === 'number') ? FieldType.number : FieldType.string,
      values,
    };
  });
  const series = input.series ?? [...keys].sort().join(',');
  return toDataFrame({
    name: input.name ?? series,
    fields: [{ name: 'time', type: FieldType.time, values: [...timesMs] }, ...fields],
    meta: {
      preferredVisualisationType: 'graph',
      custom: {
        joblens: {
          kind: 'metadata',
          job: input.job ?? '7',
          user: input.user ?? 'ann',
          series,
          task: input.task,
          ...(input.x !== undefined && {
            x: input.x === null ? null : { rung: 1, reason: '', runnersUp: [], ...input.x },
          }),
          shownRows: rows.length,
          totalRows: input.totalRows ?? rows.length,
          tsNs: input.tsNs ?? timesMs.map((timeMs) => `${timeMs}000000`),
        },
      },
    },
  });
}

export interface LogRow {
  readonly text: string;
  readonly timeMs?: number;
  readonly tsNs?: string;
  readonly stream?: string;
  readonly kind?: string;
  readonly task?: string;
  readonly id?: string;
}

export function createLogFrame(
  rows: readonly LogRow[],
  meta: { limited?: boolean; total?: number; job?: string } = {}
): DataFrame {
  const timesMs = rows.map((row, index) => row.timeMs ?? 1000 * index);
  const tsNs = rows.map((row, index) => row.tsNs ?? `${timesMs[index] ?? 0}000000`);
  const strings = (name: string, values: readonly string[]) => ({ name, type: FieldType.string, values: [...values] });
  return toDataFrame({
    refId: 'A',
    fields: [
      { name: 'timestamp', type: FieldType.time, values: timesMs },
      strings(
        'body',
        rows.map((row) => row.text)
      ),
      strings(
        'severity',
        rows.map(() => '')
      ),
      strings(
        'id',
        rows.map((row, index) => row.id ?? `${tsNs[index] ?? ''}:${row.stream ?? 'stdout'}`)
      ),
      strings('tsNs', tsNs),
      strings(
        'stream',
        rows.map((row) => row.stream ?? 'stdout')
      ),
      strings(
        'kind',
        rows.map((row) => row.kind ?? 'output')
      ),
      strings(
        'task',
        rows.map((row) => row.task ?? '')
      ),
    ],
    meta: { preferredVisualisationType: 'logs', custom: { joblens: { kind: 'logs', job: meta.job ?? '7', ...meta } } },
  });
}
