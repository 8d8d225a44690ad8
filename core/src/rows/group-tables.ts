/** The facts that decide on which graph a table is drawn. `x` undefined: it is drawn against time. */
export interface GraphTable {
  readonly job: string;
  readonly user: string;
  readonly x?: string | undefined;
}

/** The tables of one graph: they belong to one job and are drawn against the same key, or all against time. */
export interface GraphGroup<T extends GraphTable> {
  readonly job: string;
  readonly user: string;
  readonly x: string | undefined;
  readonly tables: readonly T[];
}

/** Graphs in the order of their first table, tables in the given order. Each table is in exactly one graph. */
export function groupTablesByX<T extends GraphTable>(tables: readonly T[]): GraphGroup<T>[] {
  const groups = new Map<string, T[]>();
  for (const table of tables) {
    const key = JSON.stringify([table.job, table.user, table.x ?? null]);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [table]);
    else group.push(table);
  }
  return [...groups.values()].flatMap((members) => {
    const [first] = members;
    return first === undefined ? [] : [{ job: first.job, user: first.user, x: first.x, tables: members }];
  });
}
