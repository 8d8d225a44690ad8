import type { DataFrame } from '@grafana/data';
import { createTables } from '../../../parts/components/tables.js';
import { createTableFrame } from '../../../testing/frames.js';
import { type FactRow, listFacts } from './facts.js';
import { createGraphs } from './graphs.js';

function read(frames: readonly DataFrame[]): { readonly facts: readonly FactRow[]; readonly lines: readonly string[] } {
  const tables = createTables(frames);
  const graphs = createGraphs(tables, { kind: 'auto' });
  return { facts: listFacts(tables, graphs), lines: graphs.flatMap((graph) => graph.lines.map(({ name }) => name)) };
}

const CONFIG = { 'lr (peak)': 3e-4, layers: 12, optimizer: 'adam "w"', none: null, memory_bytes: 2048 };

it('has the values of a table of one row as facts, and no graph', () => {
  const { facts, lines } = read([createTableFrame({ rows: [CONFIG] })]);
  expect(lines).toEqual([]);
  expect(facts).toMatchObject([
    {
      owner: '',
      facts: [
        { key: 'lr (peak)', value: '3e-4' },
        { key: 'layers', value: '12' },
        { key: 'optimizer', value: 'adam "w"' },
        { key: 'memory_bytes', value: '2048' },
      ],
    },
  ]);
});

it('draws a table of two rows, and one of which the answer has one row', () => {
  const rows = [{ epoch: 1, loss: 3 }];
  const { facts, lines } = read([createTableFrame({ rows, earlierRows: [{ epoch: 0, loss: 4 }] })]);
  expect([facts, lines]).toEqual([[], ['loss']]);
});

it('draws the row that goes on with the lines of another table, and has it as facts where it says more', () => {
  const epochs = createTableFrame({ rows: [1, 2].map((epoch) => ({ epoch, loss: 3 - epoch, acc: 0.5 })) });
  const same = createTableFrame({ rows: [{ epoch: 3, loss: 0.2 }] });
  expect(read([epochs, same])).toEqual({ facts: [], lines: ['loss', 'acc'] });
  const more = createTableFrame({ rows: [{ epoch: 3, loss: 0.2, 'test-acc': 0.9 }] });
  expect(read([epochs, more])).toMatchObject({
    facts: [{ facts: [{ key: 'epoch' }, { key: 'loss' }, { key: 'test-acc', value: '0.9' }] }],
    lines: ['loss', 'acc'],
  });
});

it('names the writers where there are several', () => {
  const { facts } = read(['a.b', 'c-d'].map((job) => createTableFrame({ job, rows: [CONFIG] })));
  expect(facts.map(({ owner }) => owner)).toEqual(['a.b', 'c-d']);
});

it('has texts as facts beside numbers, and none where there is text alone', () => {
  const texts = createTableFrame({ rows: [{ model: 'resnet-50 (b)' }] });
  expect(read([texts]).facts).toEqual([]);
  const numbers = createTableFrame({ rows: [1, 2].map((epoch) => ({ epoch, loss: 3 - epoch })) });
  expect(read([texts, numbers]).facts).toMatchObject([{ facts: [{ key: 'model', value: 'resnet-50 (b)' }] }]);
});
