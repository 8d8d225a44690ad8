import type { KeyPaths } from './metadata-row.js';
import { type ColumnStats, countTexts } from './column-stats.js';
import type { TableStats } from './table-stats.js';

/**
 * What the texts of a key are: strings that were printed, or JSON of other values (MetadataRow). With `both`, nobody
 * knows which of them a text is.
 */
export type TextKind = 'strings' | 'json' | 'both';

/** How the values of a key were printed, where the stored row does not tell. */
export interface KeyForm {
  /** The names that lead to the value, if it was in a nested object. */
  readonly path?: readonly string[];
  /** Undefined if it has no texts. */
  readonly texts?: TextKind;
  /** Set if it has texts, and numbers as well. */
  readonly hasNumbers?: true;
  /** Set if some values are both: integers beyond 2^53 (inexact-integer.ts). */
  readonly hasInexact?: true;
}

/** How the rows of a table were printed. A key that is missing has no texts and was not nested. */
export type TableForm = ReadonlyArray<readonly [key: string, form: KeyForm]>;

/** The form of a table whose runs have these statistics, undefined where they cannot be read. */
export function createTableForm(
  keys: readonly string[],
  paths: KeyPaths,
  runs: ReadonlyArray<TableStats | undefined>
): TableForm {
  return keys.flatMap((key) => {
    const path = paths.get(key);
    const texts = runs.map((stats) => (stats === undefined ? 'both' : findTextKind(stats.columns.get(key))));
    const kind = texts.reduce(addKinds, undefined);
    const hasNumbers = kind !== undefined && runs.some((stats) => (stats?.columns.get(key)?.numeric ?? 1) > 0);
    const hasInexact = runs.some((stats) => (stats?.columns.get(key)?.inexact ?? 0) > 0);
    const form = {
      ...(path !== undefined && { path }),
      ...(kind !== undefined && { texts: kind }),
      ...(hasNumbers && { hasNumbers }),
      ...(hasInexact && { hasInexact: true as const }),
    };
    return Object.keys(form).length === 0 ? [] : [[key, form] as const];
  });
}

function findTextKind(column: ColumnStats | undefined): TextKind | undefined {
  const texts = column === undefined ? 0 : countTexts(column);
  if (column === undefined || texts === 0) return undefined;
  return column.json === 0 ? 'strings' : column.json === texts ? 'json' : 'both';
}

function addKinds(a: TextKind | undefined, b: TextKind | undefined): TextKind | undefined {
  return a === undefined || a === b ? b : b === undefined ? a : 'both';
}
