import { createRef } from '../influxql/build.js';
import type { ColumnExpression, ColumnRef, SelectStatement } from '../influxql/nodes.js';
import { rewriteStatement } from '../influxql/rewrite.js';
import { type JobPlace, placeOf, type ReadMeasurement } from './measurements-read.js';
import { Refusal } from './refusal.js';

/**
 * The columns of a SELECT that reads measurements, as the tags or fields that they are. A store gives a name one type
 * for all that the statement reads, and a field of it counts before a tag. So a field of that name, in a measurement of
 * others or written by them into the same one, would change what everybody's conditions find.
 */
export function castNames(select: SelectStatement, measurements: readonly ReadMeasurement[]): SelectStatement {
  checkFound(select.columns, measurements);
  return rewriteStatement(select, {
    compared: (ref) => castCompared(castName(ref, measurements), measurements),
    selected: (ref) => castName(ref, measurements),
  });
}

function castName(ref: ColumnRef, measurements: readonly ReadMeasurement[]): ColumnRef {
  if (ref.cast !== undefined) return ref;
  const places = findPlaces(ref.name, measurements);
  if (isMixed(places)) throw refuseName(ref.name);
  if (places.has('tag')) return createRef(ref.name, 'tag');
  return places.size === 1 && places.has('field') ? createRef(ref.name, 'field') : ref;
}

/**
 * What is no tag of Joblens is compared as a field. Tags of other programs are not known. InfluxDB still meets
 * `"x"::field != 'y'` where nobody has an x: that tells whether anybody has one.
 */
function castCompared(ref: ColumnRef, measurements: readonly ReadMeasurement[]): ColumnRef {
  const others = measurements.filter(({ isOther }) => isOther === true);
  if (ref.cast !== undefined || ref.name.startsWith('_') || others.length === measurements.length) return ref;
  if (others.length > 0) throw refuseName(ref.name);
  return createRef(ref.name, 'field');
}

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

/** A store that finds both, and the columns by itself, names the tag `job_1`. */
function checkFound(columns: SelectStatement['columns'], measurements: readonly ReadMeasurement[]): void {
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
