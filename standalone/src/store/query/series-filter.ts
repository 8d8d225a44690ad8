import type { ColumnRef, Condition } from '@joblens/core/influxql/nodes';
import type { Measurement, Series } from '../kept/catalog.js';
import type { Field } from '../kept/field.js';
import type { RegexMatcher, RegexRequest } from './values/regex-matcher.js';
import { StatementError } from './values/statement-error.js';

type Atom = Extract<Condition, { kind: 'compare' | 'match' }>;

/** The meaning of a name in a condition, in one measurement: a field if there is one of that name, else a tag. */
export type ConditionTarget =
  { readonly kind: 'field'; readonly field: Field | undefined } | { readonly kind: 'tag'; readonly key: string };

export function resolveTarget(ref: ColumnRef, measurement: Measurement): ConditionTarget {
  const field = measurement.fields.get(ref.name);
  if (ref.cast === 'tag' || (ref.cast === undefined && !field)) return { kind: 'tag', key: ref.name };
  return { kind: 'field', field: field && isCastOf(ref.cast, field) ? field : undefined };
}

/** A field of another type than the cast's is none. */
function isCastOf(cast: ColumnRef['cast'], { type }: Field): boolean {
  if (cast === undefined || cast === 'field' || cast === 'tag') return true;
  return cast === type || (cast === 'float' && type === 'integer');
}

/** true or false if the tags alone decide; undefined if it depends on the fields of a row. */
export type Truth = boolean | undefined;

/** Evaluates a condition on the tags of a series. As in InfluxDB, an absent tag is the empty text. */
export function evaluateTags(
  condition: Condition | undefined,
  measurement: Measurement,
  series: Series,
  matches: RegexMatcher
): Truth {
  if (!condition) return true;
  switch (condition.kind) {
    case 'and':
    case 'or': {
      const decisive = condition.kind === 'or';
      const left = evaluateTags(condition.left, measurement, series, matches);
      if (left === decisive) return decisive;
      const right = evaluateTags(condition.right, measurement, series, matches);
      if (right === decisive) return decisive;
      return left === undefined || right === undefined ? undefined : !decisive;
    }
    case 'time':
      return true;
    default: {
      const target = resolveTarget(condition.left, measurement);
      if (target.kind === 'field') return target.field ? undefined : false;
      return evaluateTagAtom(condition, series.tags.get(target.key) ?? '', matches);
    }
  }
}

export function evaluateTagAtom(atom: Atom, value: string, matches: RegexMatcher): boolean {
  if (atom.kind === 'match') return matches(atom.source, value) === (atom.operator === '=~');
  if (atom.right.kind !== 'string') return false;
  switch (atom.operator) {
    case '=':
      return value === atom.right.value;
    case '!=':
      return value !== atom.right.value;
    default:
      throw new StatementError('invalid tag comparison operator');
  }
}

/** The series of a measurement whose tags do not rule them out. */
export function filterSeries(
  condition: Condition | undefined,
  measurement: Measurement,
  matches: RegexMatcher
): Series[] {
  const candidates = narrow(condition, measurement) ?? measurement.series.values();
  return [...candidates].filter((series) => evaluateTags(condition, measurement, series, matches) !== false);
}

/**
 * The smallest set of series that the tag index gives for the equalities of the condition, outside and within its ORs.
 */
function narrow(condition: Condition | undefined, measurement: Measurement): readonly Series[] | undefined {
  if (condition?.kind === 'and') {
    const left = narrow(condition.left, measurement);
    const right = narrow(condition.right, measurement);
    if (!left || !right) return left ?? right;
    return left.length <= right.length ? left : right;
  }
  if (condition?.kind === 'or') {
    const left = narrow(condition.left, measurement);
    const right = left && narrow(condition.right, measurement);
    return right && [...new Set([...left, ...right])];
  }
  return condition?.kind === 'compare' && condition.operator === '=' ? findTagged(condition, measurement) : undefined;
}

function findTagged(
  { left, right }: Extract<Condition, { kind: 'compare' }>,
  measurement: Measurement
): readonly Series[] | undefined {
  const target = resolveTarget(left, measurement);
  if (target.kind === 'field' || right.kind !== 'string' || right.value === '') return undefined;
  return measurement.tagIndex.get(target.key)?.get(right.value) ?? [];
}

/** The regular expressions on tags in a condition, each with the values that it must be tried on. */
export function* listTagRegexes(condition: Condition | undefined, measurement: Measurement): Generator<RegexRequest> {
  if (!condition) return;
  if (condition.kind === 'and' || condition.kind === 'or') {
    yield* listTagRegexes(condition.left, measurement);
    yield* listTagRegexes(condition.right, measurement);
  } else if (condition.kind === 'match') {
    const target = resolveTarget(condition.left, measurement);
    const texts = target.kind === 'tag' ? [...(measurement.tagIndex.get(target.key)?.keys() ?? [])] : [];
    yield { source: condition.source, texts };
  }
}
