import { createMeasurement, createSelect, createTagEquals, freezeNode } from '../../influxql/build.js';
import type { Condition, SelectStatement, Statement } from '../../influxql/nodes.js';
import type { Reading } from '../reading/reading.js';
import { listSeries, type ReadableResult } from '../reading/result-rows.js';
import { whereAll } from '../reading/selection.js';

/** Values of tags that a measurement has together, as they are stored; '' for points without the tag. */
export interface Combination {
  readonly measurement: string;
  readonly values: ReadonlyMap<string, string>;
  /** What tells its points from those of the others. */
  readonly conditions: readonly Condition[];
}

interface CombinationsRequest {
  readonly measurements: readonly string[];
  readonly tags: readonly string[];
  readonly conditions: ReadonlyArray<Condition | undefined>;
  /** The most that are looked for in each measurement. */
  readonly limit: number;
}

/** One request names so many of them. */
const MAX_STATEMENTS = 100;

/**
 * Finds which values of some tags a measurement has together. InfluxDB could give the first rows of each in one answer
 * (GROUP BY with LIMIT), but openGemini counts the rows of all of them together. So the tags are narrowed down, one
 * after the other, until no more than one of them has several values. An index answers, and no rows are read.
 */
function* findCombinations({
  measurements,
  tags,
  conditions,
  limit,
}: CombinationsRequest): Reading<readonly Combination[]> {
  const ask = (partial: Combination): Statement =>
    freezeNode({
      kind: 'showTagValues',
      from: [createMeasurement(partial.measurement)],
      key: freezeNode({ operator: 'in', names: tags.filter((tag) => !partial.values.has(tag)) }),
      ...whereAll(...conditions, ...partial.conditions),
    });
  const found: Combination[] = [];
  let open: readonly Combination[] = measurements.map((measurement) => ({
    ...{ measurement, values: new Map(), conditions: [] },
  }));
  while (open.length > 0) {
    const [asked, later] = [open.slice(0, MAX_STATEMENTS), open.slice(MAX_STATEMENTS)];
    const results = yield asked.map(ask);
    const parts = asked.map((partial, at) => narrow(partial, tags, results[at]));
    found.push(...parts.flatMap(({ found: ones }) => ones));
    open = limitEach([...later, ...parts.flatMap(({ open: ones }) => ones)], limit);
  }
  return limitEach(found, limit);
}

interface RowsRequest extends CombinationsRequest, Required<Pick<SelectStatement, 'orderBy'>> {
  /** The most rows of each combination; each comes with all of its fields. */
  readonly rows: number;
  /** Whether to get the rows of a combination. Default: yes. */
  readonly isWanted?: (combination: Combination) => boolean;
}

/** Finds combinations, and the first rows of each, or the newest, as a result each. */
export function* findCombinedRows({
  orderBy,
  rows,
  isWanted = () => true,
  ...request
}: RowsRequest): Reading<{ readonly found: readonly Combination[]; readonly results: readonly ReadableResult[] }> {
  const select = ({ measurement, conditions }: Combination): SelectStatement =>
    createSelect({
      columns: [{ expression: { kind: 'wildcard', only: 'field' } }],
      from: [createMeasurement(measurement)],
      ...whereAll(...request.conditions, ...conditions),
      ...{ orderBy, limit: rows },
    });
  const found = (yield* findCombinations(request)).filter(isWanted);
  return { found, results: found.length === 0 ? [] : yield found.map(select) };
}

interface Narrowed {
  readonly found: readonly Combination[];
  readonly open: readonly Combination[];
}

function narrow(
  { measurement, values, conditions }: Combination,
  tags: readonly string[],
  result: ReadableResult
): Narrowed {
  const known = readTagLists(result);
  // Where a tag has this value, points may lack all others.
  if (known.size === 0 && conditions.length === 0) return { found: [], open: [] };
  const lists = tags.filter((tag) => !values.has(tag)).map((tag) => [tag, known.get(tag) ?? ['']] as const);
  const [several, ...others] = lists.filter(([, list]) => list.length > 1);
  const single = lists.flatMap(([tag, list]) => (list.length === 1 ? [[tag, list[0] ?? ''] as const] : []));
  const base = new Map([...values, ...single]);
  if (several === undefined) return { found: [{ measurement, values: base, conditions }], open: [] };
  const [tag, list] = several;
  const ones = list.map((value) => ({
    measurement,
    values: new Map([...base, [tag, value]]),
    conditions: [...conditions, createTagEquals(tag, value)],
  }));
  return others.length === 0 ? { found: ones, open: [] } : { found: [], open: ones };
}

/** The values of each tag, and '' where there may be points without it beside others. */
function readTagLists(result: ReadableResult): ReadonlyMap<string, readonly string[]> {
  const lists = new Map<string, Set<string>>();
  for (const { columns, values } of listSeries(result)) {
    const [keyAt, valueAt] = [columns.indexOf('key'), columns.indexOf('value')];
    for (const row of values) {
      const [key, value] = [row[keyAt], row[valueAt]];
      if (typeof key !== 'string' || typeof value !== 'string') continue;
      const list = lists.get(key) ?? new Set();
      lists.set(key, list.add(value));
    }
  }
  const hasOthers = (tag: string, list: ReadonlySet<string>): boolean => tag === TASK || list.size > 1;
  return new Map([...lists].map(([tag, list]) => [tag, [...(hasOthers(tag, list) ? [''] : []), ...list]]));
}

/** The one tag of Joblens that a point may lack. */
const TASK = 'task';

function limitEach(found: readonly Combination[], limit: number): readonly Combination[] {
  const counts = new Map<string, number>();
  return found.filter(({ measurement }) => {
    const count = (counts.get(measurement) ?? 0) + 1;
    counts.set(measurement, count);
    return count <= limit;
  });
}
