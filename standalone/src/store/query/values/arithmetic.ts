import type { ArithmeticOperator } from '@joblens/core/influxql/nodes';
import type { Cell } from './result-batch.js';

/**
 * Arithmetic as InfluxDB 1.6 does it (influxql.ValuerEval with IntegerFloatDivision): of integers alone an integer, but
 * for the quotient; a division by zero is 0; null where a value is missing or of another type.
 */
export function calculate(operator: ArithmeticOperator, left: Cell, right: Cell): Cell {
  if (typeof left === 'bigint' && typeof right === 'bigint') return calculateIntegers(operator, left, right);
  if (typeof left === 'boolean' && typeof right === 'boolean') return calculateBooleans(operator, left, right);
  if (!isNumber(left) || !isNumber(right)) return null;
  return calculateFloats(operator, Number(left), Number(right));
}

function isNumber(cell: Cell): cell is number | bigint {
  return typeof cell === 'number' || typeof cell === 'bigint';
}

function calculateIntegers(operator: ArithmeticOperator, left: bigint, right: bigint): Cell {
  switch (operator) {
    case '+':
      return BigInt.asIntN(64, left + right);
    case '-':
      return BigInt.asIntN(64, left - right);
    case '*':
      return BigInt.asIntN(64, left * right);
    case '/':
      return right === 0n ? 0 : Number(left) / Number(right);
    case '%':
      return right === 0n ? 0n : left % right;
    case '&':
      return left & right;
    case '|':
      return left | right;
    case '^':
      return left ^ right;
  }
}

function calculateFloats(operator: ArithmeticOperator, left: number, right: number): Cell {
  switch (operator) {
    case '+':
      return left + right;
    case '-':
      return left - right;
    case '*':
      return left * right;
    case '/':
      return right === 0 ? 0 : left / right;
    case '%':
      return left % right;
    default:
      return null;
  }
}

function calculateBooleans(operator: ArithmeticOperator, left: boolean, right: boolean): Cell {
  switch (operator) {
    case '&':
      return left && right;
    case '|':
      return left || right;
    case '^':
      return left !== right;
    default:
      return null;
  }
}
