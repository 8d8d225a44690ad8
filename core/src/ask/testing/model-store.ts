import type { Ask } from '../reading/reading.js';
import type { Condition, SelectStatement } from '../../influxql/nodes.js';
import type { ResultSeries, ResultValue, StatementResult } from '../../influxql/response.js';
import type { Point } from '../../point/point.js';
import { formatRfc3339Nano } from '../../point/timestamp.js';

/** The results of all that is asked. */
export function answerAll(points: readonly Point[], asked: readonly Ask[]): readonly StatementResult[] {
  return asked.map((ask) => {
    const statement = ask.kind === 'apart' ? ask.statement : ask;
    if (statement.kind !== 'select') throw new Error(`no ${statement.kind} in the model`);
    return answerFrom(points, statement);
  });
}

/** Answers the statements about tables from points, oldest first, plainly: conditions, order, limit, groups, counts. */
export function answerFrom(points: readonly Point[], statement: SelectStatement): StatementResult {
  const [source] = statement.from;
  const name = source?.kind === 'measurement' ? source.name : '';
  const conditions = listConditions(statement.where);
  const isChosen = (point: Point): boolean => conditions.every((condition) => holds(point, condition));
  const chosen = points.filter((point) => point.measurement === name && isChosen(point));
  const groups = new Map<string, Point[]>();
  const tag = statement.groupBy?.dimensions.find((dimension) => dimension.kind === 'tag')?.name;
  for (const point of chosen) {
    const value = tag === undefined ? '' : (point.tags.get(tag) ?? '');
    const group = groups.get(value);
    if (group === undefined) groups.set(value, [point]);
    else group.push(point);
  }
  const series = [...groups].map(([value, members]) => ({
    name,
    ...(tag !== undefined && { tags: { [tag]: value } }),
    ...createTable(statement, members),
  }));
  return { statement_id: 0, ...(series.length > 0 && { series }) };
}

/** All of which have to hold. */
function listConditions(where: Condition | undefined): readonly Condition[] {
  if (where === undefined) return [];
  return where.kind === 'and' ? [...listConditions(where.left), ...listConditions(where.right)] : [where];
}

function holds(point: Point, condition: Condition): boolean {
  if (condition.kind === 'compare') return point.tags.get(condition.left.name) === String(condition.right.value);
  if (condition.kind !== 'time' || condition.right.kind !== 'time') {
    throw new Error(`no ${condition.kind} in the model`);
  }
  const { timeNs } = condition.right;
  if (condition.operator === '>=') return point.timeNs >= timeNs;
  if (condition.operator === '>') return point.timeNs > timeNs;
  return condition.operator === '<=' ? point.timeNs <= timeNs : point.timeNs < timeNs;
}

function createTable(statement: SelectStatement, points: readonly Point[]): Pick<ResultSeries, 'columns' | 'values'> {
  const time = statement.groupBy?.dimensions.find((dimension) => dimension.kind === 'time');
  const columns = ['time', ...statement.columns.map(({ expression, alias }) => alias ?? nameOf(expression))];
  if (time !== undefined) return { columns, values: aggregate(statement, points, time.intervalNs) };
  if (statement.columns.some(({ expression }) => expression.kind === 'call')) {
    return { columns, values: [countFields(statement, points)] };
  }
  const names = statement.columns.map(({ expression }) => nameOf(expression));
  const rows = points.filter(({ fields }) => names.some((column) => fields.has(column)));
  if (statement.orderBy === 'DESC') rows.reverse();
  const values = rows
    .slice(0, statement.limit)
    .map((point) => [formatRfc3339Nano(point.timeNs), ...names.map((column) => readColumn(point, column))]);
  return { columns, values };
}

function countFields({ columns }: SelectStatement, points: readonly Point[]): ResultValue[] {
  const counts = columns.map(
    ({ expression }) => points.filter((point) => readField(point, nameOf(expression)) !== null).length
  );
  return ['1970-01-01T00:00:00Z', ...counts];
}

function aggregate(statement: SelectStatement, points: readonly Point[], intervalNs: bigint): ResultValue[][] {
  const starts = [...new Set(points.map(({ timeNs }) => timeNs - (timeNs % intervalNs)))];
  return starts.map((startNs) => {
    const members = points.filter(({ timeNs }) => timeNs - (timeNs % intervalNs) === startNs);
    const values = statement.columns.map(({ expression }) => {
      const numbers = members.map((point) => readField(point, nameOf(expression))).filter((value) => value !== null);
      if (numbers.length === 0) return null;
      const isMin = expression.kind === 'call' && expression.name === 'min';
      return numbers.reduce((best, value) => (value < best === isMin ? value : best));
    });
    return [formatRfc3339Nano(startNs), ...values];
  });
}

function nameOf(expression: SelectStatement['columns'][number]['expression']): string {
  if (expression.kind === 'ref') return expression.name;
  return expression.kind === 'call' && expression.argument.kind === 'ref' ? expression.argument.name : '';
}

function readField(point: Point, name: string): number | null {
  const value = point.fields.get(name);
  return typeof value === 'number' ? value : null;
}

function readColumn(point: Point, name: string): ResultValue {
  const value = point.fields.get(name);
  return typeof value === 'string' ? value : (readField(point, name) ?? point.tags.get(name) ?? null);
}
