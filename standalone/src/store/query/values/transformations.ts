import type { FunctionCall, FunctionName, FunctionParameter } from '@joblens/core/influxql/nodes';
import { NS_PER_S } from '@joblens/core/numbers/time-units';
import { type StoredPoint, compareCells } from './point-folds.js';
import type { Cell } from './result-batch.js';
import { StatementError } from './statement-error.js';

/** Functions that make a point of a point and those before it. */
export const TRANSFORMATIONS: ReadonlySet<FunctionName> = new Set<FunctionName>([
  'derivative',
  'non_negative_derivative',
  'difference',
  'non_negative_difference',
  'moving_average',
  'cumulative_sum',
  'elapsed',
]);

const DEFAULT_UNIT_NS = NS_PER_S;

/** How many points before a range a transformation of buckets looks back at. */
export function countLookBack({ name, parameters }: FunctionCall): number {
  if (name === 'cumulative_sum') return 0;
  const [window] = parameters;
  return name === 'moving_average' && window?.kind === 'integer' ? Math.max(1, Number(window.value) - 1) : 1;
}

/** Throws, in InfluxDB's words, if the parameters do not fit (query/compile.go). */
export function checkTransformation({ name, parameters }: FunctionCall): void {
  const takesUnit = name === 'derivative' || name === 'non_negative_derivative' || name === 'elapsed';
  const expected = name === 'moving_average' ? 2 : 1;
  const count = parameters.length + 1;
  if (takesUnit ? count > 2 : count !== expected) {
    const range = takesUnit ? 'at least 1 but no more than 2' : String(expected);
    throw new StatementError(`invalid number of arguments for ${name}, expected ${range}, got ${count}`);
  }
  const [parameter] = parameters;
  if (parameter !== undefined) checkParameter(name, parameter, takesUnit);
}

function checkParameter(name: FunctionName, parameter: FunctionParameter, takesUnit: boolean): void {
  if (takesUnit && (parameter.kind !== 'duration' || parameter.durationNs <= 0n)) {
    throw new StatementError(`${name} takes a duration above zero as its second argument`);
  }
  if (name === 'moving_average' && (parameter.kind !== 'integer' || parameter.value <= 1n)) {
    const got = parameter.kind === 'integer' ? `, got ${parameter.value}` : '';
    throw new StatementError(`moving_average window must be greater than 1${got}`);
  }
}

export interface TransformOptions {
  readonly isDescending: boolean;
  /** The length of the buckets that the points stand for, which is the unit of a derivative that names none. */
  readonly intervalNs: bigint | undefined;
}

/** The points that a transformation makes of these, which come in the order of the answer. */
export function transform(
  call: FunctionCall,
  points: readonly StoredPoint[],
  { isDescending, intervalNs = DEFAULT_UNIT_NS }: TransformOptions
): StoredPoint[] {
  const [parameter] = call.parameters;
  switch (call.name) {
    case 'cumulative_sum':
      return cumulate(points);
    case 'moving_average':
      return average(points, parameter?.kind === 'integer' ? Number(parameter.value) : 1);
    case 'elapsed': {
      const unitNs = parameter?.kind === 'duration' ? parameter.durationNs : 1n;
      return pairs(points, (previous, point) => (point.timeNs - previous.timeNs) / unitNs);
    }
    case 'difference':
      return pairs(points, (previous, point) => difference(previous, point));
    case 'non_negative_difference':
      return pairs(points, (previous, point) => notNegative(difference(previous, point)));
    default: {
      const unitNs = parameter?.kind === 'duration' ? parameter.durationNs : intervalNs;
      const derive = (previous: StoredPoint, point: StoredPoint): Cell =>
        derivative(previous, point, isDescending ? -unitNs : unitNs);
      if (call.name === 'derivative') return pairs(points, derive);
      return pairs(points, (previous, point) => notNegative(derive(previous, point)));
    }
  }
}

/** One point for each but the first, unless there is no value for it. */
function pairs(
  points: readonly StoredPoint[],
  combine: (previous: StoredPoint, point: StoredPoint) => Cell
): StoredPoint[] {
  const result: StoredPoint[] = [];
  let previous: StoredPoint | undefined;
  for (const point of points) {
    const value = previous === undefined ? null : combine(previous, point);
    if (value !== null) result.push({ timeNs: point.timeNs, value, others: [] });
    previous = point;
  }
  return result;
}

function difference({ value: from }: StoredPoint, { value: to }: StoredPoint): Cell {
  if (typeof from === 'bigint' && typeof to === 'bigint') return BigInt.asIntN(64, to - from);
  return Number(to) - Number(from);
}

function notNegative(value: Cell): Cell {
  return value !== null && compareCells(value, typeof value === 'bigint' ? 0n : 0) < 0 ? null : value;
}

/** Null for two points at one time. */
function derivative(previous: StoredPoint, point: StoredPoint, unitNs: bigint): Cell {
  const elapsedNs = point.timeNs - previous.timeNs;
  if (elapsedNs === 0n) return null;
  return (Number(point.value) - Number(previous.value)) / (Number(elapsedNs) / Number(unitNs));
}

function cumulate(points: readonly StoredPoint[]): StoredPoint[] {
  let total: number | bigint | undefined;
  return points.map(({ timeNs, value }) => {
    if (typeof value === 'bigint' && typeof total !== 'number') total = BigInt.asIntN(64, (total ?? 0n) + value);
    else total = Number(total ?? 0) + Number(value);
    return { timeNs, value: total, others: [] };
  });
}

/** The mean of each point and those before it, once there are so many. */
function average(points: readonly StoredPoint[], window: number): StoredPoint[] {
  const result: StoredPoint[] = [];
  let total = 0;
  points.forEach(({ timeNs, value }, i) => {
    total += Number(value);
    const old = points[i - window];
    if (old !== undefined) total -= Number(old.value);
    if (i >= window - 1) result.push({ timeNs, value: total / window, others: [] });
  });
  return result;
}
