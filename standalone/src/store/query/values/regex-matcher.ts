import type { DuckDBConnection } from '@duckdb/node-api';
import { SqlParameters } from '../../kept/sql-text.js';
import { StatementError } from './statement-error.js';

/** Whether a regular expression matches a name. Knows only the pairs that it was prepared for. */
export type RegexMatcher = (source: string, text: string) => boolean;

export interface RegexRequest {
  readonly source: string;
  readonly texts: Iterable<string>;
}

/**
 * Matches names with DuckDB, whose regular expressions are RE2's, like Go's. Throws a StatementError if one is not
 * valid.
 */
export async function createRegexMatcher(
  connection: DuckDBConnection,
  requests: readonly RegexRequest[]
): Promise<RegexMatcher> {
  const matches = new Map<string, Set<string>>();
  for (const { source, texts } of requests) {
    const known = matches.get(source) ?? new Set<string>();
    matches.set(source, known);
    for (const text of await findMatches(connection, source, [...new Set(texts)])) known.add(text);
  }
  return (source, text) => matches.get(source)?.has(text) ?? false;
}

async function findMatches(
  connection: DuckDBConnection,
  source: string,
  texts: readonly string[]
): Promise<readonly string[]> {
  const parameters = new SqlParameters();
  // The empty text is always matched, so that a wrong expression is found even if there is no name.
  const list = parameters.texts(texts.includes('') ? texts : ['', ...texts]);
  const sql = `SELECT text FROM (SELECT unnest(${list}) AS text) WHERE regexp_matches(text, ${parameters.text(source)})`;
  try {
    const result = await connection.runAndReadAll(sql, parameters.values, parameters.types);
    return result.getRows().map(([text]) => String(text));
  } catch (error) {
    const reason = error instanceof Error ? error.message.replace(/^.*?Error: /, '') : String(error);
    throw new StatementError(`invalid regular expression /${source}/: ${reason}`);
  }
}
