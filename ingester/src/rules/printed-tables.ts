import type { PrintedTable } from '@joblens/core';

/** A job prints only a few tables in turn (training, validation, test). */
const MAX_TABLES = 16;

/** The known tables of one job, the newest first. */
export class PrintedTables {
  #tables: readonly PrintedTable[] = [];
  /** The last table, and for each table the one that last followed it. */
  #last: PrintedTable | undefined;
  readonly #followers = new WeakMap<PrintedTable, PrintedTable>();

  add(table: PrintedTable): void {
    this.#tables = [table, ...this.#tables.slice(0, MAX_TABLES - 1)];
  }

  /**
   * The result of `take` for the first table that it accepts; undefined when it accepts none. Tables are tried in the
   * order in which they came before.
   */
  find<T>(take: (table: PrintedTable) => T | undefined): T | undefined {
    const expected = this.#last && this.#followers.get(this.#last);
    const taken = expected && take(expected);
    if (taken !== undefined) {
      this.#last = expected;
      return taken;
    }
    for (const table of this.#tables) {
      const found = table === expected ? undefined : take(table);
      if (found === undefined) continue;
      if (this.#last !== undefined) this.#followers.set(this.#last, table);
      this.#last = table;
      return found;
    }
    return undefined;
  }
}
