import {
  createCallColumn,
  createComparison,
  createMeasurement,
  createRef,
  createSelect,
  createStringLiteral,
  createTagDimension,
  createTagEquals,
  freezeNode,
} from '../../influxql/build.js';
import type { SelectColumn, SelectStatement } from '../../influxql/nodes.js';
import { NS_PER_MS } from '../../numbers/time-units.js';
import { compareNatural } from '../../rows/natural-order.js';
import { LABEL_DAY_MS } from '../../schema/label-point.js';
import { MEASUREMENT } from '../../schema/measurements.js';
import type { Reading } from '../reading/reading.js';
import { listRows, listSeries, type ReadableResult, readTag } from '../reading/result-rows.js';
import { createTagCondition, type NameSelection, whereAll } from '../reading/selection.js';

/** The tag that `--experiment` writes. */
const EXPERIMENT_TAG = 'experiment';

/** Runs that share the tag `experiment`. */
export interface Experiment {
  readonly name: string;
  readonly runs: number;
  /** Whose runs they are, in natural order. */
  readonly users: readonly string[];
  /** The beginning of the day (UTC) in which its newest run began: labels tell no more. */
  readonly lastDayMs: number;
}

const IS_LABELLED = createComparison(createRef('job'), '!=', createStringLiteral(''));
const RUNS: SelectColumn = freezeNode({
  expression: {
    kind: 'function',
    name: 'count',
    argument: { kind: 'call', name: 'distinct', argument: createRef('job') },
    parameters: [],
  },
  alias: 'runs',
} as const);

/** One series for each experiment and user. */
function experimentsQuery(column: SelectColumn, user: NameSelection): SelectStatement {
  return createSelect({
    columns: [column],
    from: [createMeasurement(MEASUREMENT.label)],
    ...whereAll(createTagEquals('key', EXPERIMENT_TAG), createTagCondition('user', user), IS_LABELLED),
    groupBy: { dimensions: ['value', 'user'].map(createTagDimension) },
  });
}

/**
 * The experiments that the store knows, whenever they ran, the newest first: one request. It costs a point a run, of
 * which a store reads millions in a second.
 */
export function* listExperiments({ user }: { readonly user?: NameSelection }): Reading<readonly Experiment[]> {
  const [counts, lasts] = yield [
    experimentsQuery(RUNS, user),
    experimentsQuery(createCallColumn('last', 'job', 'job'), user),
  ];
  return readExperiments(counts, lasts);
}

interface Counted {
  runs: number;
  readonly users: string[];
  lastDayMs: number;
}

function readExperiments(counts: ReadableResult, lasts: ReadableResult): readonly Experiment[] {
  const found = new Map<string, Counted>();
  for (const series of listSeries(counts)) {
    const [row] = listRows(series);
    const experiment = open(found, readTag(series, 'value') ?? '');
    experiment.runs += row?.number('runs') ?? 0;
    experiment.users.push(readTag(series, 'user') ?? '');
  }
  for (const series of listSeries(lasts)) {
    const experiment = open(found, readTag(series, 'value') ?? '');
    for (const { timeNs } of listRows(series)) {
      const dayMs = Math.floor(Number(timeNs / NS_PER_MS) / LABEL_DAY_MS) * LABEL_DAY_MS;
      experiment.lastDayMs = Math.max(experiment.lastDayMs, dayMs);
    }
  }
  return [...found]
    .filter(([, { runs }]) => runs > 0)
    .map(([name, { users, ...rest }]) => ({ name, ...rest, users: users.sort(compareNatural) }))
    .sort((a, b) => b.lastDayMs - a.lastDayMs || compareNatural(a.name, b.name));
}

function open(found: Map<string, Counted>, name: string): Counted {
  const known = found.get(name);
  if (known !== undefined) return known;
  const begun: Counted = { runs: 0, users: [], lastDayMs: 0 };
  found.set(name, begun);
  return begun;
}

/** The day of a newest run as people write it everywhere: `2026-11-28`. */
export function formatDay(dayMs: number): string {
  return new Date(dayMs).toISOString().slice(0, 10);
}
