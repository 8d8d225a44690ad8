import { formatCsvRow } from '@joblens/core/words/csv';
import type { GraphLine, GraphModel } from './graphs.js';
import type { Extent } from '../scales/scale.js';
import { smoothValues } from '../scales/smoothing.js';

interface CsvInput {
  readonly graph: GraphModel;
  /** The lines that are drawn. */
  readonly lines: readonly GraphLine[];
  /** The part of X that is drawn; undefined: all. */
  readonly xRange: Extent | undefined;
  readonly smoothing: number;
}

/** A drawn row: an X of some lines, and where each of them has its point there. */
interface CsvRow {
  readonly x: number;
  readonly timeMs: number;
  readonly indices: Map<readonly number[], number>;
}

/**
 * The rows of lines that may have different X values: points of one X are one row, also where X repeats, as its first
 * points, its second ones and so on. Rows are in print order where times tell, else by X.
 */
function joinRows(lines: readonly GraphLine[], isDrawn: (x: number) => boolean): readonly CsvRow[] {
  const rows = new Map<string, CsvRow>();
  const bases = new Map(lines.map((line) => [line.xs, line]));
  for (const { xs, timesMs } of bases.values()) {
    const seen = new Map<number, number>();
    xs.forEach((x, index) => {
      const turn = seen.get(x) ?? 0;
      seen.set(x, turn + 1);
      if (!isDrawn(x)) return;
      const key = `${x} ${turn}`;
      const row = rows.get(key) ?? {
        x,
        timeMs: timesMs?.[index] ?? NaN,
        indices: new Map<readonly number[], number>(),
      };
      rows.set(key, row);
      row.indices.set(xs, index);
    });
  }
  const joined = [...rows.values()];
  if (bases.size < 2) return joined;
  const hasTimes = joined.every(({ timeMs }) => !Number.isNaN(timeMs));
  return joined.sort((a, b) => (hasTimes ? a.timeMs - b.timeMs : a.x - b.x) || a.x - b.x);
}

interface CsvColumn {
  readonly name: string;
  readonly write: (row: CsvRow) => string;
}

/** A gap and a missing point are empty. */
function writeValue(value: number | undefined): string {
  return value === undefined || Number.isNaN(value) ? '' : String(value);
}

function createColumns(line: GraphLine, smoothing: number): readonly CsvColumn[] {
  const { unit } = line.column.field.config;
  const name = unit === undefined || unit === '' ? line.name : `${line.name} (${unit})`;
  const marks = new Map<number | undefined, string>(line.nonFinite.map(({ index, value }) => [index, String(value)]));
  const indexOf = (row: CsvRow): number => row.indices.get(line.xs) ?? -1;
  const printed: CsvColumn = {
    name,
    write: (row) => marks.get(indexOf(row)) ?? writeValue(line.ys[indexOf(row)]),
  };
  const { band } = line;
  const [low, high] = band?.ends ?? ['min', 'max'];
  const ends: readonly CsvColumn[] =
    band === undefined
      ? []
      : [
          { name: `${name} ${low}`, write: (row) => writeValue(band.mins[indexOf(row)]) },
          { name: `${name} ${high}`, write: (row) => writeValue(band.maxes[indexOf(row)]) },
        ];
  if (smoothing === 0) return [printed, ...ends];
  const smooth = smoothValues(line.xs, line.ys, smoothing);
  return [
    printed,
    ...ends,
    { name: `${name} smoothed ${smoothing}`, write: (row) => writeValue(smooth[indexOf(row)]) },
  ];
}

/** The X column: its name, and how it is written. */
function createXColumn({ xKind, xKey }: GraphModel): { readonly name: string; readonly write: (x: number) => string } {
  if (xKind === 'time') return { name: 'time', write: (x) => new Date(x).toISOString() };
  if (xKind === 'relative') return { name: 'relative time (s)', write: (x) => String(x / 1000) };
  return { name: xKey ?? 'row', write: String };
}

/**
 * What is drawn as CSV: X first, then each line as it was printed, with the lowest and the highest number where a point
 * is the mean of many, and as it was smoothed, if it was. A value that was
 * printed as NaN or infinite is written so. Times are ISO 8601.
 */
export function createGraphCsv({ graph, lines, xRange, smoothing }: CsvInput): string {
  const x = createXColumn(graph);
  const columns = lines.flatMap((line) => createColumns(line, smoothing));
  const body = joinRows(lines, (at) => xRange === undefined || (at >= xRange.min && at <= xRange.max))
    .map((row) => ({ row, cells: columns.map((column) => column.write(row)) }))
    .filter(({ cells }) => cells.some((cell) => cell !== ''))
    .map(({ row, cells }) => formatCsvRow([x.write(row.x), ...cells]));
  return [formatCsvRow([x.name, ...columns.map(({ name }) => name)]), ...body, ''].join('\r\n');
}

/** The jobs of a graph, in a few words. */
export function nameJobs({ tables }: Pick<GraphModel, 'tables'>): string {
  const jobs = [...new Set(tables.flatMap(({ job }) => job ?? []))];
  return jobs.length > 3 ? `${jobs.length} jobs` : jobs.join(' + ');
}

/** A file's name that says the jobs and X: `alpha-12_3-loss-by-epoch.csv`. */
export function createFileName(graph: GraphModel, extension: string): string {
  const { xKey, xKind } = graph;
  const safe = (text: string): string => text.replace(/[^\p{L}\p{N}._+-]+/gu, '-').replace(/^[-.]+/, '');
  return `${safe(nameJobs(graph).replaceAll(' + ', '+')) || 'graph'}-by-${safe(xKey ?? xKind) || 'x'}.${extension}`;
}
