import type { SelectStatement } from '../../influxql/nodes.js';
import type { KnownAggregates } from './known-aggregates.js';
import { askForAll, askForNew, type KnownPieces, type PiecesQuestion } from './known-pieces.js';
import { askApart, type Reading } from '../reading/reading.js';
import type { ReadableResult } from '../reading/result-rows.js';
import type { TablePiece } from './table-pieces.js';
import type { PiecesRead } from './table-reads.js';
import type { TableSummary } from '../tables/tables.js';

/** What was read of a table, for the next reading of it. */
export interface KnownTable {
  /** Answers by the names of the reads. */
  readonly reads: ReadonlyMap<string, KnownPieces>;
  readonly aggregates: readonly KnownAggregates[];
}

export interface WholeTableRequest {
  readonly table: TableSummary;
  /** The keys whose numbers are read. */
  readonly keys: readonly string[];
  /** Inclusive. */
  readonly fromNs: bigint;
  /** Inclusive. */
  readonly toNs: bigint;
  /** The answer has about so many pieces at most; one more level is 32 times fewer. */
  readonly maxPieces: number;
  /** A first reading of more pieces than this begins with a coarser level, to be drawn meanwhile. Default: none. */
  readonly quickPieces?: number;
  /** From an earlier reading of the same keys: only what is new is asked for. */
  readonly known?: KnownTable | undefined;
  /**
   * Whether to count what is known, so that pieces that came late or were deleted lead to a full reading. This costs
   * more than all the rest of a refresh: InfluxDB goes through everything that it counts.
   */
  readonly isCounted?: boolean;
}

/** A table as it was read. */
export interface WholeTable {
  readonly kind: 'pieces';
  /** Oldest first. */
  readonly pieces: readonly TablePiece[];
  /** The coarsest level of the buckets asked for. */
  readonly level: number;
  /** Some rows have no buckets: the store aggregated them. */
  readonly isAggregated: boolean;
  /** For the next reading of the same keys. Its pieces are the same objects. */
  readonly known: KnownTable;
}

/** The rows of the time range are few: they are to be read one by one, with rowsQueries. */
export interface FewRows {
  readonly kind: 'rows';
  readonly known: KnownTable;
}

export interface Question<A> {
  readonly statements: readonly SelectStatement[];
  readonly read: (results: readonly ReadableResult[]) => A;
}

/** Several questions at once, answered together; `isSlow` if each may take the store long. */
export function* askAll<A>(questions: ReadonlyArray<Question<A>>, isSlow = false): Reading<readonly A[]> {
  const statements = questions.flatMap((question) => question.statements);
  const rest = [...(yield isSlow ? askApart(statements) : statements)];
  return questions.map((question) => question.read(rest.splice(0, question.statements.length)));
}

/** Asks for what is not known, and in full where that does not fit to what is known. */
export function* readPieces(
  { known, isCounted = false }: Pick<WholeTableRequest, 'known' | 'isCounted'>,
  reads: readonly PiecesRead[]
): Reading<readonly KnownPieces[]> {
  const questions = reads.map((read): PiecesQuestion => {
    const before = known?.reads.get(read.name);
    return (before && askForNew(read, before, isCounted)) ?? askForAll(read);
  });
  const found = yield* askAll(questions);
  const doubtful = reads.filter((_, at) => found[at] === undefined);
  const inFull = [...(yield* askAll(doubtful.map(askForAll)))];
  return found.map((answer) => answer ?? inFull.shift() ?? NOTHING);
}

export const NOTHING: KnownPieces = { fromNs: 0n, pieces: [], isCut: false, unsettled: 1, isEnded: false };
