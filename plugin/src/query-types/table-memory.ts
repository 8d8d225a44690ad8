import type { JoinedRows, KnownTable, NonFiniteRows, TableSummary } from '@joblens/core';
import type { Kept } from '../store/kept.js';
import type { TagFilter } from '../store/tag-filters.js';
import type { PieceColumns } from './piece-columns.js';
import type { RecordColumns } from './record-columns.js';

/** What was read of a table, and what was made of it: the next refresh continues from there. */
export interface ReadTable {
  readonly rows?: { readonly joined: JoinedRows; readonly columns: RecordColumns } | undefined;
  readonly whole?: WholeReading | undefined;
  /** Which tables a question found. */
  readonly tables?: readonly TableSummary[] | undefined;
  /** When these were found by their rows. */
  readonly foundAtMs?: number | undefined;
  readonly characters: number;
}

interface WholeReading {
  readonly known: KnownTable;
  readonly columns: PieceColumns | undefined;
  readonly nonFinite: NonFiniteRows | undefined;
  /** When it was last read in full. */
  readonly fullAtMs: number;
  /** When its rows were last counted, or read in full. */
  readonly countedAtMs: number;
}

interface Range {
  readonly fromNs: bigint;
  readonly toNs: bigint;
}

/** Holds what was read of tables, by question. */
export interface TableMemory {
  /** Of a range that began at the same time, or was as long: another one is of another view, such as a zoomed graph. */
  recall(question: string, range: Range): ReadTable | undefined;
  keep(question: string, range: Range, table: ReadTable): void;
}

export function createTableMemory(kept: Kept<ReadTable>): TableMemory {
  return {
    recall: (question, range) => createKeys(question, range).flatMap((key) => kept.get(key) ?? [])[0],
    keep: (question, range, table) => {
      for (const key of createKeys(question, range)) kept.set(key, table);
    },
  };
}

function createKeys(question: string, { fromNs, toNs }: Range): readonly string[] {
  return [`${question} from ${String(fromNs)}`, `${question} for ${String(toNs - fromNs)}`];
}

/** The same memory, which keeps tables of different filters apart. */
export function filterTableMemory(memory: TableMemory, filters: readonly TagFilter[]): TableMemory {
  if (filters.length === 0) return memory;
  const prefix = JSON.stringify(filters);
  return {
    recall: (question, range) => memory.recall(prefix + question, range),
    keep: (question, range, table) => {
      memory.keep(prefix + question, range, table);
    },
  };
}
