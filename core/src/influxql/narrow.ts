import { createAnd, freezeNode } from './build.js';
import type { Condition, SelectStatement, ShowClauses, Source, Statement } from './nodes.js';

/**
 * Conditions to narrow a part of a statement that reads these sources; undefined ones count as none. A part of `points`
 * is narrowed by tags and fields, one of `names` (SHOW and DROP SERIES) by tags alone.
 */
export type Narrowing = (from: readonly Source[], part: 'points' | 'names') => readonly (Condition | undefined)[];

/**
 * Narrows each part of a statement: a subquery where it reads from a measurement. Statements that take no WHERE
 * (InfluxQL reference, "Schema exploration") come back as they are: code that narrows for safety must refuse them.
 */
export function narrowStatement(statement: Statement, narrowing: Narrowing): Statement {
  switch (statement.kind) {
    case 'select':
      return narrowSelect(statement, narrowing);
    case 'showTagValues':
    case 'showTagKeys':
    case 'showSeries':
    case 'showMeasurements':
    case 'showCardinality':
    case 'dropSeries':
      return narrowNames(statement, narrowing);
    case 'showFieldKeys':
    case 'showDatabases':
    case 'showRetentionPolicies':
    case 'createDatabase':
      return statement;
  }
}

export function narrowSelect(select: SelectStatement, narrowing: Narrowing): SelectStatement {
  const from = select.from.map((source) =>
    source.kind === 'subquery' ? { ...source, select: narrowSelect(source.select, narrowing) } : source
  );
  return freezeNode({ ...select, from, ...narrowWhere(select.where, narrowing(from, 'points')) });
}

function narrowNames<S extends Statement & Pick<ShowClauses, 'from' | 'where'>>(statement: S, narrowing: Narrowing): S {
  return freezeNode({ ...statement, ...narrowWhere(statement.where, narrowing(statement.from ?? [], 'names')) });
}

function narrowWhere(where: Condition | undefined, more: readonly (Condition | undefined)[]): { where?: Condition } {
  const narrowed = createAnd([where, ...more]);
  return narrowed === undefined ? {} : { where: narrowed };
}
