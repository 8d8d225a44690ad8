import { MAX_TIME_NS, MIN_TIME_NS } from '../point/line-protocol.js';
import type { Condition, TimeOperator } from './nodes.js';

/** Inclusive bounds. A missing one is the end of InfluxDB's range of times. */
export interface TimeRange {
  readonly fromNs?: bigint;
  readonly toNs?: bigint;
}

export interface SplitCondition {
  readonly range: TimeRange;
  /** The rest of the condition, without the comparisons with time. */
  readonly condition?: Condition;
}

/**
 * Takes the time bounds out of a condition. As in InfluxDB 1.x, all of them apply together, even those in an OR
 * (influxql.ConditionExpr intersects the ranges of both sides of AND and of OR).
 */
export function splitTimeRange(condition: Condition | undefined, nowNs: bigint): SplitCondition {
  if (!condition) return { range: {} };
  switch (condition.kind) {
    case 'time': {
      const { right } = condition;
      const timeNs = right.kind === 'now' ? nowNs + right.offsetNs : right.timeNs;
      return { range: rangeOf(condition.operator, clamp(timeNs)) };
    }
    case 'and':
    case 'or': {
      const left = splitTimeRange(condition.left, nowNs);
      const right = splitTimeRange(condition.right, nowNs);
      const range = intersect(left.range, right.range);
      if (left.condition && right.condition) {
        return { range, condition: { ...condition, left: left.condition, right: right.condition } };
      }
      const rest = left.condition ?? right.condition;
      return rest ? { range, condition: rest } : { range };
    }
    default:
      return { range: {}, condition };
  }
}

function rangeOf(operator: TimeOperator, timeNs: bigint): TimeRange {
  switch (operator) {
    case '=':
      return { fromNs: timeNs, toNs: timeNs };
    case '<':
      return { toNs: timeNs - 1n };
    case '<=':
      return { toNs: timeNs };
    case '>':
      return { fromNs: timeNs + 1n };
    case '>=':
      return { fromNs: timeNs };
  }
}

/** The times that are in both. */
export function intersect(a: TimeRange, b: TimeRange): TimeRange {
  const fromNs = a.fromNs === undefined || (b.fromNs !== undefined && b.fromNs > a.fromNs) ? b.fromNs : a.fromNs;
  const toNs = a.toNs === undefined || (b.toNs !== undefined && b.toNs < a.toNs) ? b.toNs : a.toNs;
  return { ...(fromNs !== undefined && { fromNs }), ...(toNs !== undefined && { toNs }) };
}

function clamp(timeNs: bigint): bigint {
  if (timeNs < MIN_TIME_NS) return MIN_TIME_NS;
  return timeNs > MAX_TIME_NS ? MAX_TIME_NS : timeNs;
}
