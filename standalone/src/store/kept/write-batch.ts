import type { FieldValue, Point } from '@joblens/core/point/point';
import {
  type Catalog,
  type Database,
  formatSeriesKey,
  type Measurement,
  type PointsTable,
  type Series,
} from './catalog.js';
import { columnOf, type Field, fieldTypeOf } from './field.js';

/** The values of one stored row, by position in its series' layout. Newer rows may have longer lists. */
export interface RowValues {
  floats: (number | null)[];
  texts: (string | null)[];
  integers: (bigint | null)[];
}

export interface PendingRow extends RowValues {
  readonly series: Series;
  readonly timeNs: bigint;
}

/** States that are kept with points, by their keys; null removes one. */
export type KeptStates = ReadonlyMap<string, string | null>;

export interface DroppedPoints {
  readonly count: number;
  /** Why the first of them was dropped, in InfluxDB's words. */
  readonly reason: string;
}

/** Longer lists would cost more than they are worth. InfluxDB 3 stops at 500 columns per table. */
const MAX_FIELDS_PER_SERIES = 4096;

/** InfluxDB's own limit. Each series takes about a kilobyte of memory. */
const MAX_SERIES = 1_000_000;

/** The rows of one commit. Points of the same series and time are one row, in which later fields win. */
export class WriteBatch {
  readonly rows = new Map<PointsTable, Map<Series, Map<bigint, PendingRow>>>();
  readonly newMeasurements: { readonly database: Database; readonly measurement: Measurement }[] = [];
  readonly newFields: { readonly measurement: Measurement; readonly field: Field }[] = [];
  /** New series, and series whose layout grew. */
  readonly changedSeries = new Map<Series, { readonly measurement: Measurement; readonly isNew: boolean }>();

  /** What is kept beside the points, by database and key; null removes it. */
  readonly states = new Map<Database, Map<string, string | null>>();

  readonly #catalog: Catalog;
  readonly #maxSeries: number;

  constructor(catalog: Catalog, maxSeries = MAX_SERIES) {
    this.#catalog = catalog;
    this.#maxSeries = maxSeries;
  }

  keep(database: Database, states: KeptStates): void {
    this.states.set(database, new Map([...(this.states.get(database) ?? []), ...states]));
  }

  /** Adds the points that fit the schema. Like InfluxDB, it counts the others and writes the rest all the same. */
  add(database: Database, points: readonly Point[]): DroppedPoints | undefined {
    let count = 0;
    let reason: string | undefined;
    for (const point of points) {
      const fault = this.#addPoint(database, point);
      if (fault === undefined) continue;
      count += 1;
      reason ??= fault;
    }
    return reason === undefined ? undefined : { count, reason };
  }

  #addPoint(database: Database, point: Point): string | undefined {
    const fault = findFault(point) ?? this.#findTypeConflict(database, point) ?? this.#findLimit(database, point);
    if (fault !== undefined) return fault;
    const measurement = this.#measurementOf(database, point.measurement);
    const series = this.#seriesOf(measurement, point.tags);
    const fields = this.#fieldsOf(measurement, point);
    const newFields = fields.flatMap(([field]) => (series.layout.positions.has(field) ? [] : [field]));
    if (series.layout.fields.length + newFields.length > MAX_FIELDS_PER_SERIES) {
      return `max-fields-per-series limit exceeded (${MAX_FIELDS_PER_SERIES}): measurement="${point.measurement}"`;
    }
    if (newFields.length > 0) this.#growLayout(measurement, series, newFields);
    setValues(this.#rowOf(measurement.table, series, point.timeNs), fields);
    return undefined;
  }

