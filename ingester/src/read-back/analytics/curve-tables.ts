import { averageSteps, readStep, type Steps } from '@joblens/core/analytics/steps';
import type { TimeWindow } from '@joblens/core/analytics/transition';
import type { AnalyticsReport } from '@joblens/core/ask/analytics/analytics-answer';
import { listBins } from '@joblens/core/analytics/bins';
import { formatAmount, msToNs } from './analytics-columns.js';
import { type Column, createTimeColumn } from '../shell/column.js';

type Curves = ReadonlyMap<string, Steps>;

/** A table whose rows are bins of time, or single steps. */
export interface CurveTable<Row> {
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
}

interface BinRow extends TimeWindow {
  readonly isFirst: boolean;
}

/** Curves as rows by time: counts for throughput, mean and peak for utilization, the end of each row for states. */
export function createCurveTable(
  report: AnalyticsReport,
  curves: Curves,
  window: TimeWindow,
  stepMs: number
): CurveTable<BinRow> {
  const bins = curves.size === 0 ? [] : listBins(window, stepMs);
  const rows = bins.map((bin, i) => ({ ...bin, isFirst: i === 0 }));
  const times = [
    createTimeColumn<BinRow>('from', ({ fromMs }) => msToNs(fromMs)),
    { ...createTimeColumn<BinRow>('to', ({ toMs }) => msToNs(toMs)), isDetail: true } as const,
  ];
  return { columns: [...times, ...[...curves].flatMap(([name, steps]) => createColumns(report, name, steps))], rows };
}

function createColumns(report: AnalyticsReport, name: string, steps: Steps): readonly Column<BinRow>[] {
  const column = (title: string, amount: (row: BinRow) => number): Column<BinRow> => ({
    ...{ name: title, value: (row: BinRow) => amount(row), align: 'right' },
    shown: (row) => formatAmount(amount(row)),
    // The heads, which are names of states, are longer than the figures.
    shrinks: true,
  });
  switch (report) {
    case 'throughput': {
      // What came at the first instant belongs to the first row.
      const before = ({ fromMs, isFirst }: BinRow): number => (isFirst ? 0 : readStep(steps, fromMs));
      return [
        column(name, (row) => readStep(steps, row.toMs) - before(row)),
        column(`${name}_in_all`, ({ toMs }) => readStep(steps, toMs)),
      ];
    }
    case 'states':
      return [column(name, ({ toMs }) => readStep(steps, toMs))];
    default:
      return [
        column('mean', (row) => averageSteps(steps, row)),
        column('peak', (row) => findPeak(steps, row)),
        column('at_end', ({ toMs }) => readStep(steps, toMs)),
      ];
  }
}

function findPeak(steps: Steps, { fromMs, toMs }: TimeWindow): number {
  const inside = steps.values.filter((_value, i) => {
    const timeMs = steps.timesMs[i] ?? NaN;
    return timeMs > fromMs && timeMs <= toMs;
  });
  return inside.reduce((peak, value) => Math.max(peak, value), readStep(steps, fromMs));
}

interface StepRow {
  readonly name: string;
  readonly timeMs: number;
  readonly value: number;
}

/** Each change of each curve, in order of time within it. */
export function createEachTable(curves: Curves): CurveTable<StepRow> {
  const rows = [...curves].flatMap(([name, { timesMs, values }]) =>
    timesMs.map((timeMs, i) => ({ name, timeMs, value: values[i] ?? NaN }))
  );
  const columns: readonly Column<StepRow>[] = [
    createTimeColumn('time', ({ timeMs }) => msToNs(timeMs)),
    { name: 'curve', value: ({ name }) => name },
    { name: 'value', value: ({ value }) => value, shown: ({ value }) => formatAmount(value), align: 'right' },
  ];
  return { columns, rows };
}
