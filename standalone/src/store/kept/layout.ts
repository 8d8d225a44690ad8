import { columnOf, type Field, type ValueColumn } from './field.js';

/**
 * The positions of a series' fields in its list columns. A layout only grows at its end, so rows written before stay
 * readable.
 */
export interface Layout {
  readonly fields: readonly Field[];
  /** Positions count from 1, as DuckDB's list elements do. */
  readonly positions: ReadonlyMap<Field, number>;
}

interface SharedLayout extends Layout {
  /** Number of series that have it. */
  users: number;
}

interface HasLayout {
  layout: Layout;
}

const EMPTY: Layout = { fields: [], positions: new Map() };

/**
 * The layouts of one measurement. Jobs print alike, so equal layouts are one object. One that no series has is
 * forgotten.
 */
export class Layouts {
  readonly empty = EMPTY;
  readonly #byKey = new Map<string, SharedLayout>();

  /** Gives the series a layout that also has these fields. The series must not have them yet. */
  grow(series: HasLayout, added: readonly Field[]): void {
    const left = this.#byKey.get(keyOf(series.layout.fields));
    if (left) {
      left.users -= 1;
      if (left.users === 0) this.#byKey.delete(keyOf(left.fields));
    }
    const fields = [...series.layout.fields, ...added];
    const key = keyOf(fields);
    const shared = this.#byKey.get(key) ?? { fields, positions: positionsOf(fields), users: 0 };
    shared.users += 1;
    this.#byKey.set(key, shared);
    series.layout = shared;
  }
}

function keyOf(fields: readonly Field[]): string {
  return fields.map(({ id }) => id).join(' ');
}

function positionsOf(fields: readonly Field[]): ReadonlyMap<Field, number> {
  const filled: Record<ValueColumn, number> = { floats: 0, texts: 0, integers: 0 };
  return new Map(
    fields.map((field) => {
      const column = columnOf(field);
      filled[column] += 1;
      return [field, filled[column]];
    })
  );
}
