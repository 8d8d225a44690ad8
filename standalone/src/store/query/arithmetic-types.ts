import type { AggregateCall, ColumnExpression, ColumnRef, FunctionCall } from '@joblens/core/influxql/nodes';
import { precedenceOf } from '@joblens/core/influxql/parse-expression';
import { calculate } from './values/arithmetic.js';
import type { Cell } from './values/result-batch.js';
import type { Names } from './plan-parts.js';
import { StatementError } from './values/statement-error.js';

/** What an operand is, as InfluxDB names it. */
type OperandType = 'float' | 'integer' | 'string' | 'boolean' | 'tag';

const ZEROS: Readonly<Record<OperandType, Cell>> = { float: 0, integer: 0n, string: '', boolean: false, tag: '' };
const OF_FLOATS: readonly string[] = [
  'mean',
  'median',
  'stddev',
  'derivative',
  'non_negative_derivative',
  'moving_average',
];
const OF_INTEGERS: readonly string[] = ['count', 'elapsed'];

/**
 * The type of an expression; undefined where it is not known. Throws, as InfluxDB does, where an operator takes no such
 * types: it tries the operator on their zeros (influxql.TypeValuerEval).
 */
export function checkArithmetic(expression: ColumnExpression, names: Names): OperandType | undefined {
  switch (expression.kind) {
    case 'number':
      return 'float';
    case 'integer':
      return 'integer';
    case 'ref':
      return typeOfRef(expression, names);
    case 'call':
    case 'function':
      return typeOfCall(expression, names);
    case 'binary': {
      const left = checkArithmetic(expression.left, names);
      const right = checkArithmetic(expression.right, names);
      if (left === undefined || right === undefined) return left ?? right;
      const type = typeOfCell(calculate(expression.operator, ZEROS[left], ZEROS[right]));
      if (type !== undefined) return type;
      throw new StatementError(
        `type error: ${printTyped(expression, names)}: incompatible types: ${left} and ${right}`
      );
    }
    default:
      return undefined;
  }
}

function typeOfRef({ name, cast }: ColumnRef, { fields, tags }: Names): OperandType | undefined {
  if (cast === 'tag') return 'tag';
  if (cast !== undefined && cast !== 'field') return cast;
  const types = fields.get(name);
  const [only, ...others] = types ?? [];
  if (only !== undefined) return others.length === 0 ? only : undefined;
  return cast === undefined && tags.includes(name) ? 'tag' : undefined;
}

function typeOfCall(call: AggregateCall | FunctionCall, names: Names): OperandType | undefined {
  if (OF_FLOATS.includes(call.name)) return 'float';
  if (OF_INTEGERS.includes(call.name)) return 'integer';
  const { argument } = call;
  return argument.kind === 'wildcard' || argument.kind === 'regex' ? undefined : checkArithmetic(argument, names);
}

function typeOfCell(cell: Cell): OperandType | undefined {
  if (typeof cell === 'number') return 'float';
  if (typeof cell === 'bigint') return 'integer';
  return typeof cell === 'boolean' ? 'boolean' : undefined;
}

/** An expression as InfluxDB's error quotes it: names with their types. */
function printTyped(expression: ColumnExpression, names: Names): string {
  switch (expression.kind) {
    case 'number':
    case 'integer':
      return String(expression.value);
    case 'ref': {
      const type = typeOfRef(expression, names);
      return type === undefined ? expression.name : `${expression.name}::${type}`;
    }
    case 'call':
    case 'function':
      return `${expression.name}(${printTyped(expression.argument, names)})`;
    case 'binary': {
      const own = precedenceOf(expression.operator);
      const side = (inner: ColumnExpression, isRight: boolean): string => {
        const text = printTyped(inner, names);
        if (inner.kind !== 'binary') return text;
        const precedence = precedenceOf(inner.operator);
        return precedence < own || (isRight && precedence === own) ? `(${text})` : text;
      };
      return `${side(expression.left, false)} ${expression.operator} ${side(expression.right, true)}`;
    }
    default:
      return '*';
  }
}
