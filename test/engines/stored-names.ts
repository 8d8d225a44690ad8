import type { Condition, SelectStatement, Source, Statement } from '@joblens/core/influxql/nodes';
import type { StatementResult } from '@joblens/core/influxql/response';

/** What has been written to a database. */
export interface StoredNames {
  readonly measurements: ReadonlySet<string>;
  /** The tags and fields of each measurement. */
  readonly columns: ReadonlyMap<string, ReadonlySet<string>>;
}

export const SHOW_STORED_NAMES = ['SHOW MEASUREMENTS', 'SHOW TAG KEYS', 'SHOW FIELD KEYS'];

/** Reads the results of SHOW_STORED_NAMES. */
export function readStoredNames([measurements, ...columns]: readonly StatementResult[]): StoredNames {
  const names = new Map<string, Set<string>>();
  for (const { name, values } of columns.flatMap(({ series = [] }) => series)) {
    const known = names.get(name) ?? new Set();
    names.set(name, known);
    for (const [column] of values) known.add(String(column));
  }
  const written = measurements?.series?.flatMap(({ values }) => values.map(([name]) => String(name))) ?? [];
  return { measurements: new Set(written), columns: names };
}

type Filtered = Extract<Statement, { readonly where?: Condition }>;

/** With conditions on tags that no point of the measurement has yet in a form that matches nothing. */
export function adaptConditions<One extends Filtered>(statement: One, stored: StoredNames): One {
  const from = statement.from?.map((source): Source =>
    source.kind === 'subquery' ? { ...source, select: adaptConditions<SelectStatement>(source.select, stored) } : source
  );
  const columns = findColumns(statement, stored);
  const adapted = { ...statement, ...(from !== undefined && { from }) };
  if (statement.where === undefined || columns === undefined) return adapted;
  return { ...adapted, where: adapt(statement.where, columns) };
}

/** Undefined where the conditions may be about something else than tags and fields. */
function findColumns({ from = [] }: Filtered, { columns }: StoredNames): ReadonlySet<string> | undefined {
  const [source, ...others] = from;
  if (source?.kind !== 'measurement' || others.length > 0) return undefined;
  return columns.get(source.name);
}

function adapt(condition: Condition, columns: ReadonlySet<string>): Condition {
  switch (condition.kind) {
    case 'and':
    case 'or':
      return { ...condition, left: adapt(condition.left, columns), right: adapt(condition.right, columns) };
    case 'time':
      return condition;
    case 'compare':
    case 'match':
      return columns.has(condition.left.name) ? condition : NOTHING;
  }
}

/** A tag that no point has is not this. */
const NOTHING: Condition = {
  kind: 'compare',
  left: { kind: 'ref', name: 'written by nobody' },
  operator: '=',
  right: { kind: 'string', value: 'written by nobody' },
};
