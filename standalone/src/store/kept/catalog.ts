import type { Field, FieldType } from './field.js';
import { type Layout, Layouts } from './layout.js';

export interface Series {
  readonly id: number;
  readonly tags: ReadonlyMap<string, string>;
  layout: Layout;
  /** Time of its newest stored point. A newer point cannot be a rewrite. */
  newestNs: bigint;
}

/** A table in DuckDB that holds the points of one measurement, or of many (see MAX_OWN_TABLES). */
export interface PointsTable {
  readonly id: number;
  /** The series with points in it, by their ids. */
  readonly series: Map<number, Series>;
  /** Number of rows replaced since the table was last rewritten. */
  deadRows: number;
  /** False until each series' newestNs was read from the table. */
  hasNewest: boolean;
  /** False until the commit that creates it. */
  isStored: boolean;
}

export interface Measurement {
  readonly id: number;
  readonly name: string;
  readonly table: PointsTable;
  readonly fields: Map<string, Field>;
  /** By series key (tags as formatSeriesKey prints them). */
  readonly series: Map<string, Series>;
  /** Tag key → tag value → the series that have it. */
  readonly tagIndex: Map<string, Map<string, Series[]>>;
  readonly layouts: Layouts;
  /** False until the commit that creates it. */
  isStored: boolean;
}

export interface Database {
  readonly id: number;
  readonly name: string;
  readonly measurements: Map<string, Measurement>;
}

/**
 * The first measurements have a table each; all later ones share one, because a table costs DuckDB 200 KB of memory.
 */
export const MAX_OWN_TABLES = 100;
export const SHARED_TABLE_ID = 0;

/** The databases of the store without their points. Held in memory, and written with the points of each commit. */
export class Catalog {
  readonly databases = new Map<string, Database>();
  /** In all databases together. */
  seriesCount = 0;
  readonly #tables = new Map<number, PointsTable>();
  #lastId = 0;

  createId(): number {
    this.#lastId += 1;
    return this.#lastId;
  }

  addDatabase(name: string, id = this.createId()): Database {
    this.#lastId = Math.max(this.#lastId, id);
    const database = { id, name, measurements: new Map<string, Measurement>() };
    this.databases.set(name, database);
    return database;
  }

  /** @param stored its id and its table's id, if it comes from the file */
  addMeasurement(
    database: Database,
    name: string,
    stored?: { readonly id: number; readonly tableId: number }
  ): Measurement {
    const id = stored?.id ?? this.createId();
    this.#lastId = Math.max(this.#lastId, id);
    const measurement: Measurement = {
      id,
      name,
      table: this.#openTable(stored?.tableId ?? this.#chooseTable(id), stored !== undefined),
      fields: new Map(),
      series: new Map(),
      tagIndex: new Map(),
      layouts: new Layouts(),
      isStored: stored !== undefined,
    };
    database.measurements.set(name, measurement);
    return measurement;
  }

  #chooseTable(measurementId: number): number {
    return this.#tables.size < MAX_OWN_TABLES ? measurementId : SHARED_TABLE_ID;
  }

  #openTable(id: number, isStored: boolean): PointsTable {
    const known = this.#tables.get(id);
    if (known) return known;
    const table = { id, series: new Map<number, Series>(), deadRows: 0, hasNewest: !isStored, isStored };
    this.#tables.set(id, table);
    return table;
  }

  addField(measurement: Measurement, name: string, type: FieldType, id = this.createId()): Field {
    this.#lastId = Math.max(this.#lastId, id);
    const field = { id, name, type };
    measurement.fields.set(name, field);
    return field;
  }

  addSeries(measurement: Measurement, tags: ReadonlyMap<string, string>, id = this.createId()): Series {
    this.#lastId = Math.max(this.#lastId, id);
    const series: Series = { id, tags, layout: measurement.layouts.empty, newestNs: OLDEST_NS };
    measurement.series.set(formatSeriesKey(tags), series);
    measurement.table.series.set(id, series);
    this.seriesCount += 1;
    for (const [key, value] of tags) {
      const values = measurement.tagIndex.get(key) ?? new Map<string, Series[]>();
      measurement.tagIndex.set(key, values);
      const members = values.get(value);
      if (members) members.push(series);
      else values.set(value, [series]);
    }
    return series;
  }
}

/** Earlier than every time that InfluxDB accepts. */
const OLDEST_NS = -(2n ** 63n);

/**
 * One text for each tag set, whatever the order of its tags. No tag can hold a newline, so it serves as a separator.
 */
export function formatSeriesKey(tags: ReadonlyMap<string, string>): string {
  let key = '';
  for (const name of [...tags.keys()].sort()) key += `${name}\n${tags.get(name) ?? ''}\n`;
  return key;
}

/** A table's name in SQL. */
export function nameTable({ id }: Pick<PointsTable, 'id'>): string {
  return `points_${id}`;
}