  #findTypeConflict(database: Database, point: Point): string | undefined {
    const known = database.measurements.get(point.measurement)?.fields;
    if (!known) return undefined;
    for (const [name, value] of point.fields) {
      const field = known.get(name);
      const type = fieldTypeOf(value);
      if (field && field.type !== type) {
        return `field type conflict: input field "${name}" on measurement "${point.measurement}" is type ${type}, already exists as type ${field.type}`;
      }
    }
    return undefined;
  }

  #findLimit(database: Database, point: Point): string | undefined {
    if (this.#catalog.seriesCount < this.#maxSeries) return undefined;
    const isKnown = database.measurements.get(point.measurement)?.series.has(formatSeriesKey(point.tags)) === true;
    return isKnown ? undefined : `max-series-per-database limit exceeded: (${this.#maxSeries})`;
  }

  #measurementOf(database: Database, name: string): Measurement {
    const known = database.measurements.get(name);
    if (known) return known;
    const measurement = this.#catalog.addMeasurement(database, name);
    this.newMeasurements.push({ database, measurement });
    return measurement;
  }

  #seriesOf(measurement: Measurement, tags: ReadonlyMap<string, string>): Series {
    const known = measurement.series.get(formatSeriesKey(tags));
    if (known) return known;
    const sorted = new Map([...tags].sort(([a], [b]) => (a < b ? -1 : 1)));
    const series = this.#catalog.addSeries(measurement, sorted);
    this.changedSeries.set(series, { measurement, isNew: true });
    return series;
  }

  #fieldsOf(measurement: Measurement, point: Point): [Field, FieldValue][] {
    const fields: [Field, FieldValue][] = [];
    for (const [name, value] of point.fields) {
      if (name === 'time') continue;
      let field = measurement.fields.get(name);
      if (!field) {
        field = this.#catalog.addField(measurement, name, fieldTypeOf(value));
        this.newFields.push({ measurement, field });
      }
      fields.push([field, value]);
    }
    return fields;
  }

  #growLayout(measurement: Measurement, series: Series, fields: readonly Field[]): void {
    measurement.layouts.grow(series, fields);
    if (!this.changedSeries.has(series)) this.changedSeries.set(series, { measurement, isNew: false });
  }

  #rowOf(table: PointsTable, series: Series, timeNs: bigint): PendingRow {
    const ofTable = this.rows.get(table) ?? new Map<Series, Map<bigint, PendingRow>>();
    this.rows.set(table, ofTable);
    const ofSeries = ofTable.get(series) ?? new Map<bigint, PendingRow>();
    ofTable.set(series, ofSeries);
    let row = ofSeries.get(timeNs);
    if (!row) ofSeries.set(timeNs, (row = { series, timeNs, floats: [], texts: [], integers: [] }));
    return row;
  }
}

function findFault(point: Point): string | undefined {
  if (point.tags.has('time')) {
    return `invalid tag key: input tag "time" on measurement "${point.measurement}" is invalid`;
  }
  if (point.fields.has('time') && point.fields.size === 1) {
    return `invalid field name: input field "time" on measurement "${point.measurement}" is invalid`;
  }
  return undefined;
}

function setValues(row: PendingRow, fields: readonly [Field, FieldValue][]): void {
  const { positions } = row.series.layout;
  for (const [field, value] of fields) {
    const index = (positions.get(field) ?? 0) - 1;
    switch (typeof value) {
      case 'number':
        setAt(row.floats, index, value);
        break;
      case 'string':
        setAt(row.texts, index, value);
        break;
      default:
        setAt(row[columnOf(field)] as (bigint | null)[], index, BigInt(value));
    }
  }
}

/** Sets one element, and fills missing ones before it, because a list has no holes. */
function setAt<T>(list: (T | null)[], index: number, value: T): void {
  while (list.length < index) list.push(null);
  list[index] = value;
}

/** The row after writing `newer` over `older`: the union of their fields, in which the newer value wins. */
export function mergeRows(older: RowValues, newer: RowValues): RowValues {
  return {
    floats: mergeLists(older.floats, newer.floats),
    texts: mergeLists(older.texts, newer.texts),
    integers: mergeLists(older.integers, newer.integers),
  };
}

function mergeLists<T>(older: readonly (T | null)[], newer: readonly (T | null)[]): (T | null)[] {
  return Array.from({ length: Math.max(older.length, newer.length) }, (_, i) => newer[i] ?? older[i] ?? null);
}

/** Whether writing changed nothing. Then a replayed batch leaves no dead rows. */
export function isSameRow(a: RowValues, b: RowValues): boolean {
  return isSameList(a.floats, b.floats) && isSameList(a.texts, b.texts) && isSameList(a.integers, b.integers);
}

function isSameList<T>(a: readonly T[], b: readonly T[]): boolean {
  return a.length === b.length && a.every((value, i) => Object.is(value, b[i]));
}
