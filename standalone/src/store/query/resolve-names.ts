import type { ColumnExpression, ColumnRef, Condition, SelectColumn } from '@joblens/core/influxql/nodes';
import type { Measurement } from '../kept/catalog.js';

/**
 * Treats each name that is a field in one measurement of a FROM list as a field in all of them, as InfluxDB does. A
 * measurement without that field then has no value there, rather than an empty tag.
 */
export function castColumns(columns: readonly SelectColumn[], measurements: readonly Measurement[]): SelectColumn[] {
  return columns.map((column) => ({ ...column, expression: castExpression(column.expression, measurements) }));
}

/** Arguments of calls are fields in any case. */
function castExpression(expression: ColumnExpression, measurements: readonly Measurement[]): ColumnExpression {
  if (expression.kind === 'ref') return castRef(expression, measurements);
  if (expression.kind !== 'binary') return expression;
  const left = castExpression(expression.left, measurements);
  return { ...expression, left, right: castExpression(expression.right, measurements) };
}

/**
 * The same condition as a tree that is as flat as possible. A chain of AND or OR arrives as a tree as deep as the chain
 * is long. That is too deep for code that recurses per level, as this program and DuckDB do.
 */
export function balanceCondition(condition: Condition): Condition {
  const { kind } = condition;
  if (kind !== 'and' && kind !== 'or') return condition;
  const operands: Condition[] = [];
  let rest: Condition = condition;
  while (rest.kind === kind) {
    operands.push(balanceCondition(rest.right));
    rest = rest.left;
  }
  operands.push(balanceCondition(rest));
  return joinBalanced(kind, operands.reverse());
}

function joinBalanced(kind: 'and' | 'or', operands: readonly Condition[]): Condition {
  const [only] = operands;
  if (operands.length === 1 && only) return only;
  const middle = operands.length >> 1;
  return {
    kind,
    left: joinBalanced(kind, operands.slice(0, middle)),
    right: joinBalanced(kind, operands.slice(middle)),
  };
}

export function castCondition(condition: Condition, measurements: readonly Measurement[]): Condition {
  switch (condition.kind) {
    case 'and':
    case 'or':
      return {
        ...condition,
        left: castCondition(condition.left, measurements),
        right: castCondition(condition.right, measurements),
      };
    case 'time':
      return condition;
    default:
      return { ...condition, left: castRef(condition.left, measurements) };
  }
}

function castRef(ref: ColumnRef, measurements: readonly Measurement[]): ColumnRef {
  const isField = ref.cast === undefined && measurements.some(({ fields }) => fields.has(ref.name));
  return isField ? { ...ref, cast: 'field' } : ref;
}
