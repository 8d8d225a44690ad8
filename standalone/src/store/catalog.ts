import type { FieldValue } from '@joblens/core';

export type FieldType = 'float' | 'integer' | 'string' | 'boolean';

/** The list column of a points table in which values of a type stand; booleans are stored as 0 and 1. */
export type ValueColumn = 'floats' | 'texts' | 'integers';

const COLUMN_OF_TYPE: Readonly<Record<FieldType, ValueColumn>> = {
  float: 'floats',
  string: 'texts',
  integer: 'integers',
  boolean: 'integers',
};

export interface Field {
  readonly id: number;
  readonly name: string;
  readonly type: FieldType;
}

/**
 * Where the values of one series' fields stand in its list columns. A layout only ever grows at its end, so that rows
 * written before stay readable; equal layouts are one object.
 */
export class Layout {
  readonly #next = new Map<Field, Layout>();

  private constructor(
    readonly fields: readonly Field[],
    readonly positions: ReadonlyMap<Field, number>
  ) {}

  static createEmpty(): Layout {
    return new Layout([], new Map());
  }

  /** This layout with one more field. Positions count from 1, as DuckDB's list elements do. */
  with(field: Field): Layout {
    const known = this.#next.get(field);
    if (known) return known;
    const column = columnOf(field);
    const position = this.fields.filter((other) => columnOf(other) === column).length + 1;
    const grown = new Layout([...this.fields, field], new Map([...this.positions, [field, position]]));
    this.#next.set(field, grown);
    return grown;
  }
}

export interface Series {
  readonly id: number;
  readonly tags: ReadonlyMap<string, string>;
  layout: Layout;
  /** Time of its newest stored point; what is newer cannot be a rewrite. */
  newestNs: bigint;
}

export interface Measurement {
  readonly id: number;
  readonly name: string;
  readonly fields: Map<string, Field>;
  /** By series key (tags as formatSeriesKey prints them). */
  readonly series: Map<string, Series>;
  readonly seriesById: Map<number, Series>;
  /** Tag key → tag value → the series that have it. */
  readonly tagIndex: Map<string, Map<string, Series[]>>;
  readonly emptyLayout: Layout;
  /** Rows replaced since the table was last written anew. */
  deadRows: number;
  /** False until each series' newestNs was read from the table. */
  hasNewest: boolean;
  /** False until the commit that creates its table. */
  isStored: boolean;
}

export interface Database {
  readonly id: number;
  readonly name: string;
  readonly measurements: Map<string, Measurement>;
}

/** What the store knows of its databases beside the points; held in memory and written with the points of each commit. */
export class Catalog {
  readonly databases = new Map<string, Database>();
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

  addMeasurement(database: Database, name: string, id = this.createId(), isStored = false): Measurement {
    this.#lastId = Math.max(this.#lastId, id);
    const measurement: Measurement = {
      id,
      name,
      fields: new Map(),
      series: new Map(),
      seriesById: new Map(),
      tagIndex: new Map(),
      emptyLayout: Layout.createEmpty(),
      deadRows: 0,
      hasNewest: !isStored,
      isStored,
    };
    database.measurements.set(name, measurement);
    return measurement;
  }

  addField(measurement: Measurement, name: string, type: FieldType, id = this.createId()): Field {
    this.#lastId = Math.max(this.#lastId, id);
    const field = { id, name, type };
    measurement.fields.set(name, field);
    return field;
  }

  addSeries(measurement: Measurement, tags: ReadonlyMap<string, string>, id = this.createId()): Series {
    this.#lastId = Math.max(this.#lastId, id);
    const series: Series = { id, tags, layout: measurement.emptyLayout, newestNs: OLDEST_NS };
    measurement.series.set(formatSeriesKey(tags), series);
    measurement.seriesById.set(id, series);
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

/** Before every time that InfluxDB takes. */
export const OLDEST_NS = -(2n ** 63n);

export function columnOf(field: Pick<Field, 'type'>): ValueColumn {
  return COLUMN_OF_TYPE[field.type];
}

export function fieldTypeOf(value: FieldValue): FieldType {
  if (typeof value === 'number') return 'float';
  if (typeof value === 'bigint') return 'integer';
  return typeof value === 'string' ? 'string' : 'boolean';
}

/** One text for each tag set, whatever the order of its tags. No tag can hold a newline, so that it separates. */
export function formatSeriesKey(tags: ReadonlyMap<string, string>): string {
  let key = '';
  for (const name of [...tags.keys()].sort()) key += `${name}\n${tags.get(name) ?? ''}\n`;
  return key;
}

/** The table that holds a measurement's points. */
export function pointsTableOf(measurement: Measurement): string {
  return `points_${measurement.id}`;
}
