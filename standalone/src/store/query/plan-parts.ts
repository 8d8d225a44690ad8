import type { AggregateName, FunctionName, SelectStatement } from '@joblens/core/influxql/nodes';
import { compareCodePoints } from '@joblens/core/point/utf8';
import type { Measurement } from '../kept/catalog.js';
import type { FieldType } from '../kept/field.js';

export const SELECTORS: readonly AggregateName[] = ['min', 'max', 'first', 'last'];

/** Field types that `call(*)` takes (influxql.RewriteFields). */
export const WILDCARD_TYPES: Readonly<Record<AggregateName, readonly FieldType[]>> = {
  count: ['float', 'integer', 'string', 'boolean'],
  first: ['float', 'integer', 'string', 'boolean'],
  last: ['float', 'integer', 'string', 'boolean'],
  min: ['float', 'integer', 'boolean'],
  max: ['float', 'integer', 'boolean'],
  sum: ['float', 'integer'],
  mean: ['float', 'integer'],
  spread: ['float', 'integer'],
  distinct: [],
};

/** The types of the fields that a wildcard in a call stands for. */
export function fieldsForCall(name: AggregateName | FunctionName): readonly FieldType[] {
  return name in WILDCARD_TYPES ? WILDCARD_TYPES[name as AggregateName] : name === 'mode' ? ALL_TYPES : NUMERIC_TYPES;
}

const ALL_TYPES: readonly FieldType[] = ['float', 'integer', 'string', 'boolean'];
const NUMERIC_TYPES: readonly FieldType[] = ['float', 'integer'];

export interface Names {
  readonly fields: ReadonlyMap<string, ReadonlySet<FieldType>>;
  readonly tags: readonly string[];
}

export function collectNames(measurements: readonly Measurement[]): Names {
  const fields = new Map<string, Set<FieldType>>();
  const tags = new Set<string>();
  for (const measurement of measurements) {
    for (const { name, type } of measurement.fields.values()) {
      fields.set(name, (fields.get(name) ?? new Set<FieldType>()).add(type));
    }
    for (const key of measurement.tagIndex.keys()) tags.add(key);
  }
  return { fields, tags: [...tags].sort(compareCodePoints) };
}

/** Among equal names, later ones get `_1`, `_2` … (influxql SelectStatement.ColumnNames). */
export function createUniqueNames(aliases: readonly string[]): (base: string) => string {
  const counts = new Map<string, number>(aliases.map((alias) => [alias, 1]));
  return (base) => {
    let name = base;
    let count = counts.get(base);
    if (count !== undefined) {
      while (counts.has(`${base}_${count}`)) count += 1;
      name = `${base}_${count}`;
      counts.set(base, count + 1);
    }
    counts.set(name, (counts.get(name) ?? 0) + 1);
    return name;
  };
}

/** The time buckets of GROUP BY. */
export function readInterval(
  statement: SelectStatement
): { readonly lengthNs: bigint; readonly offsetNs: bigint } | undefined {
  for (const dimension of statement.groupBy?.dimensions ?? []) {
    if (dimension.kind === 'time' && dimension.intervalNs > 0n) {
      return { lengthNs: dimension.intervalNs, offsetNs: dimension.offsetNs ?? 0n };
    }
  }
  return undefined;
}
