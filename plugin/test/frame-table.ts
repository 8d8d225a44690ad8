import type { DataFrame } from '@grafana/data';

/** A frame as plain data: name and type of each field with its values, to compare in one go. */
export function toPlainFields(frame: DataFrame | undefined): Array<[name: string, type: string, ...values: unknown[]]> {
  return (frame?.fields ?? []).map(({ name, type, values }) => [name, type, ...(values as unknown[])]);
}

/** What the frame says of itself for the panel. */
export function readJoblensMeta(frame: DataFrame | undefined): unknown {
  const custom: unknown = frame?.meta?.custom;
  return typeof custom === 'object' && custom !== null && 'joblens' in custom ? custom.joblens : undefined;
}
