import type { ResultSeries, StatementResult } from '../influxql/response.js';

/** What to do for one statement of a query, in the order of its statements. */
export type Step =
  /** Ask the store this one; its result is that of the statement. */
  | { readonly kind: 'ask'; readonly statement: string }
  /**
   * Ask the store these, none or more, in one request; `answer` makes the statement's result of theirs. It needs them
   * whole: without `chunked`.
   */
  | {
      readonly kind: 'answer';
      readonly statements: readonly string[];
      readonly answer: (results: readonly StatementResult[]) => Answer;
    };

/** The result of a statement without its number. */
export type Answer = Omit<StatementResult, 'statement_id'>;

/** A step whose answer is made of what the store answers. A statement that fails there is the answer. */
export function createAnswer(
  statements: readonly string[],
  readSeries: (results: ReadonlyArray<readonly ResultSeries[]>) => readonly ResultSeries[]
): Step {
  return {
    kind: 'answer',
    statements,
    answer: (results) => {
      const failed = results.find(({ error }) => error !== undefined);
      if (failed?.error !== undefined) return { error: failed.error };
      const series = readSeries(statements.map((_, at) => results[at]?.series ?? []));
      return series.length === 0 ? {} : { series };
    },
  };
}

/** The answer to those who may see nothing of what is asked. */
export const NOTHING: Step = createAnswer([], () => []);
