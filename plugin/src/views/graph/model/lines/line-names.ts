import { createOwnerPrefix, type PanelTable } from '../../../parts/components/tables.js';
import { groupBy } from '@joblens/core/lists/group-by';

interface NamedColumn {
  readonly table: PanelTable;
  readonly title: string;
}

/** The part of a name that tells these tables apart: their writer, or their frame if another data source made it. */
function createPrefix(tables: readonly PanelTable[]): (table: PanelTable) => string {
  const owner = createOwnerPrefix(tables);
  const hasManyPlain = tables.filter((table) => table.kind === 'plain').length > 1;
  return (table) => (table.kind === 'plain' && hasManyPlain ? `${table.label} ` : owner(table));
}

/** The same names, counted where two are equal: `a`, `a (2)`. */
function countEqual(names: readonly string[]): readonly string[] {
  const seen = new Map<string, number>();
  return names.map((name) => {
    const count = (seen.get(name) ?? 0) + 1;
    seen.set(name, count);
    return count === 1 ? name : `${name} (${count})`;
  });
}

/**
 * The names of lines, one for each column: its title, with the least prefix that tells it from an equal title of
 * another job, user, task or frame. A title that only one of them has gets none.
 */
export function nameLines(columns: readonly NamedColumn[]): readonly string[] {
  const byTitle = groupBy(columns, ({ title }) => title);
  const prefixes = new Map(
    Array.from(byTitle, ([title, same]) => [title, createPrefix(same.map(({ table }) => table))])
  );
  return countEqual(columns.map(({ table, title }) => `${prefixes.get(title)?.(table) ?? ''}${title}`));
}

/** The names of the writers of these tables, by `ownerOf`: each tells its writer from the others. */
export function nameOwners(
  tables: readonly PanelTable[],
  ownerOf: (table: PanelTable) => string
): ReadonlyMap<string, string> {
  const prefix = createPrefix(tables);
  const owners = [...new Map(tables.map((table) => [ownerOf(table), table]))];
  const names = owners.map(([, table]) => prefix(table).replace(/( ·)? $/, '') || (table.job ?? table.label));
  return new Map(countEqual(names).map((name, at) => [owners[at]?.[0] ?? '', name]));
}
