import { parseJsonObject } from '../../json/bounded-json.js';
import { createColumn, createMeasurement, createSelect, createTagEquals } from '../../influxql/build.js';
import type { SelectStatement } from '../../influxql/nodes.js';
import { MEASUREMENT } from '../../schema/measurements.js';
import { type FirstOfSignals, SIGNAL_TOPIC } from '../../signals/signal-fold.js';
import { SIGNAL_WEIGHTS, type SignalWeight } from '../../signals/signal-pattern.js';
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
  /** Undefined of an older Joblens. */
  readonly weight?: SignalWeight;
  /** The line of the newest of them, as printed. */
  readonly line?: string;
  /** The part of the job that logged it, where several do, and the machine of that part. */
  readonly task?: string;
  readonly node?: string;
  /** The first of several that came one after the other, and whose they are. */
  readonly first?: FirstOfSignals;
  readonly ranks?: readonly number[];
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
        ...readWhose(data),
      };
    })
  );
}

function readWhose(
  data: Readonly<Record<string, unknown>>
): Pick<SignalRecord, 'weight' | 'line' | 'task' | 'node' | 'first' | 'ranks'> {
  const { line, task, node, ranks } = data;
  const weight = SIGNAL_WEIGHTS.find((one) => one === data['weight']);
  const first = readFirst(data['first']);
  return {
    ...(weight !== undefined && { weight }),
    ...(typeof line === 'string' && { line }),
    ...(typeof task === 'string' && { task }),
    ...(typeof node === 'string' && { node }),
    ...(first !== undefined && { first }),
    ...(Array.isArray(ranks) && { ranks: ranks.filter((rank) => typeof rank === 'number') }),
  };
}

function readFirst(first: unknown): FirstOfSignals | undefined {
  if (typeof first !== 'object' || first === null) return undefined;
  const { timeNs, message, place, line } = first as Readonly<Record<string, unknown>>;
  if (typeof timeNs !== 'string' || !/^\d{1,19}$/.test(timeNs) || typeof message !== 'string') return undefined;
  return {
    ...{ timeNs, message },
    ...(typeof place === 'string' && { place }),
    ...(typeof line === 'string' && { line }),
  };
}

function parseData(text: string | undefined): Readonly<Record<string, unknown>> {
  return parseJsonObject(text ?? '') ?? {};
}
