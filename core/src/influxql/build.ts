import type {
  AggregateName,
  ColumnCast,
  ColumnRef,
  CompareOperator,
  Condition,
  Dimension,
  Literal,
  SelectColumn,
  SelectStatement,
  Source,
  TimeOperator,
} from './nodes.js';

/** Freezes a node and its parts. A part that is frozen already needs no look inside. */
export function freezeNode<const T extends object>(node: T): Readonly<T> {
  for (const part of Object.values(node) as unknown[]) {
    if (typeof part === 'object' && part !== null && !Object.isFrozen(part)) freezeNode(part);
  }
  return Object.freeze(node);
}

export function createSelect(parts: Omit<SelectStatement, 'kind'>): SelectStatement {
  return freezeNode({ kind: 'select', ...parts });
}

export function createMeasurement(name: string): Source {
  return freezeNode({ kind: 'measurement', name });
}

export function createRef(name: string, cast?: ColumnCast): ColumnRef {
  return freezeNode({ kind: 'ref', name, ...(cast === undefined ? {} : { cast }) });
}

export function createColumn(name: string, cast?: ColumnCast, alias?: string): SelectColumn {
  return freezeNode({ expression: createRef(name, cast), ...(alias === undefined ? {} : { alias }) });
}

export function createCallColumn(name: AggregateName, field: string, alias?: string): SelectColumn {
  const expression = freezeNode({ kind: 'call', name, argument: createRef(field) } as const);
  return freezeNode({ expression, ...(alias === undefined ? {} : { alias }) });
}

export function createTagDimension(name: string): Dimension {
  return freezeNode({ kind: 'tag', name });
}

export function createStringLiteral(value: string): Literal {
  return freezeNode({ kind: 'string', value });
}

export function createComparison(left: ColumnRef, operator: CompareOperator, right: Literal): Condition {
  return freezeNode({ kind: 'compare', left, operator, right });
}

/** `name` = `value` for a tag; an empty value also matches points without the tag. */
export function createTagEquals(name: string, value: string): Condition {
  return createComparison(createRef(name), '=', createStringLiteral(value));
}

export function createTimeComparison(operator: TimeOperator, timeNs: bigint): Condition {
  return freezeNode({ kind: 'time', operator, right: freezeNode({ kind: 'time', timeNs }) });
}

/** Joins the given conditions with AND; undefined when there is none. */
export function createAnd(conditions: ReadonlyArray<Condition | undefined>): Condition | undefined {
  return joinConditions('and', conditions);
}

/** Joins the given conditions with OR; undefined when there is none. */
export function createOr(conditions: ReadonlyArray<Condition | undefined>): Condition | undefined {
  return joinConditions('or', conditions);
}

function joinConditions(kind: 'and' | 'or', conditions: ReadonlyArray<Condition | undefined>): Condition | undefined {
  return conditions.reduce<Condition | undefined>((left, right) => {
    if (left === undefined) return right;
    return right === undefined ? left : freezeNode({ kind, left, right });
  }, undefined);
}
