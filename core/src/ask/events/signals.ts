import { parseJsonObject } from '../../json/bounded-json.js';
import { createColumn, createMeasurement, createSelect, createTagEquals } from '../../influxql/build.js';
import type { SelectStatement } from '../../influxql/nodes.js';
import { MEASUREMENT } from '../../schema/measurements.js';
import { SIGNAL_TOPIC } from '../../signals/signal-fold.js';
import { decodeTag, listRows, listSeries, type ReadableResult } from '../reading/result-rows.js';
import {
  createTagCondition,
  createTimeConditions,
  type NameSelection,
  type TimeSelection,
  whereAll,
} from '../reading/selection.js';

export interface SignalsRequest extends TimeSelection {
  readonly job: NameSelection;
  readonly user?: NameSelection;
  readonly limit: number;
}

/** One event of topic `signal`, as stored. */
export interface SignalRecord {
  /** The time of the first line. */
  readonly timeNs: bigint;
  readonly job: string;
  readonly user: string;
  readonly name: string;
  readonly severity: string;
  readonly message: string;
  /** In the job's own code, as `train.py:17`. */
  readonly place?: string;
  readonly count: number;
}

/** The signals of jobs, newest first. */
export function signalsQuery(request: SignalsRequest): SelectStatement {
  return createSelect({
    columns: ['data', 'job', 'user'].map((name) => createColumn(name)),
    from: [createMeasurement(MEASUREMENT.event)],
    ...whereAll(
      createTagEquals('topic', SIGNAL_TOPIC),
      createTagCondition('job', request.job),
      createTagCondition('user', request.user),
      ...createTimeConditions(request)
    ),
    orderBy: 'DESC',
    limit: request.limit,
  });
}

/** The signals in the result of signalsQuery. Those of other writers, with other data, are left out. */
export function readSignals(result: ReadableResult): SignalRecord[] {
  return listSeries(result).flatMap((series) =>
    listRows(series).flatMap((row) => {
      const data = parseData(row.text('data'));
      const { name, severity, message, place, count } = data;
      if (typeof name !== 'string' || typeof severity !== 'string' || typeof message !== 'string') return [];
      return {
        ...{ timeNs: row.timeNs, name, severity, message },
        ...{ job: decodeTag(row.text('job')) ?? '', user: decodeTag(row.text('user')) ?? '' },
        ...(typeof place === 'string' && { place }),
        count: typeof count === 'number' ? count : 1,
      };
    })
  );
}

function parseData(text: string | undefined): Readonly<Record<string, unknown>> {
  return parseJsonObject(text ?? '') ?? {};
}
