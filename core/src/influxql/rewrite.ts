import { freezeNode } from './build.js';
import type {
  AggregateCall,
  ColumnExpression,
  ColumnRef,
  Condition,
  Dimension,
  FunctionCall,
  FunctionParameter,
  SelectStatement,
  ShowClauses,
  Source,
  Statement,
  TagKeyFilter,
} from './nodes.js';

/** What becomes of the parts of a statement. Each gets a part whose own parts are rewritten already. */
export interface Rewriter {
  /** A SELECT, also one in brackets. */
  readonly select?: (select: SelectStatement) => SelectStatement;
  /** What stands in FROM in place of a source. */
  readonly source?: (source: Source) => readonly Source[];
  /** The regular expression of a source, a column, a condition or a dimension. */
  readonly regex?: (source: string) => string;
  /** What a condition compares a column with. */
  readonly compared?: (comparison: Comparison) => Condition;
  /** A column that SELECT names; `call` is the function that reads it. */
  readonly selected?: (column: ColumnRef, call?: (AggregateCall | FunctionCall)['name']) => ColumnRef;
}

/** A condition on one column. */
export type Comparison = Extract<Condition, { readonly kind: 'compare' | 'match' }>;

/** A statement made anew where a part of it changes. A kind of node that is missing here does not compile. */
export function rewriteStatement<S extends Statement>(statement: S, rewriter: Rewriter): S;
export function rewriteStatement(statement: Statement, rewriter: Rewriter): Statement {
  switch (statement.kind) {
    case 'select':
      return rewriteSelect(statement, rewriter);
    case 'showMeasurements':
    case 'showTagKeys':
    case 'showFieldKeys':
    case 'showSeries':
    case 'dropSeries':
      return replaceParts(statement, rewriteClauses(statement, rewriter));
    case 'showTagValues':
    case 'showCardinality': {
      const key = statement.key && rewriteTagKey(statement.key, rewriter);
      return replaceParts(statement, { ...rewriteClauses(statement, rewriter), ...(key && { key }) });
    }
    case 'showDatabases':
    case 'showRetentionPolicies':
    case 'createDatabase':
      return statement;
  }
}

function rewriteTagKey(key: TagKeyFilter, rewriter: Rewriter): TagKeyFilter {
  return 'source' in key ? rewriteRegex(key, rewriter) : key;
}

function rewriteClauses(
  { from, where }: Pick<ShowClauses, 'from' | 'where'>,
  rewriter: Rewriter
): Pick<ShowClauses, 'from' | 'where'> {
  return {
    ...(from && {
      from: keepIfSame(
        from,
        from.flatMap((source) => rewriteSource(source, rewriter))
      ),
    }),
    ...(where && { where: rewriteCondition(where, rewriter) }),
  };
}

function rewriteSelect(select: SelectStatement, rewriter: Rewriter): SelectStatement {
  const { columns, groupBy } = select;
  const rewritten = replaceParts(select, {
    ...rewriteClauses(select, rewriter),
    columns: mapParts(columns, (one) => replaceParts(one, { expression: rewriteExpression(one.expression, rewriter) })),
    ...(groupBy && {
      groupBy: replaceParts(groupBy, {
        dimensions: mapParts(groupBy.dimensions, (one) => rewriteDimension(one, rewriter)),
      }),
    }),
  });
  return rewriter.select?.(rewritten) ?? rewritten;
}

function rewriteSource(source: Source, rewriter: Rewriter): readonly Source[] {
  const rewritten = rewriteInside(source, rewriter);
  return rewriter.source?.(rewritten) ?? [rewritten];
}

function rewriteInside(source: Source, rewriter: Rewriter): Source {
  switch (source.kind) {
    case 'measurement':
      return source;
    case 'measurementRegex':
      return rewriteRegex(source, rewriter);
    case 'subquery':
      return replaceParts(source, { select: rewriteSelect(source.select, rewriter) });
  }
}

