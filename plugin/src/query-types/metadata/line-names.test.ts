import { getFieldDisplayName } from '@grafana/data';
import type { TableSummary } from '@joblens/core/ask/tables/tables';
import { createSeriesName } from '@joblens/core/schema/series-name';
import { createTableStats } from '@joblens/core/table/table-stats';
import { createJobPrefixer } from '../../frames/job-name.js';
import { createMetadataFrame, createOwnerNamer } from './metadata-frames.js';
import { createTables } from '../../views/parts/components/tables.js';

function createTable(keys: readonly string[], more: Partial<TableSummary> = {}): TableSummary {
  const rows = { rows: 1, runs: [{ timeNs: 1n, rows: 1 }], timeNs: 1n };
  return { job: 'lr=3e-4', user: 'ann', series: keys.join(), keys, stats: createTableStats(), ...rows, ...more };
}

const createFrames = (tables: readonly TableSummary[]) => {
  const nameOwners = createOwnerNamer(tables);
  const prefixJob = createJobPrefixer(tables);
  return tables.map((table) => {
    const records = [{ timeNs: 1n, values: new Map(table.keys.map((key) => [key, 1])) }];
    const frame = { refId: 'A', table, keys: table.keys, jobPrefix: prefixJob(table), owners: nameOwners(table) };
    return createMetadataFrame({ ...frame, records, isLimited: false, executedQuery: '' });
  });
};

const LONG = ['epoch', 'step', 'loss', 'acc'];

it.each<[string, readonly TableSummary[], readonly string[]]>([
  ['one table', [createTable(['epoch', 'loss (a.b)'])], ['epoch', 'loss (a.b)']],
  [
    'two tables, by what one of them alone has',
    [createTable(['epoch', 'loss', 'a', 'b']), createTable(['step', 'loss', '"q"'])],
    ['epoch', 'loss (epoch)', 'a', 'b', 'step', 'loss (step)', '"q"'],
  ],
  [
    'two tables of which one has all that the other has',
    [createTable(['epoch', 'loss']), createTable(['epoch', 'loss', 'val-acc'])],
    ['epoch (epoch, loss)', 'loss (epoch, loss)', 'epoch (val-acc)', 'loss (val-acc)', 'val-acc'],
  ],
  [
    'two tables that begin alike',
    [createTable([...LONG, 'lr']), createTable([...LONG, 'grad.norm'])],
    [...LONG.map((key) => `${key} (lr)`), 'lr', ...LONG.map((key) => `${key} (grad.norm)`), 'grad.norm'],
  ],
  [
    'three tables of which each shares its keys with another',
    [createTable(['a', 'b']), createTable(['b', 'c']), createTable(['a', 'c'])],
    ['a (a, b)', 'b (a, b)', 'b (b, c)', 'c (b, c)', 'a (a, c)', 'c (a, c)'],
  ],
  [
    'tables with the same keys',
    [createTable(LONG, { series: 'x' }), createTable(LONG, { series: 'y' }), createTable(LONG, { series: 'z' })],
    ['', ' #2', ' #3'].flatMap((rank) => LONG.map((key) => `${key} (epoch, step, loss +1${rank})`)),
  ],
  ['tasks', ['0', '1'].map((task) => createTable(['loss'], { task })), ['loss (0)', 'loss (1)']],
  [
    'series of another program, by their measurements and tags',
    ['0', "o'hara, (b)"].map((rank) =>
      createTable(['it', 'loss'], { series: createSeriesName(['it', 'loss'], ['train', `rank=${rank}`]) })
    ),
    ['it (train, rank=0)', 'loss (train, rank=0)', "it (train, rank=o'hara, (b))", "loss (train, rank=o'hara, (b))"],
  ],
  ['two jobs', [createTable(['loss']), createTable(['loss'], { job: 'fail-1' })], ['lr=3e-4: loss', 'fail-1: loss']],
  [
    'two jobs of which one has two tables',
    [createTable(['loss']), createTable(['loss', 'acc']), createTable(['loss'], { job: 'fail-1' })],
    ['lr=3e-4: loss (loss)', 'lr=3e-4: loss (acc)', 'lr=3e-4: acc', 'fail-1: loss'],
  ],
  [
    'two users with one id',
    [createTable(['loss']), createTable(['loss'], { user: "o'hara" })],
    ['lr=3e-4 of ann: loss', "lr=3e-4 of o'hara: loss"],
  ],
])("names the lines of %s in Grafana's own panels by their keys, each alone", (_name, tables, names) => {
  const frames = createFrames(tables);
  const found = frames.flatMap((frame) =>
    frame.fields.slice(1).map((field) => getFieldDisplayName(field, frame, frames))
  );
  expect(found).toEqual(names);
  expect(new Set(found).size).toBe(found.length);
  // The panel of this plugin says in its own way whose they are.
  const titles = createTables(frames).flatMap(({ columns }) => columns.map(({ title }) => title));
  expect(titles).toEqual(tables.flatMap(({ keys }) => keys));
});
