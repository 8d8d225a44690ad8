import type { Condition, Literal } from '@joblens/core/influxql/nodes';
import { type Measurement, nameTable, type Series } from '../kept/catalog.js';
import { columnOf, type Field } from '../kept/field.js';
import type { RegexMatcher } from './values/regex-matcher.js';
import { evaluateTagAtom, evaluateTags, resolveTarget } from './series-filter.js';
import { SqlParameters } from '../kept/sql-text.js';
import type { TimeRange } from '@joblens/core/influxql/time-range';

export interface SelectedSeries {
  readonly series: Series;
  /** Index of the group (tag values of GROUP BY) that the series belongs to. */
  readonly group: number;
}

export interface PointsRequest {
  readonly measurement: Measurement;
  readonly selected: readonly SelectedSeries[];
  readonly range: TimeRange;
  readonly condition: Condition | undefined;
  readonly matches: RegexMatcher;
}

/**
 * Writes the FROM and WHERE of a query over some series of one measurement. A joined list holds everything that differs
 * between the series (group, positions of fields, the part of a condition that tags decide). The rest is written into
 * the text.
 */
export class PointsSource {
  readonly parameters = new SqlParameters();
  readonly #columns: string[] = [];
  readonly #known = new Map<Field, string>();
  readonly #request: PointsRequest;

  constructor(request: PointsRequest) {
    this.#request = request;
  }

  /** Group index of a row. */
  group(): string {
    return this.#integers(this.#request.selected.map(({ group }) => group));
  }

  /** Value of a field in a row; NULL if the row has none. */
  value(field: Field | undefined): string {
    if (!field) return 'NULL';
    const known = this.#known.get(field);
    if (known !== undefined) return known;
    const positions = this.#request.selected.map(({ series }) => series.layout.positions.get(field) ?? 0);
    const position = this.#integers(positions);
    const element = `p.${columnOf(field)}[${position}]`;
    const value = field.type === 'boolean' ? `CAST(${element} AS BOOLEAN)` : element;
    this.#known.set(field, value);
    return value;
  }

  /** FROM and WHERE. Call it last: it needs to know which lists the other parts joined. */
  from(predicates: readonly string[] = []): string {
    const { selected, range, condition, measurement, matches } = this.#request;
    const isDecidedByTags = selected.every(
      ({ series }) => evaluateTags(condition, measurement, series, matches) === true
    );
    const rest = condition && !isDecidedByTags ? [this.#condition(condition)] : [];
    const times = [
      ...(range.fromNs === undefined ? [] : [`p.time >= ${this.parameters.bigint(range.fromNs)}`]),
      ...(range.toNs === undefined ? [] : [`p.time <= ${this.parameters.bigint(range.toNs)}`]),
    ];
    const series = this.#seriesSource();
    const where = [...series.predicates, ...times, ...rest, ...predicates].join(' AND ');
    return `FROM ${nameTable(measurement.table)} p${series.join}${where === '' ? '' : ` WHERE ${where}`}`;
  }

  #seriesSource(): { readonly join: string; readonly predicates: readonly string[] } {
    const ids = this.#request.selected.map(({ series }) => series.id);
    const [first] = ids;
    if (this.#columns.length === 0) {
      if (ids.length === 1 && first !== undefined) return { join: '', predicates: [`p.series = ${first}`] };
      return { join: '', predicates: [`p.series IN (SELECT unnest(${this.parameters.integers(ids)}))`] };
    }
    const columns = [`unnest(${this.parameters.integers(ids)}) AS id`, ...this.#columns].join(', ');
    return { join: ` JOIN (SELECT ${columns}) s ON p.series = s.id`, predicates: [] };
  }

  #integers(values: readonly number[]): string {
    const [first = 0] = values;
    if (values.every((value) => value === first)) return String(first);
    return this.#join(this.parameters.integers(values));
  }

  #booleans(values: readonly boolean[]): string {
    const [first = false] = values;
    if (values.every((value) => value === first)) return first ? 'TRUE' : 'FALSE';
    return this.#join(this.parameters.booleans(values));
  }

  #join(list: string): string {
    const name = `c${this.#columns.length}`;
    this.#columns.push(`unnest(${list}) AS ${name}`);
    return `s.${name}`;
  }

  #condition(condition: Condition): string {
    switch (condition.kind) {
      case 'and':
      case 'or': {
        const operator = condition.kind === 'and' ? 'AND' : 'OR';
        return `(${this.#condition(condition.left)} ${operator} ${this.#condition(condition.right)})`;
      }
      case 'time':
        return 'TRUE';
      default: {
        const target = resolveTarget(condition.left, this.#request.measurement);
        if (target.kind === 'field') return this.#fieldAtom(condition, target.field);
        const values = this.#request.selected.map(({ series }) => series.tags.get(target.key) ?? '');
        return this.#booleans(values.map((value) => evaluateTagAtom(condition, value, this.#request.matches)));
      }
    }
  }

  /** A comparison with a literal of a type other than the field's is false, even with `!=`. */
  #fieldAtom(atom: Extract<Condition, { kind: 'compare' | 'match' }>, field: Field | undefined): string {
    if (!field) return 'FALSE';
    const value = this.value(field);
    if (atom.kind === 'match') {
      if (field.type !== 'string') return 'FALSE';
      const match = `regexp_matches(${value}, ${this.parameters.text(atom.source)})`;
      return atom.operator === '=~' ? match : `NOT ${match}`;
    }
    return this.#comparison(atom, field, value);
  }

  #comparison({ right, operator }: Extract<Condition, { kind: 'compare' }>, field: Field, value: string): string {
    const isOrdering = operator !== '=' && operator !== '!=';
    const isNumber = right.kind === 'number' || right.kind === 'integer';
    const isComparable = isNumber ? isNumeric(field) : field.type === right.kind && !isOrdering;
    return isComparable ? `${value} ${operator} ${this.#literal(right)}` : 'FALSE';
  }

  #literal(literal: Literal): string {
    switch (literal.kind) {
      case 'string':
        return this.parameters.text(literal.value);
      case 'boolean':
        return this.parameters.boolean(literal.value);
      case 'number':
        return this.parameters.double(literal.value);
      case 'integer':
        return this.parameters.bigint(literal.value);
    }
  }
}

function isNumeric(field: Field): boolean {
  return field.type === 'float' || field.type === 'integer';
}