function rewriteRegex<T extends { readonly source: string }>(node: T, { regex }: Rewriter): T {
  const source = regex?.(node.source) ?? node.source;
  return source === node.source ? node : freezeNode({ ...node, source });
}

function rewriteExpression(expression: ColumnExpression, rewriter: Rewriter): ColumnExpression {
  switch (expression.kind) {
    case 'regex':
      return rewriteRegex(expression, rewriter);
    case 'call':
    case 'function':
      return rewriteCall(expression, rewriter);
    case 'binary': {
      const [left, right] = [expression.left, expression.right].map((side) => rewriteExpression(side, rewriter));
      return replaceParts(expression, { ...(left && { left }), ...(right && { right }) });
    }
    case 'ref':
      return rewriter.selected?.(expression) ?? expression;
    case 'wildcard':
    case 'number':
    case 'integer':
      return expression;
  }
}

function rewriteCall(call: AggregateCall | FunctionCall, rewriter: Rewriter): AggregateCall | FunctionCall {
  const parameters =
    call.kind === 'function' ? mapParts(call.parameters, (one) => rewriteParameter(one, rewriter)) : undefined;
  return replaceParts<AggregateCall | FunctionCall>(call, {
    argument: rewriteArgument(call, rewriter),
    ...(parameters && { parameters }),
  });
}

function rewriteArgument(
  { name, argument }: AggregateCall | FunctionCall,
  rewriter: Rewriter
): FunctionCall['argument'] {
  switch (argument.kind) {
    case 'regex':
      return rewriteRegex(argument, rewriter);
    case 'call':
    case 'function':
      return rewriteCall(argument, rewriter);
    case 'ref':
      return rewriter.selected?.(argument, name) ?? argument;
    case 'wildcard':
      return argument;
  }
}

function rewriteParameter(parameter: FunctionParameter, { selected }: Rewriter): FunctionParameter {
  switch (parameter.kind) {
    case 'ref':
      return selected?.(parameter) ?? parameter;
    case 'number':
    case 'integer':
    case 'duration':
      return parameter;
  }
}

type Link = Extract<Condition, { readonly kind: 'and' | 'or' }>;

/** A chain nests to the left; it is followed in a loop, as a list of a thousand jobs must not exhaust the stack. */
function rewriteCondition(condition: Condition, rewriter: Rewriter): Condition {
  const links: Link[] = [];
  let first = condition;
  while (isLink(first)) {
    links.push(first);
    first = first.left;
  }
  return links.reduceRight<Condition>(
    (left, link) => replaceParts(link, { left, right: rewriteCondition(link.right, rewriter) }),
    rewriteComparison(first, rewriter)
  );
}

function isLink(condition: Condition): condition is Link {
  return condition.kind === 'and' || condition.kind === 'or';
}

function rewriteComparison(comparison: Exclude<Condition, Link>, rewriter: Rewriter): Condition {
  switch (comparison.kind) {
    case 'match': {
      const match = rewriteRegex(comparison, rewriter);
      return rewriter.compared?.(match) ?? match;
    }
    case 'compare':
      return rewriter.compared?.(comparison) ?? comparison;
    case 'time':
      return comparison;
  }
}

function rewriteDimension(dimension: Dimension, rewriter: Rewriter): Dimension {
  switch (dimension.kind) {
    case 'regex':
      return rewriteRegex(dimension, rewriter);
    case 'time':
    case 'tag':
    case 'wildcard':
      return dimension;
  }
}

/** The node itself where all these parts are those that it has. */
function replaceParts<T extends object>(node: T, parts: Partial<NoInfer<T>>): T {
  const isSame = Object.entries(parts).every(([name, part]) => (node as Record<string, unknown>)[name] === part);
  return isSame ? node : freezeNode({ ...node, ...parts });
}

function mapParts<T>(parts: readonly T[], change: (part: T) => T): readonly T[] {
  return keepIfSame(parts, parts.map(change));
}

function keepIfSame<T>(before: readonly T[], after: readonly T[]): readonly T[] {
  return after.length === before.length && after.every((part, at) => part === before[at]) ? before : after;
}
