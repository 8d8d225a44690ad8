import type { NonFiniteRows } from '@joblens/core/ask/tables/nonfinite';
import type { JoinedRows } from '@joblens/core/ask/tables/refreshed-rows';
import type { TableSummary } from '@joblens/core/ask/tables/tables';
import type { KnownTable } from '@joblens/core/ask/whole-table/table-questions';
import type { Kept } from '../../store/kept.js';
import type { TagFilter } from '../../store/tag-filters.js';
import type { PieceColumns } from './piece-columns.js';
import type { RecordColumns } from './record-columns.js';

/** What was read of a table, and what was made of it: the next refresh continues from there. */
export interface ReadTable {
  readonly rows?: { readonly joined: JoinedRows; readonly columns: RecordColumns } | undefined;
  readonly whole?: WholeReading | undefined;
  /** Which tables a question found. */
  readonly tables?: readonly TableSummary[] | undefined;
  /** The tables that have rows alone, and when they were looked for. */
  readonly alone?: readonly TableSummary[] | undefined;
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
  /** Recalls only a range with the same start or length; any other belongs to another view, such as a zoomed graph. */
  recall(question: string, range: Range): ReadTable | undefined;
  keep(question: string, range: Range, table: ReadTable): void;
}

/** What was read of one table in its views, the newest reading first. */
export interface ReadViews {
  readonly views: readonly View[];
  readonly characters: number;
}

interface View {
  readonly range: Range;
  readonly table: ReadTable;
}

/** The most ranges to remember of one table: a dashboard shows it in few at a time. */
const MAX_VIEWS = 4;

export function createTableMemory(kept: Kept<ReadViews>): TableMemory {
  const listViews = (question: string): readonly View[] => kept.get(question)?.views ?? [];
  return {
    recall: (question, range) => {
      const views = listViews(question);
      return (findSame(views, range) ?? views.find((view) => isAsLong(view.range, range)))?.table;
    },
    keep: (question, range, table) => {
      const known = listViews(question);
      const replaced = findSame(known, range);
      const views = [{ range, table }, ...known.filter((view) => view !== replaced)].slice(0, MAX_VIEWS);
      kept.set(question, { views, characters: views.reduce((sum, view) => sum + view.table.characters, 0) });
    },
  };
}

/** The same view a moment ago: a range grows or moves with the time. */
function findSame(views: readonly View[], range: Range): View | undefined {
  const grown = views.find((view) => view.range.fromNs === range.fromNs);
  return grown ?? views.find((view) => isAsLong(view.range, range) && isOverlap(view.range, range));
}

function isAsLong(a: Range, b: Range): boolean {
  return a.toNs - a.fromNs === b.toNs - b.fromNs;
}

function isOverlap(a: Range, b: Range): boolean {
  return a.fromNs <= b.toNs && b.fromNs <= a.toNs;
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
