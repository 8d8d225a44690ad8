import { createMeasurement, freezeNode } from '../influxql/build.js';
import type { SelectColumn, SelectStatement, Source } from '../influxql/nodes.js';
import { printStatement } from '../influxql/print.js';
import type { ResultSeries } from '../influxql/response.js';
import { encodeFieldKey } from '../schema/field-name.js';
import { MEASUREMENT } from '../schema/measurements.js';
import type { ReadMeasurement } from './measurements-read.js';
import { createVisibility, type SomeRights } from './rights.js';
import { placesOf } from './sources.js';
import { createAnswer, type Step } from './steps.js';

/** How the fields that somebody may see are found: `read` gives their names. */
interface Finding {
  readonly statement: string;
  readonly read: (series: readonly ResultSeries[]) => ReadonlySet<string>;
}

/**
 * Which fields somebody's own points have. SHOW FIELD KEYS takes no condition, so its answer tells the types alone, and
 * others say which fields are visible: the tables of jobs, or the last value of each field. The names that Joblens
 * itself gives are no secret.
 */
export function showFieldKeys(
  measurements: readonly ReadMeasurement[],
  rights: SomeRights,
  page: { readonly limit?: number | undefined; readonly offset?: number | undefined }
): Step {
  const from = measurements.map(({ name }) => createMeasurement(name));
  const findings = new Map(measurements.flatMap((one) => listFindings(one, rights)));
  const questions = [...findings.values()];
  const statements = [printStatement({ kind: 'showFieldKeys', from }), ...questions.map(({ statement }) => statement)];
  return createAnswer(statements, ([types = [], ...found]) => {
    const visible = new Map([...findings.keys()].map((key, at) => [key, questions[at]?.read(found[at] ?? [])]));
    const isVisible = (measurement: string, field: string): boolean => {
      const one = measurements.find(({ name }) => name === measurement);
      if (one === undefined) return false;
      return one.fields === 'fixed' || visible.get(keyOf(one))?.has(field) === true;
    };
    const { offset = 0, limit = Infinity } = page;
    return types
      .map((one) => ({
        ...one,
        values: one.values
          .filter(([field]) => typeof field === 'string' && isVisible(one.name, field))
          .slice(offset, offset + (limit === 0 ? Infinity : limit)),
      }))
      .filter(({ values }) => values.length > 0);
  });
}

/** All measurements with the keys of tables share one finding. */
function keyOf({ name, fields }: ReadMeasurement): string {
  return fields === 'keys' ? MEASUREMENT.series : name;
}

function listFindings(measurement: ReadMeasurement, rights: SomeRights): ReadonlyArray<readonly [string, Finding]> {
  if (measurement.fields === 'fixed') return [];
  const isOfTables = measurement.fields === 'keys';
  const where = createVisibility(rights, placesOf([measurement]));
  if (where === undefined) return [];
  const name = keyOf(measurement);
  const statement = printStatement(
    createQuestion(isOfTables ? TABLE_KEYS : LAST_VALUES, createMeasurement(name), where)
  );
  return [[name, { statement, read: isOfTables ? readTableKeys : readLastValues }]];
}

const TABLE_KEYS: SelectColumn = freezeNode({
  expression: { kind: 'call', name: 'distinct', argument: { kind: 'ref', name: 'keys' } },
});
const LAST_VALUES: SelectColumn = freezeNode({
  expression: { kind: 'call', name: 'last', argument: { kind: 'wildcard' } },
});

function createQuestion(
  column: SelectColumn,
  source: Source,
  where: NonNullable<SelectStatement['where']>
): SelectStatement {
  return freezeNode({ kind: 'select', columns: [column], from: [source], where });
}

/** The field of a table's buckets that is no key of the table. */
const BUCKET_ROWS = 'bucket_rows';

function readTableKeys(series: readonly ResultSeries[]): ReadonlySet<string> {
  const lists = series.flatMap(({ values }) => values.map((row) => row[1]));
  return new Set([BUCKET_ROWS, ...lists.flatMap(readKeys).map(encodeFieldKey)]);
}

function readKeys(json: unknown): readonly string[] {
  if (typeof json !== 'string') return [];
  try {
    const keys: unknown = JSON.parse(json);
    return Array.isArray(keys) ? keys.filter((key) => typeof key === 'string') : [];
  } catch {
    return [];
  }
}

const LAST = 'last_';

function readLastValues(series: readonly ResultSeries[]): ReadonlySet<string> {
  return new Set(
    series.flatMap(({ columns, values }) =>
      columns.flatMap((column, at) =>
        column.startsWith(LAST) && values.some((row) => row[at] !== null) ? [column.slice(LAST.length)] : []
      )
    )
  );
}
