import type { PrintedTable } from '@joblens/core';

/** A job prints few tables in turn (training, validation, test). */
const MAX_TABLES = 16;

/** The tables of one job whose lines are known, those that came last first. */
export class PrintedTables {
  #tables: readonly PrintedTable[] = [];

  add(table: PrintedTable): void {
    this.#tables = [table, ...this.#tables.slice(0, MAX_TABLES - 1)];
  }

  /** What `take` makes of the first table that it takes; undefined when it takes none. */
  find<T>(take: (table: PrintedTable) => T | undefined): T | undefined {
    for (const table of this.#tables) {
      const taken = take(table);
      if (taken === undefined) continue;
      if (table !== this.#tables[0]) this.#tables = [table, ...this.#tables.filter((other) => other !== table)];
      return taken;
    }
    return undefined;
  }
}
