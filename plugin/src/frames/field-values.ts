import { type DataFrame, type Field, FieldType } from '@grafana/data';

interface Vector {
  toArray(): unknown[];
}

/** A field's values in Grafana 9.5 (a Vector) as in 10 and later (an array). */
export function readValues(field: Field): readonly unknown[] {
  const values: unknown = field.values;
  return Array.isArray(values) ? (values as readonly unknown[]) : (values as Vector).toArray();
}

/** The values of the field with this name, `undefined` without one. */
export function readFieldByName(frame: DataFrame, name: string): readonly unknown[] | undefined {
  const field = frame.fields.find((candidate) => candidate.name === name);
  return field === undefined ? undefined : readValues(field);
}

/** The first field of times. */
export function findTimeField(frame: DataFrame): Field | undefined {
  return frame.fields.find((field) => field.type === FieldType.time);
}
