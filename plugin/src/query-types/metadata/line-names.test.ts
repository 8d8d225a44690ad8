import { getFieldDisplayName } from '@grafana/data';
import type { TableSummary } from '@joblens/core/ask/tables/tables';
import { createSeriesName } from '@joblens/core/schema/series-name';
import { createTableStats } from '@joblens/core/table/table-stats';
import { createMetadataFrame, createSharedKeyFinder } from './metadata-frames.js';
import { createTables } from '../../views/parts/components/tables.js';

function createTable(keys: readonly string[], more: Partial<TableSummary> = {}): TableSummary {
  const rows = { rows: 1, runs: [{ timeNs: 1n, rows: 1 }], timeNs: 1n };
  return { job: 'lr=3e-4', user: 'ann', series: keys.join(), keys, stats: createTableStats(), ...rows, ...more };
}

const createFrames = (tables: readonly TableSummary[], jobPrefix = '') => {
  const findShared = createSharedKeyFinder(tables);
  return tables.map((table) => {
    const records = [{ timeNs: 1n, values: new Map(table.keys.map((key) => [key, 1])) }];
    const frame = { refId: 'A', table, keys: table.keys, jobPrefix, sharedKeys: findShared(table) };
    return createMetadataFrame({ ...frame, records, isLimited: false, executedQuery: '' });
  });
};

it.each<[string, readonly TableSummary[], string, readonly string[]]>([
  ['one table', [createTable(['epoch', 'loss (a.b)'])], '', ['epoch', 'loss (a.b)']],
  [
    'two tables, by what tells them apart alone',
    [createTable(['epoch', 'loss', 'a', 'b']), createTable(['step', 'loss', '"q"'])],
    '',
    ['epoch', 'loss (epoch, loss, a +1)', 'a', 'b', 'step', 'loss (step, loss, "q")', '"q"'],
  ],
  ['tasks', ['0', '1'].map((task) => createTable(['loss'], { task })), '', ['loss (0)', 'loss (1)']],
  [
    'series of another program, by their measurements and tags',
    ['0', "o'hara, (b)"].map((rank) =>
      createTable(['it', 'loss'], { series: createSeriesName(['it', 'loss'], ['train', `rank=${rank}`]) })
    ),
    '',
    ['it (train, rank=0)', 'loss (train, rank=0)', "it (train, rank=o'hara, (b))", "loss (train, rank=o'hara, (b))"],
  ],
  ['several jobs', [createTable(['loss'])], 'lr=3e-4: ', ['lr=3e-4: loss']],
])("names the lines of %s in Grafana's own panels by their keys", (_name, tables, prefix, names) => {
  const frames = createFrames(tables, prefix);
  const found = frames.flatMap((frame) =>
    frame.fields.slice(1).map((field) => getFieldDisplayName(field, frame, frames))
  );
  expect(found).toEqual(names);
  // The panel of this plugin says in its own way whose they are.
  const titles = createTables(frames).flatMap(({ columns }) => columns.map(({ title }) => title));
  expect(titles).toEqual(tables.flatMap(({ keys }) => keys));
});
