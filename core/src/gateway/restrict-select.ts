import { createAnd, freezeNode } from '../influxql/build.js';
import type { SelectStatement, Source } from '../influxql/nodes.js';
import { printStatement } from '../influxql/print.js';
import type { ResultSeries } from '../influxql/response.js';
import { rewriteStatement } from '../influxql/rewrite.js';
import { castNames } from './cast-names.js';
import { findsNames } from './finds-names.js';
import type { ReadMeasurement } from './measurements-read.js';
import { Refusal } from './refusal.js';
import { createVisibility, type SomeRights } from './rights.js';
import { placesOf, readMeasurements, restrictSource, type Scope } from './sources.js';
import { createAnswer, NOTHING, type Step } from './steps.js';

/** A SELECT whose every reading of a measurement is restricted to what somebody may see. */
export function restrictSelect(select: SelectStatement, rights: SomeRights, scope: Scope): Step {
  const restricted = rewriteStatement(select, {
    source: (source) => restrictAnySource(source, scope),
    select: (one) => restrictReading(one, rights, scope),
  });
  if (restricted.from.length === 0) return NOTHING;
  const statement = printStatement(restricted);
  const isFindingNames = isFinding(restricted, readMeasurements(restricted.from, scope));
  return isFindingNames
    ? createAnswer([statement], ([series = []]) => leaveOutEmpty(series))
    : { kind: 'ask', statement };
}

function restrictAnySource(source: Source, scope: Scope): readonly Source[] {
  if (source.kind !== 'subquery') return restrictSource(source, scope);
  const { select } = source;
  if (select.from.length === 0) return [];
  if (isFinding(select, readMeasurements(select.from, scope))) {
    throw new Refusal('wildcard', 'A query inside another one names its columns where fields are those of tables');
  }
  return [source];
}

/** Its subqueries are restricted already; then it reads from them alone. */
function restrictReading(select: SelectStatement, rights: SomeRights, scope: Scope): SelectStatement {
  const measurements = readMeasurements(select.from, scope);
  if (measurements.length === 0) return select;
  if (measurements.length < select.from.length) {
    throw new Refusal('mixed-sources', 'A query reads from measurements or from other queries, not from both at once');
  }
  checkFilling(select);
  const visible = createVisibility(rights, placesOf(measurements));
  if (visible === undefined) return freezeNode({ ...select, from: [] });
  const cast = castNames(select, measurements);
  const where = createAnd([visible, cast.where]);
  return freezeNode({ ...cast, ...(where && { where }) });
}

/** Where a store fills gaps, and counts nothing as 0, a column of a field that only others have gets values. */
function checkFilling({ columns, groupBy }: SelectStatement): void {
  const isFilling = groupBy?.dimensions.some(({ kind }) => kind === 'time') === true && groupBy.fill !== 'none';
  if (!isFilling) return;
  if (columns.some(({ expression }) => findsNames(expression))) {
    throw new Refusal('wildcard', 'Name the fields where time is grouped, or add fill(none)');
  }
}

/** Does the store find names by itself that may be those of others? */
function isFinding({ columns, groupBy }: SelectStatement, measurements: readonly ReadMeasurement[]): boolean {
  const isFindingFields = columns.some(({ expression }) => findsNames(expression));
  const isFindingTags = groupBy?.dimensions.some(({ kind }) => kind === 'wildcard' || kind === 'regex') ?? false;
  return measurements.some(
    ({ fields, isOther }) => (isFindingFields && fields !== 'fixed') || (isFindingTags && isOther === true)
  );
}

/** Columns and tags without any value are not of what is visible: they are left out. */
function leaveOutEmpty(series: readonly ResultSeries[]): readonly ResultSeries[] {
  const used = new Set(series.flatMap(({ columns, values }) => columns.filter((_, at) => isUsed(values, at))));
  const tags = new Set(
    series.flatMap((one) => Object.entries(one.tags ?? {}).flatMap(([key, value]) => value && [key]))
  );
  return series.map((one) => {
    const kept = one.columns.flatMap((name, at) => (used.has(name) ? [at] : []));
    return {
      ...one,
      ...(one.tags && { tags: Object.fromEntries(Object.entries(one.tags).filter(([key]) => tags.has(key))) }),
      columns: kept.map((at) => one.columns[at] ?? ''),
      values: one.values.map((row) => kept.map((at) => row[at] ?? null)),
    };
  });
}

function isUsed(values: ResultSeries['values'], at: number): boolean {
  return values.some((row) => row[at] !== null && row[at] !== undefined);
}
