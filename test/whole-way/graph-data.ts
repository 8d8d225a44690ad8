import { inferXAxis } from '@joblens/core/axis/x-axis';
import { formatPoint } from '@joblens/core/point/line-protocol';
import type { Point } from '@joblens/core/point/point';
import { createLogPoints } from '@joblens/core/schema/log-point';
import type { JobSource } from '@joblens/core/schema/measurements';
import { createMetadataPoints, createSeriesPoint } from '@joblens/core/schema/metadata-point';
import { createSeriesName } from '@joblens/core/schema/series-name';
import { createTableStats, foldRow } from '@joblens/core/table/table-stats';

/** When the jobs of the graphs began. */
const START_MS = Date.UTC(2026, 2, 12, 12, 0);
const MINUTE_MS = 60_000;
const toNs = (ms: number): bigint => BigInt(Math.round(ms)) * 1_000_000n;

type Row = Readonly<Record<string, number>>;

function listRows(count: number, create: (at: number) => Row): readonly Row[] {
  return Array.from({ length: count }, (_, at) => create(at));
}

export const KEY_COUNT = 100;
/** Keys that have nothing in common: `kaa`, `kab` … */
const KEYS = Array.from(
  { length: KEY_COUNT },
  (_, at) => `k${'abcdefghij'[Math.floor(at / 10)]}${'abcdefghij'[at % 10]}`
);

/** The values of the job `marks` that are no numbers, by epoch. */
const NON_FINITE: Readonly<Record<number, number>> = { 8: NaN, 12: Infinity, 16: -Infinity };

/** A row a minute. */
const TABLES: Readonly<Record<string, readonly Row[]>> = {
  one: listRows(20, (at) => ({ epoch: at + 1, loss: 3 * 0.9 ** at + (at % 2) * 0.3, accuracy: 0.9 - 0.8 * 0.8 ** at })),
  many: listRows(60, (at) => ({
    step: 10 * (at + 1),
    loss: 2.5 * 0.95 ** at + 0.3,
    val_loss: 2.6 * 0.95 ** at + 0.4,
    lr: 0.001 * 0.97 ** at,
    throughput: 1200 + 40 * Math.sin(at / 3),
  })),
  again: [
    ...listRows(10, (at) => ({ epoch: at + 1, loss: 3 - 0.1 * at })),
    ...listRows(10, (at) => ({ epoch: at + 5, loss: 1.6 - 0.1 * at })),
  ],
  marks: listRows(20, (at) => ({ epoch: at + 1, loss: NON_FINITE[at + 1] ?? 1 + Math.sin(at / 3) })),
  wide: listRows(30, (at) => ({
    step: at + 1,
    ...Object.fromEntries(KEYS.map((key, n) => [key, Math.sin((at * (n + 1)) / 40) * (n + 1)])),
  })),
};

function listTablePoints(source: JobSource, rows: readonly Row[]): Point[] {
  const keys = Object.keys(rows[0] ?? {});
  const series = createSeriesName(keys);
  const stats = createTableStats();
  const points = rows.flatMap((row, at) => {
    const cells = new Map(
      Object.entries(row).map(([key, value]) => [key, Number.isFinite(value) ? value : String(value)] as const)
    );
    foldRow(stats, cells);
    return createMetadataPoints(source, series, cells, toNs(START_MS + at * MINUTE_MS));
  });
  const x = inferXAxis(stats)?.key;
  const summary = { series, keys, stats, x, rows: rows.length, timeNs: toNs(START_MS) };
  return [...points, createSeriesPoint(source, summary)];
}

/** Twenty lines for each row of the job `one`; the last of them comes with the row. */
function listLogPoints(source: JobSource): Point[] {
  return Array.from({ length: 400 }, (_, at) => {
    const [epoch, part] = [Math.floor(at / 20) + 1, (at % 20) + 1];
    const line = part === 20 ? `epoch ${epoch} is done` : `epoch ${epoch}, part ${part}`;
    const timeMs = START_MS + (epoch - 1) * MINUTE_MS - (20 - part) * 2000;
    return createLogPoints(source, { stream: 'stdout', line, kind: 'output', timeNs: toNs(timeMs) });
  }).flat();
}

