import { type DuckDBConnection, type DuckDBValue, listValue } from '@duckdb/node-api';
import type { SelectStatement } from '@joblens/core/influxql/nodes';
import { Catalog, type Database, type Measurement, type Series, formatSeriesKey } from '../kept/catalog.js';
import { appendRows } from '../kept/commit-batch.js';
import { type Field, type FieldType, columnOf } from '../kept/field.js';
import { MAX_SUBQUERY_CELLS, pointsError } from './values/limits.js';
import type { Cell, ResultBatch } from './values/result-batch.js';
import { createPointsTable } from '../kept/schema.js';
import { StatementError } from './values/statement-error.js';

/**
 * The inner SELECT as the outer one makes it: grouped by the outer one's tags too, and without empty buckets, which
 * would add nothing (query/subquery.go).
 */
export function inheritFrom(inner: SelectStatement, outer: SelectStatement): SelectStatement {
  if (inner.orderBy !== undefined && inner.orderBy !== (outer.orderBy ?? 'ASC')) {
    throw new StatementError('subqueries must be ordered in the same direction as the query itself');
  }
  const own = inner.groupBy?.dimensions ?? [];
  const outerDimensions = outer.groupBy?.dimensions ?? [];
  const isRaw = !inner.columns.some(({ expression }) => ['call', 'function', 'binary'].includes(expression.kind));
  const hasInterval = own.some(({ kind }) => kind === 'time');
  const inherited = outerDimensions.filter((dimension) => {
    if (dimension.kind === 'time') return !isRaw && !hasInterval;
    return dimension.kind === 'tag' && !own.some((known) => known.kind === 'tag' && known.name === dimension.name);
  });
  const dimensions = [...own, ...inherited];
  const { groupBy, ...rest } = inner;
  const ordered = outer.orderBy === undefined ? rest : { ...rest, orderBy: outer.orderBy };
  if (dimensions.length === 0) return ordered;
  const fill = groupBy?.fill === undefined || groupBy.fill === 'null' ? 'none' : groupBy.fill;
  return { ...ordered, groupBy: { dimensions, fill } };
}

/** What subqueries answer, as measurements of their own in temporary tables, which end with the connection. */
export class SubqueryAnswers {
  readonly #scratch = new Catalog();
  readonly #database: Database = this.#scratch.addDatabase('');
  readonly #connection: DuckDBConnection;
  readonly #createId: () => number;
  #cells = 0;

  /** `createId` gives ids that no table of the store has. */
  constructor(connection: DuckDBConnection, createId: () => number) {
    this.#connection = connection;
    this.#createId = createId;
  }

  get measurements(): Measurement[] {
    return [...this.#database.measurements.values()];
  }

  /** Takes the whole answer of one subquery. Throws a StatementError if it is too large to hold. */
  async add(batches: AsyncIterable<ResultBatch>): Promise<void> {
    const held = new Map<string, ResultBatch[]>();
    for await (const batch of batches) {
      this.#cells += batch.rows.length * batch.columns.length;
      if (this.#cells > MAX_SUBQUERY_CELLS) throw pointsError(this.#cells, MAX_SUBQUERY_CELLS);
      const { name = '' } = batch;
      const own = held.get(name);
      if (own) own.push(batch);
      else held.set(name, [batch]);
    }
    for (const [name, own] of held) await this.#store(name, own);
  }

  async #store(name: string, batches: readonly ResultBatch[]): Promise<void> {
    const measurement = this.#database.measurements.get(name) ?? (await this.#create(name));
    const types = typesOf(batches);
    const fields = new Map<string, Field>();
    for (const [column, type] of types) {
      fields.set(column, measurement.fields.get(column) ?? this.#scratch.addField(measurement, column, type));
    }
    const rows = batches.flatMap((batch) => {
      const series = this.#seriesOf(measurement, batch.tags ?? new Map<string, string>(), [...fields.values()]);
      const columns = batch.columns.map((column) => fields.get(column));
      return batch.rows.map((row) => storedRow(series, row, columns));
    });
    await appendRows(this.#connection, measurement.table, rows);
  }

  async #create(name: string): Promise<Measurement> {
    const id = this.#createId();
    const measurement = this.#scratch.addMeasurement(this.#database, name, { id, tableId: id });
    await createPointsTable(this.#connection, measurement.table, 'TEMPORARY');
    return measurement;
  }

  /** An absent tag and an empty one are the same. */
  #seriesOf(measurement: Measurement, tags: ReadonlyMap<string, string>, fields: readonly Field[]): Series {
    const present = new Map([...tags].filter(([, value]) => value !== ''));
    const series = measurement.series.get(formatSeriesKey(present)) ?? this.#scratch.addSeries(measurement, present);
    const added = fields.filter((field) => !series.layout.positions.has(field));
    if (added.length > 0) measurement.layouts.grow(series, added);
    return series;
  }
}

/** The type of each column that has a value; integers beside floats are floats. */
function typesOf(batches: readonly ResultBatch[]): ReadonlyMap<string, FieldType> {
  const types = new Map<string, FieldType>();
  for (const { columns, rows } of batches) {
    for (const row of rows) {
      for (let i = 1; i < columns.length; i += 1) {
        const type = typeOf(row[i]);
        const column = columns[i] ?? '';
        if (type === undefined) continue;
        if (!types.has(column) || type === 'float') types.set(column, type);
      }
    }
  }
  return types;
}

function typeOf(cell: Cell | undefined): FieldType | undefined {
  if (cell === null || cell === undefined) return undefined;
  if (typeof cell === 'number') return 'float';
  if (typeof cell === 'bigint') return 'integer';
  return typeof cell === 'string' ? 'string' : 'boolean';
}

function storedRow(series: Series, row: readonly Cell[], columns: readonly (Field | undefined)[]): DuckDBValue[] {
  const lists: Record<ReturnType<typeof columnOf>, DuckDBValue[]> = { floats: [], texts: [], integers: [] };
  columns.forEach((field, i) => {
    const cell = row[i];
    const position = field && series.layout.positions.get(field);
    if (!field || position === undefined || cell === null || cell === undefined) return;
    const list = lists[columnOf(field)];
    while (list.length < position) list.push(null);
    list[position - 1] = field.type === 'float' ? Number(cell) : typeof cell === 'boolean' ? BigInt(cell) : cell;
  });
  const [timeNs = null] = row;
  const [floats, texts, integers] = [lists.floats, lists.texts, lists.integers].map((list) =>
    list.length === 0 ? null : listValue(list)
  );
  return [series.id, timeNs, floats ?? null, texts ?? null, integers ?? null];
}
