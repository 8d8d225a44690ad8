import { createOr, createRef, freezeNode } from '../influxql/build.js';
import type { ColumnExpression, ColumnRef, Condition, FieldCast, SelectStatement } from '../influxql/nodes.js';
import { type Comparison, rewriteStatement } from '../influxql/rewrite.js';
import { findKeysType, findStoredType, type StoredType } from '../schema/stored-fields.js';
import { findsNames } from './finds-names.js';
import { type JobPlace, placeOf, type ReadMeasurement } from './measurements-read.js';
import { Refusal } from './refusal.js';

/**
 * The columns of a SELECT that reads measurements, as the tags or fields that they are. A store gives a name one type
 * for all that the statement reads, a field of it counts before a tag, and a name that nobody has is an empty tag. So a
 * field of that name, in a measurement of others or written by them into the same one, would change what everybody's
 * statements find.
 */
export function castNames(select: SelectStatement, measurements: readonly ReadMeasurement[]): SelectStatement {
  checkFound(select.columns, measurements);
  return rewriteStatement(select, {
    compared: (comparison) => castCompared(comparison, measurements),
    selected: (ref, call) => castSelected(castName(ref, measurements), call, measurements),
  });
}

function castName(ref: ColumnRef, measurements: readonly ReadMeasurement[]): ColumnRef {
  if (ref.cast !== undefined) return ref;
  const places = findPlaces(ref.name, measurements);
  if (isMixed(places)) throw refuseName(ref.name);
  if (places.has('tag')) return createRef(ref.name, 'tag');
  return places.size === 1 && places.has('field') ? createRef(ref.name, 'field') : ref;
}

/** InfluxDB's own name for the measurement in conditions. */
const MEASUREMENT_NAME = '_name';

/** What is no tag of Joblens is compared as a field, of the one type that can meet the condition. */
function castCompared(comparison: Comparison, measurements: readonly ReadMeasurement[]): Condition {
  const ref = castName(comparison.left, measurements);
  if (ref.name === MEASUREMENT_NAME) return comparison;
  const type = typeOf(comparison);
  if (ref.cast === 'field') return castTo(comparison, type);
  if (ref.cast !== undefined) return castTo(comparison, ref.cast);
  const others = measurements.filter(({ isOther }) => isOther === true);
  if (others.length === 0 || type !== 'string') return castTo(comparison, type);
  if (others.length < measurements.length) throw refuseName(ref.name);
  return castEither(comparison);
}

/** As SHOW compares: series have tags alone. */
export function castComparedToTag(comparison: Comparison): Comparison {
  return comparison.left.name === MEASUREMENT_NAME ? comparison : castTo(comparison, 'tag');
}

function castTo<C extends Comparison>(comparison: C, cast: 'tag' | FieldCast): C {
  return freezeNode({ ...comparison, left: createRef(comparison.left.name, cast) });
}

function typeOf(comparison: Comparison): FieldCast {
  if (comparison.kind === 'match' || comparison.right.kind === 'string') return 'string';
  return comparison.right.kind === 'boolean' ? 'boolean' : 'float';
}

/** A text in what other programs write, whose tags are not known: the tag or the field, whichever is there. */
function castEither(comparison: Comparison): Condition {
  const isFinding =
    comparison.kind === 'match'
      ? comparison.operator === '=~'
      : comparison.operator === '=' && comparison.right.value !== '';
  const either = isFinding && createOr([castTo(comparison, 'tag'), castTo(comparison, 'string')]);
  if (either) return either;
  const shown = JSON.stringify(comparison.left.name);
  const message = `Without it, ${shown} is another one as a tag than as a field: write ${shown}::tag or ${shown}::field`;
  throw new Refusal('tag-or-field', message);
}

/** These read any type. The others read numbers, and a store answers with an error where anybody has texts. */
const READING_ANY: ReadonlySet<string | undefined> = new Set([
  undefined,
  ...['count', 'first', 'last', 'distinct', 'mode', 'elapsed'],
]);

/** A field of Joblens, of the type that it has; of other programs, what a function of numbers reads. */
function castSelected(ref: ColumnRef, call: string | undefined, measurements: readonly ReadMeasurement[]): ColumnRef {
  const { name, cast } = ref;
  if (cast !== undefined && cast !== 'field') return ref;
  if (measurements.some(({ isOther }) => isOther === true))
    return READING_ANY.has(call) ? ref : createRef(name, 'float');
  const types = new Set(measurements.map((one) => findStoredType(one.name, name)).filter((type) => type !== undefined));
  const [type] = types;
  if (type === undefined) return ref;
  if (!READING_ANY.has(call)) return createRef(name, 'float');
  if (types.size > 1) throw refuseType(name);
  return createRef(name, CASTS[type]);
}

const CASTS: Readonly<Record<StoredType, FieldCast>> = { number: 'float', text: 'string' };

function findPlaces(name: string, measurements: readonly ReadMeasurement[]): ReadonlySet<JobPlace | undefined> {
  return new Set(measurements.map((one) => placeOf(one, name, measurements.length > 1)));
}

function refuseName(name: string): Refusal {
  const shown = JSON.stringify(name);
  return new Refusal(
    'mixed-sources',
    `${shown} may be a tag in some of these measurements and a field in others: write ${shown}::tag or ${shown}::field, and *::tag or *::field`
  );
}

function refuseType(name: string): Refusal {
  const shown = JSON.stringify(name);
  const message = `${shown} is a number in some of these measurements and a text in others: write ${shown}::float or ${shown}::string`;
  return new Refusal('mixed-sources', message);
}

/** A store that finds both, and the columns by itself, names the tag `job_1`, and knows a number for no text. */
function checkFound(columns: SelectStatement['columns'], measurements: readonly ReadMeasurement[]): void {
  const keys = new Set(measurements.map(({ name }) => findKeysType(name)));
  if (keys.has('number') && keys.has('text') && columns.some(({ expression }) => findsNames(expression))) {
    throw new Refusal('mixed-sources', 'Name the columns, or read measurements of numbers and of texts one by one');
  }
  if (!columns.some(({ expression }) => findsBoth(expression))) return;
  const names = new Set(measurements.flatMap(({ fieldsLikeTags = [] }) => fieldsLikeTags));
  for (const name of names) if (isMixed(findPlaces(name, measurements))) throw refuseName(name);
}

function findsBoth(expression: ColumnExpression): boolean {
  return expression.kind === 'regex' || (expression.kind === 'wildcard' && expression.only === undefined);
}

function isMixed(places: ReadonlySet<JobPlace | undefined>): boolean {
  return places.has('tag') && places.has('field');
}