/** The jobs whose graphs are looked at, as line protocol. */
export function createGraphData(): string {
  const tables = Object.entries(TABLES).flatMap(([job, rows]) => listTablePoints({ job, user: 'ann' }, rows));
  return [...tables, ...listLogPoints({ job: 'one', user: 'ann' })].map((point) => formatPoint(point)).join('\n');
}

interface PanelSpec {
  readonly title: string;
  readonly job: string;
  readonly view: 'graph' | 'log';
  /** x, y, width and height in Grafana's grid of 24 columns. */
  readonly place: readonly [number, number, number, number];
  readonly options?: Readonly<Record<string, unknown>>;
  readonly overrides?: readonly unknown[];
}

const DATA_SOURCE = { type: 'joblens-datasource', uid: 'joblens' };

function override(key: string, properties: Readonly<Record<string, unknown>>): unknown {
  const list = Object.entries(properties).map(([id, value]) => ({ id, value }));
  return { matcher: { id: 'byName', options: key }, properties: list };
}

const RED_FROM_2 = {
  mode: 'absolute',
  steps: [
    { value: null, color: 'green' },
    { value: 1.5, color: 'red' },
  ],
};

const PANELS: readonly PanelSpec[] = [
  {
    ...{ title: 'One', job: 'one', view: 'graph', place: [0, 0, 14, 11] },
    overrides: [
      override('accuracy', {
        unit: 'percentunit',
        displayName: 'hits',
        color: { mode: 'fixed', fixedColor: 'purple' },
      }),
    ],
  },
  { title: 'Log', job: 'one', view: 'log', place: [14, 0, 10, 11] },
  { title: 'Many', job: 'many', view: 'graph', place: [0, 11, 11, 16] },
  { title: 'Again', job: 'again', view: 'graph', place: [11, 11, 6, 16] },
  {
    ...{ title: 'Marks', job: 'marks', view: 'graph', place: [17, 11, 7, 16] },
    overrides: [override('loss', { unit: 'ms', thresholds: RED_FROM_2, 'custom.thresholdsStyle': { mode: 'line' } })],
  },
  { title: 'Wide', job: 'wide', view: 'graph', place: [0, 27, 24, 16] },
  {
    ...{ title: 'Listed', job: 'many', view: 'graph', place: [0, 43, 11, 10] },
    options: { legend: 'table', graphs: 'one' },
  },
];

export const DASHBOARD_UID = 'graphs';

const ANNOTATION_COLOUR = '#ff00ff';

const ANNOTATION = {
  ...{ name: 'Tenth epoch', datasource: DATA_SOURCE, enable: true, iconColor: ANNOTATION_COLOUR },
  target: { refId: 'Anno', queryType: 'events', event: 'lines', text: 'epoch 10 is done', job: 'one' },
};

/** A dashboard with one panel for each kind of graph. */
export function createGraphDashboard(): object {
  return {
    ...{ uid: DASHBOARD_UID, title: 'Graphs', schemaVersion: 38, graphTooltip: 1 },
    annotations: { list: [ANNOTATION] },
    panels: PANELS.map(({ title, job, view, place: [x, y, w, h], options, overrides = [] }, at) => ({
      ...{ id: at + 1, type: 'joblens-panel', title, datasource: DATA_SOURCE },
      gridPos: { x, y, w, h },
      targets: [{ refId: 'A', datasource: DATA_SOURCE, queryType: view === 'log' ? 'logs' : 'metadata', job }],
      fieldConfig: { defaults: {}, overrides },
      options: { views: [view], ...options },
    })),
    time: {
      from: new Date(START_MS - 10 * MINUTE_MS).toISOString(),
      to: new Date(START_MS + 70 * MINUTE_MS).toISOString(),
    },
  };
}
