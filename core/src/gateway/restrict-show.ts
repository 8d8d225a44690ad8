import { createAnd, createMeasurement, freezeNode } from '../influxql/build.js';
import type {
  ShowCardinalityStatement,
  ShowClauses,
  ShowMeasurementsStatement,
  ShowSeriesStatement,
  ShowTagKeysStatement,
  ShowTagValuesStatement,
  Statement,
} from '../influxql/nodes.js';
import { printStatement } from '../influxql/print.js';
import { rewriteStatement } from '../influxql/rewrite.js';
import { castComparedToTag } from './cast-names.js';
import type { ReadMeasurement } from './measurements-read.js';
import { Refusal } from './refusal.js';
import { createVisibility, type SomeRights } from './rights.js';
import { checkDatabase, readMeasurements, restrictSource, type Scope } from './sources.js';
import { createAnswer, NOTHING, type Step } from './steps.js';

type ShowStatement = Extract<Statement, Pick<ShowClauses, 'where'>>;

/** The measurements that a SHOW reads: all that are answered about, where it names none. */
export function listShown(clauses: Pick<ShowClauses, 'database' | 'from'>, scope: Scope): readonly ReadMeasurement[] {
  checkDatabase(clauses.database, scope);
  if (clauses.from === undefined) return scope.measurements;
  const from = clauses.from.flatMap((source) => {
    if (source.kind === 'subquery') throw new Refusal('unsupported', 'SHOW reads from measurements, not from a query');
    return restrictSource(source, scope);
  });
  return readMeasurements(from, scope);
}

/** SHOW TAG KEYS, SHOW TAG VALUES and SHOW SERIES look at each series: the condition stands beside their own. */
export function restrictShow(
  statement: ShowTagKeysStatement | ShowTagValuesStatement | ShowSeriesStatement,
  rights: SomeRights,
  scope: Scope
): Step {
  const clauses = restrictClauses(statement, rights, scope);
  if (clauses === undefined) return NOTHING;
  const { database: _, ...rest } = statement;
  return { kind: 'ask', statement: printStatement({ ...rest, ...clauses }) };
}

/**
 * InfluxDB looks at the conditions of SHOW MEASUREMENTS one by one: `"user" = 'me' AND "job" = 'x'` is a measurement of
 * mine in which anybody has a job x. So the tag `user` of the series that fit is asked for.
 */
export function showMeasurements(statement: ShowMeasurementsStatement, rights: SomeRights, scope: Scope): Step {
  const clauses = restrictClauses(statement, rights, scope);
  if (clauses === undefined) return NOTHING;
  const text = printStatement({ kind: 'showTagValues', key: { operator: '=', name: 'user' }, ...clauses });
  const { offset = 0, limit = 0 } = statement;
  return createAnswer([text], ([found = []]) => {
    const names = [...new Set(found.map(({ name }) => name))].sort();
    const values = names.slice(offset, limit === 0 ? undefined : offset + limit).map((name) => [name]);
    return values.length === 0 ? [] : [{ name: 'measurements', columns: ['name'], values }];
  });
}

/** How many values of tags there are. InfluxDB estimates the others over everybody's. */
export function showCardinality(statement: ShowCardinalityStatement, rights: SomeRights, scope: Scope): Step {
  const { of, key, limit, offset } = statement;
  if (of !== 'tagValues' || key === undefined || limit !== undefined || offset !== undefined) {
    throw new Refusal('cardinality', 'Of the cardinalities, only SHOW TAG VALUES CARDINALITY is answered, and whole');
  }
  const clauses = restrictClauses(statement, rights, scope);
  if (clauses === undefined) return NOTHING;
  const text = printStatement({ kind: 'showTagValues', key, ...clauses });
  return createAnswer([text], ([found = []]) =>
    found.map(({ name, values }) => ({
      name,
      columns: ['count'],
      values: [[new Set(values.map(([, value]) => value)).size]],
    }))
  );
}

/**
 * A condition on the names of series, which have tags alone. InfluxDB takes all series for those that fit a name that
 * anybody has as a field.
 */
function restrictClauses(
  statement: ShowStatement,
  rights: SomeRights,
  scope: Scope
): Required<Pick<ShowClauses, 'from' | 'where'>> | undefined {
  const shown = listShown(statement, scope);
  const visible = createVisibility(rights, new Set(['tag']));
  const { where: asked } = rewriteStatement(statement, { compared: castComparedToTag });
  const where = visible && createAnd([visible, asked]);
  if (where === undefined || shown.length === 0) return undefined;
  return freezeNode({ from: shown.map(({ name }) => createMeasurement(name)), where });
}
