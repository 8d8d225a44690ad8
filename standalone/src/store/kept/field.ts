import type { FieldValue } from '@joblens/core/point/point';

export type FieldType = 'float' | 'integer' | 'string' | 'boolean';

/** The list column of a points table that holds values of a type; booleans are stored as 0 and 1. */
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

export function columnOf(field: Pick<Field, 'type'>): ValueColumn {
  return COLUMN_OF_TYPE[field.type];
}

export function fieldTypeOf(value: FieldValue): FieldType {
  if (typeof value === 'number') return 'float';
  if (typeof value === 'bigint') return 'integer';
  return typeof value === 'string' ? 'string' : 'boolean';
}
