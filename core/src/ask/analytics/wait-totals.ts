import { createBin, type QueueWait, type WaitBin } from '../../analytics/queue-waits.js';
import { roundSum } from '../../analytics/steps.js';
import {
  createCallColumn,
  createColumn,
  createComparison,
  createMeasurement,
  createRef,
  createSelect,
} from '../../influxql/build.js';
import type { SelectStatement } from '../../influxql/nodes.js';
import { NS_PER_MS } from '../../numbers/time-units.js';
import { MEASUREMENT } from '../../schema/measurements.js';
import { listRows, listSeries, type ReadableResult, type ResultRow } from '../reading/result-rows.js';
import { whereAll } from '../reading/selection.js';
import { createTransitionConditions, type TransitionsRequest } from './transitions.js';
import { edgeTotalsQuery, ENTERS_RUNNING, readEdgeMs, type TotalsRequest } from './transition-totals.js';

const [MINUTE_S, HOUR_S, DAY_S] = [60, 3600, 86_400] as const;
/** Stores have no quantiles that all of them compute alike, so they count the waits up to each of these. */
const RUNGS_S = [
  ...[10, MINUTE_S, 5 * MINUTE_S, 15 * MINUTE_S, 30 * MINUTE_S],
  ...[HOUR_S, 3 * HOUR_S, 6 * HOUR_S, 12 * HOUR_S, DAY_S, 3 * DAY_S, 7 * DAY_S],
];

/** The waits themselves, newest first: up to some number, they cost the store less than its counts. */
export function waitsQuery(request: TransitionsRequest, limit: number): SelectStatement {
  return createSelect({
    columns: [createColumn('wait_s')],
    from: [createMeasurement(MEASUREMENT.transition)],
    ...whereAll(...createTransitionConditions(request), ...ENTERS_RUNNING),
    orderBy: 'DESC',
    limit,
  });
}

/** The waits in the result of waitsQuery, without their jobs. */
export function readWaits(result: ReadableResult): Pick<QueueWait, 'timeMs' | 'waitS'>[] {
  return listSeries(result).flatMap((series) =>
    listRows(series).flatMap((row) => {
      const waitS = row.number('wait_s');
      return waitS === undefined ? [] : { timeMs: Number(row.timeNs / NS_PER_MS), waitS };
    })
  );
}

export function waitTotalsQueries(request: TotalsRequest): readonly SelectStatement[] {
  const calls = (['count', 'mean', 'min', 'max'] as const).map((name) => createCallColumn(name, 'wait_s', name));
  const count = createCallColumn('count', 'wait_s', 'count');
  return [
    edgeTotalsQuery(request, calls, [], ENTERS_RUNNING),
    ...RUNGS_S.map((rungS) =>
      edgeTotalsQuery(
        request,
        [count],
        [],
        [...ENTERS_RUNNING, createComparison(createRef('wait_s'), '<=', { kind: 'number', value: rungS })]
      )
    ),
  ];
}

/** The bins of summarizeWaits, in the results of waitTotalsQueries. Quantiles are interpolated between two rungs. */
export function readWaitTotals(results: readonly ReadableResult[], request: TotalsRequest): WaitBin[] {
  const [totals, ...rungs] = results.map((result) => readByEdge(result, request));
  return [...(totals ?? [])].flatMap(([edgeMs, row]): WaitBin[] => {
    const count = row.number('count') ?? 0;
    if (count === 0) return [];
    const [minS, maxS] = [row.number('min') ?? 0, row.number('max') ?? 0];
    const upTo = rungs.map((rung, i) => ({ waitS: RUNGS_S[i] ?? 0, count: rung.get(edgeMs)?.number('count') ?? 0 }));
    const quantile = (share: number): number => interpolate(upTo, share * count, { minS, maxS, count });
    return [
      {
        ...createBin(edgeMs, request.window, request.stepMs),
        ...{ count, meanS: roundSum(row.number('mean') ?? 0), medianS: quantile(0.5), p90S: quantile(0.9), maxS },
      },
    ];
  });
}

function readByEdge(result: ReadableResult, request: TotalsRequest): ReadonlyMap<number, ResultRow> {
  const rows = listSeries(result).flatMap(listRows);
  return new Map(rows.map((row) => [readEdgeMs(row, request), row]));
}

interface Rung {
  readonly waitS: number;
  readonly count: number;
}

/** The wait that so many do not exceed. */
function interpolate(
  rungs: readonly Rung[],
  wanted: number,
  { minS, maxS, count }: { readonly minS: number; readonly maxS: number; readonly count: number }
): number {
  const inside = rungs.filter(({ waitS }) => waitS > minS && waitS < maxS);
  const ladder = [{ waitS: minS, count: 0 }, ...inside, { waitS: maxS, count }];
  const at = ladder.findIndex((rung) => rung.count >= wanted);
  const [below, above] = [ladder[at - 1], ladder[at]];
  if (below === undefined || above === undefined) return maxS;
  const share = above.count === below.count ? 1 : (wanted - below.count) / (above.count - below.count);
  return below.waitS + share * (above.waitS - below.waitS);
}
