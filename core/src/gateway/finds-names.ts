import type { ColumnExpression, FunctionCall } from '../influxql/nodes.js';

/** Does the store find the columns of an expression, or what a call in it is of? */
export function findsNames(expression: ColumnExpression | FunctionCall['argument']): boolean {
  switch (expression.kind) {
    case 'wildcard':
    case 'regex':
      return true;
    case 'call':
    case 'function':
      return findsNames(expression.argument);
    case 'binary':
      return findsNames(expression.left) || findsNames(expression.right);
    case 'ref':
    case 'number':
    case 'integer':
      return false;
  }
}
