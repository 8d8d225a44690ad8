import type { SelectStatement } from '@joblens/core/influxql/nodes';
import { printStatement } from '@joblens/core/influxql/print';
import type { StatementResult } from '@joblens/core/influxql/response';
import { combineLatest, map, type Observable, of } from 'rxjs';
import { nameNewestRows } from '../../store/newest-rows.js';
import type { TableReading } from './metadata-reading.js';
import { isRows, listStatements, type StoreAsk } from '../parts/run-reading.js';
import { type Ask, together } from '@joblens/core/ask/reading/reading';
import type { RunContext } from '../parts/query-type.js';

export interface AskedAhead {
  readonly result: StatementResult | undefined;
  /** Answers what the readings asked without another request. */
  readonly context: RunContext;
}

/**
 * Asks for the tables and, at the same time, what the readings of the tables as they were would ask first. Mostly
 * nothing about the tables has changed but the number of their rows: then a refresh takes one round trip instead of
 * two. Answers are found by their questions, so one that nobody asks again is not used, and all others are asked for.
 */
export function askAhead(
  tables: SelectStatement,
  expected: readonly TableReading[],
  context: RunContext
): Observable<AskedAhead> {
  const first = listFirst(expected);
  const newest = first.filter(isRows);
  const asked = listStatements(first.filter((ask): ask is Ask => !isRows(ask)));
  // A request of its own for the tables: other panels share it.
  return combineLatest([
    context.client.query([tables]),
    context.client.query(asked),
    context.newestRows.read(newest, context, context.monotonicMs),
  ]).pipe(
    map(([[result], answers, pages]) => {
      const known = createAnswers(asked.map(printStatement), answers);
      const knownPages = createAnswers(newest.map(nameNewestRows), pages);
      return {
        result,
        context: {
          ...context,
          client: {
            ...context.client,
            query: (statements) => askForRest(statements, printStatement, known, (rest) => context.client.query(rest)),
          },
          newestRows: {
            read: (queries, range, monotonicMs) =>
              askForRest(queries, nameNewestRows, knownPages, (rest) =>
                context.newestRows.read(rest, range, monotonicMs)
              ),
          },
        },
      };
    })
  );
}

/** What the readings ask first. They are read no further. */
function listFirst(readings: readonly TableReading[]): readonly StoreAsk[] {
  const all = together(readings);
  let next = all.next();
  while (next.done !== true && 'soFar' in next.value) next = all.next([]);
  all.return([]);
  return next.done === true || 'soFar' in next.value ? [] : next.value;
}

type Answers = ReadonlyMap<string, StatementResult>;

function createAnswers(names: readonly string[], results: readonly StatementResult[]): Answers {
  return new Map(names.flatMap((name, at) => (results[at] === undefined ? [] : [[name, results[at]] as const])));
}

function askForRest<Q>(
  questions: readonly Q[],
  nameOf: (question: Q) => string,
  known: Answers,
  ask: (rest: readonly Q[]) => Observable<readonly StatementResult[]>
): Observable<readonly StatementResult[]> {
  const found = questions.map((question) => known.get(nameOf(question)));
  const missing = questions.filter((_, at) => found[at] === undefined);
  const answers = missing.length === 0 ? of([]) : ask(missing);
  return answers.pipe(
    map((results) => {
      const rest = [...results];
      return found.flatMap((result) => result ?? rest.shift() ?? []);
    })
  );
}
