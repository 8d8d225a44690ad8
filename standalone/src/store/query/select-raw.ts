import type { DuckDBConnection, DuckDBValue } from '@duckdb/node-api';
import type { Series } from '../kept/catalog.js';
import type { Field } from '../kept/field.js';
import { MAX_POINTS, countBatchRows, pointsError } from './values/limits.js';
import { PointsSource } from './points-source.js';
import type { Cell, ResultBatch } from './values/result-batch.js';
import type { GroupedSeries, SelectContext } from './select-groups.js';
import { resolveTarget } from './series-filter.js';
import type { RawPlan } from './select-plan.js';
import type { Sql } from '../kept/sql-text.js';

type OutputColumn = { readonly kind: 'field'; readonly index: number } | { readonly kind: 'tag'; readonly key: string };

interface RawSelection {
  readonly columns: readonly OutputColumn[];
  /** The fields to read, each once. */
  readonly fields: readonly Field[];
}

/** Number of columns before the fields in each row of the SQL below. */
const LEADING_COLUMNS = 3;

/** The points of one measurement, not aggregated. A row is a point that has at least one of the fields. */
export async function* selectRaw(
  connection: DuckDBConnection,
  plan: RawPlan,
  grouped: GroupedSeries,
  context: SelectContext
): AsyncGenerator<ResultBatch> {
  const { columns, fields } = resolveColumns(plan, grouped);
  const selected = grouped.selected.filter(({ series }) => fields.some((field) => series.layout.positions.has(field)));
  if (selected.length === 0) return;
  const sql = writeRawSql({ ...grouped, selected }, fields, context);
  const result = await connection.stream(sql.text, sql.values, sql.types);
  const batchRows = countBatchRows(columns.length + 1);
  let current: number | undefined;
  let points = 0;
  for await (const rows of result.yieldRows()) {
    points += rows.length;
    if (points > MAX_POINTS) throw pointsError(points, MAX_POINTS);
    for (const part of splitByGroup(rows, batchRows)) {
      const group = Number(part[0]?.[0]);
      const tags = grouped.groups[group];
      yield {
        name: grouped.measurement.name,
        ...(plan.tagDimensions.length > 0 && tags && { tags }),
        columns: ['time', ...plan.columns.map(({ name }) => name)],
        hasTime: true,
        rows: part.map((row) => shapeRow(row, columns, grouped.measurement.table.series)),
        isContinued: group === current,
      };
      current = group;
    }
  }
}

/** The SQL leaves out fields that no selected series has, because `SELECT *` names those of every job. */
function resolveColumns(plan: RawPlan, { measurement, selected }: GroupedSeries): RawSelection {
  const stored = new Set(selected.flatMap(({ series }) => series.layout.fields));
  const fields: Field[] = [];
  const columns = plan.columns.map(({ ref }): OutputColumn => {
    const target = resolveTarget(ref, measurement);
    if (target.kind === 'tag') return { kind: 'tag', key: target.key };
    if (!target.field || !stored.has(target.field)) return { kind: 'field', index: -1 };
    if (!fields.includes(target.field)) fields.push(target.field);
    return { kind: 'field', index: fields.indexOf(target.field) };
  });
  return { columns, fields };
}

function writeRawSql(grouped: GroupedSeries, fields: readonly Field[], context: SelectContext): Sql {
  const source = new PointsSource({ ...grouped, ...context });
  const values = fields.map((field) => source.value(field));
  const group = source.group();
  const hasGroups = new Set(grouped.selected.map((selected) => selected.group)).size > 1;
  const direction = context.isDescending ? 'DESC' : 'ASC';
  const order = [
    ...(hasGroups ? [`${group} ${direction}`] : []),
    `p.time ${direction}`,
    ...(grouped.selected.length > 1 ? [`p.series ${direction}`] : []),
  ].join(', ');
  const columns = values.map((value, i) => `${value} AS v${i}`).join(', ');
  const from = source.from([`(${values.map((value) => `${value} IS NOT NULL`).join(' OR ')})`]);
  const page = writePage(context, hasGroups ? group : undefined, direction);
  return source.parameters.toSql(
    `SELECT ${group} AS g, p.series, p.time, ${columns} ${from} ${page.qualify} ORDER BY ${order} ${page.limit}`
  );
}

/** LIMIT and OFFSET apply to each group separately. */
function writePage(
  { limit = 0, offset = 0 }: SelectContext,
  group: string | undefined,
  direction: string
): { readonly qualify: string; readonly limit: string } {
  if (limit === 0 && offset === 0) return { qualify: '', limit: '' };
  if (group === undefined) {
    return { qualify: '', limit: `${limit > 0 ? `LIMIT ${limit}` : ''} OFFSET ${offset}` };
  }
  const number = `row_number() OVER (PARTITION BY ${group} ORDER BY p.time ${direction}, p.series ${direction})`;
  const bounds = limit > 0 ? `BETWEEN ${offset + 1} AND ${offset + limit}` : `> ${offset}`;
  return { qualify: `QUALIFY ${number} ${bounds}`, limit: '' };
}

/** Parts with at most so many rows, each from one group. */
function* splitByGroup(rows: readonly DuckDBValue[][], maxRows: number): Generator<readonly DuckDBValue[][]> {
  let start = 0;
  for (let i = 1; i <= rows.length; i += 1) {
    if (i < rows.length && rows[i]?.[0] === rows[start]?.[0] && i - start < maxRows) continue;
    if (i > start) yield rows.slice(start, i);
    start = i;
  }
}

function shapeRow(
  row: readonly DuckDBValue[],
  columns: readonly OutputColumn[],
  seriesById: ReadonlyMap<number, Series>
): Cell[] {
  const [, seriesId, timeNs] = row;
  const tags = seriesById.get(Number(seriesId))?.tags;
  const cells = columns.map((column) =>
    column.kind === 'tag' ? (tags?.get(column.key) ?? null) : toCell(row[column.index + LEADING_COLUMNS], column.index)
  );
  return [timeNs as bigint, ...cells];
}

function toCell(value: DuckDBValue | undefined, index: number): Cell {
  return index < 0 || value === undefined ? null : (value as Cell);
}
