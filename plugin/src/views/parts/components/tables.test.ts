import { FieldType, toDataFrame, type DataFrame } from '@grafana/data';
import { createCustomMeta } from '../../../frames/frame-meta.js';
import { createInfluxqlFrames } from '../../../query-types/influxql/influxql.js';
import { createGraphs } from '../../graph/model/lines/graphs.js';
import { createTables } from './tables.js';

const titlesOf = (frames: readonly DataFrame[]): string[][] =>
  createTables(frames).map(({ columns }) => columns.map(({ title }) => title));

const linesOf = (frames: readonly DataFrame[]): string[] =>
  createGraphs(createTables(frames), { kind: 'auto' }).flatMap(({ lines }) => lines.map(({ name }) => name));

/** A series as Grafana's own InfluxDB data source gives it in the format of time series. */
function createSeries(host: string, config: object): DataFrame {
  return toDataFrame({
    name: `cpu.mean { host: ${host} }`,
    refId: 'A',
    fields: [
      { name: 'Time', type: FieldType.time, values: [1, 2] },
      { name: 'Value', type: FieldType.number, values: [3, 4], labels: { host }, config },
    ],
  });
}

const HOSTS = ['a', 'b'];

/** A table of a job, as our own data source gives it. */
function createMetadataFrame(job: string, user: string): DataFrame {
  const custom = createCustomMeta({
    kind: 'metadata',
    job,
    user,
    series: 's',
    x: null,
    totalRows: 1,
    limited: false,
    tsNs: [],
  });
  const fields = ['step', 'loss'].map((name) => ({ name, type: FieldType.number, values: [1] }));
  return toDataFrame({ name: 'step, loss', meta: { custom }, fields });
}

it("names series of Grafana's InfluxDB data source as that names them", () => {
  const frames = HOSTS.map((host) => createSeries(host, { displayNameFromDS: `load of ${host}` }));
  expect(titlesOf(frames)).toEqual([['load of a'], ['load of b']]);
  expect(linesOf(frames)).toEqual(['load of a', 'load of b']);
});

it('names series without such a name as Grafana does, by frame and labels', () => {
  const sameName = HOSTS.map((host) => ({ ...createSeries(host, {}), name: 'cpu' }));
  expect(linesOf(sameName)).toEqual(['a', 'b']);
  expect(linesOf(HOSTS.map((host) => createSeries(host, { displayName: `override ${host}` })))).toEqual([
    'override a',
    'override b',
  ]);
});

it("names the columns of a table of Grafana's InfluxDB data source by their fields", () => {
  const table = toDataFrame({
    name: 'cpu',
    refId: 'A',
    meta: { preferredVisualisationType: 'table' },
    fields: [
      { name: 'Time', type: FieldType.time, values: [1, 2] },
      { name: 'host', type: FieldType.string, values: HOSTS },
      { name: 'mean', type: FieldType.number, values: [3, 4] },
    ],
  });
  expect(titlesOf([table])).toEqual([['host', 'mean']]);
  expect(linesOf([table])).toEqual(['mean']);
});

it('tells the series of an InfluxQL query apart by their frames, and keeps a single one short', () => {
  const createResult = (hosts: readonly string[]) => ({
    statement_id: 0,
    series: hosts.map((host) => ({
      name: 'cpu',
      tags: { host },
      columns: ['time', 'mean'],
      values: [['2026-01-01T00:00:00Z', 1]],
    })),
  });
  expect(linesOf(createInfluxqlFrames('A', [createResult(['a'])], ''))).toEqual(['mean']);
  expect(linesOf(createInfluxqlFrames('A', [createResult(HOSTS)], ''))).toEqual([
    'cpu {host: a} mean',
    'cpu {host: b} mean',
  ]);
});

it('names no job before its tables because a table of no job is beside them', () => {
  const own = createMetadataFrame('a-[1].b (2)', 'ann');
  const plain = toDataFrame({ name: 'spans', fields: [{ name: 'busy', type: FieldType.number, values: [1] }] });
  const labelsOf = (frames: readonly DataFrame[]) => createTables(frames).map(({ label }) => label);
  expect(labelsOf([own, plain])).toEqual(['step, loss', 'spans']);
  expect(labelsOf([own, createMetadataFrame('c', 'ann'), plain])).toEqual([
    'a-[1].b (2) · step, loss',
    'c · step, loss',
    'spans',
  ]);
});
