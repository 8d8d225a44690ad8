import { FieldType, toDataFrame, type DataFrame } from '@grafana/data';
import { createLogFrame, createTableFrame } from '../../../testing/frames.js';
import { createGraphs, type GraphModel } from './graphs.js';
import { createTables } from '../../../parts/components/tables.js';
import { listXOptions, type XWish } from './x-choice.js';

const AUTO: XWish = { kind: 'auto' };

function graphsOf(frames: readonly DataFrame[], wish: XWish = AUTO): readonly GraphModel[] {
  return createGraphs(createTables(frames), wish);
}

function drawn(graph: GraphModel | undefined): Record<string, [x: number, y: number][]> {
  return Object.fromEntries(
    (graph?.lines ?? []).map((line) => [
      line.name,
      line.xs.map((x, index) => [x, line.ys[index] ?? NaN] as [number, number]),
    ])
  );
}

it('draws every numeric column but X', () => {
  const [graph, ...others] = graphsOf([
    createTableFrame({
      rows: [
        { epoch: 1, loss: 3, note: 'a' },
        { epoch: 2, loss: 2, note: 'b' },
      ],
    }),
  ]);
  expect(others).toEqual([]);
  expect(graph?.x).toEqual({ key: 'epoch', reason: expect.stringContaining('epoch') as string, isAutomatic: true });
  expect(drawn(graph)).toEqual({
    loss: [
      [1, 3],
      [2, 2],
    ],
  });
});

it('takes the stored choice, which knows rows outside the answer', () => {
  const earlierRows = [{ step: 1, size: 5, loss: 3.5 }];
  const rows = [{ step: 2, size: 4, loss: 1.5 }];
  const [graph] = graphsOf([createTableFrame({ earlierRows, rows })]);
  expect(graph?.x).toEqual({ key: 'step', reason: 'every value is an integer that never falls', isAutomatic: true });
  expect(graphsOf([createTableFrame({ rows: [...rows, ...rows] })])[0]?.x.key).toBe('size');
});

it('folds the X axis from the rows of another source, where they have no time', () => {
  const [graph] = graphsOf([
    toDataFrame({
      fields: [
        { name: 'loss', type: FieldType.number, values: [3, 2] },
        { name: 'epoch', type: FieldType.number, values: [1, 2] },
      ],
    }),
  ]);
  expect(graph?.x).toEqual({ key: 'epoch', reason: expect.stringContaining('epoch') as string, isAutomatic: true });
});

it('joins tables that share an X key into one graph and equally named columns into one line, in print order', () => {
  const graphs = graphsOf([
    createTableFrame({
      rows: [
        { epoch: 1, loss: 5 },
        { epoch: 3, loss: 4 },
      ],
      timesNs: [1_000_000_000n, 3_000_000_000n],
    }),
    createTableFrame({
      rows: [
        { epoch: 2, loss: 9, acc: 0.5 },
        { epoch: 4, loss: 3, acc: 0.6 },
      ],
      timesNs: [2_000_000_000n, 4_000_000_000n],
    }),
  ]);
  expect(graphs).toHaveLength(1);
  expect(drawn(graphs[0])).toEqual({
    loss: [
      [1, 5],
      [2, 9],
      [3, 4],
      [4, 3],
    ],
    acc: [
      [2, 0.5],
      [4, 0.6],
    ],
  });
});

it('orders joined rows of one millisecond by their nanoseconds', () => {
  const [graph] = graphsOf([
    createTableFrame({ rows: [{ epoch: 2, loss: 2 }], timesNs: [1_000_000_002n] }),
    createTableFrame({ rows: [{ epoch: 1, loss: 1, acc: 1 }], timesNs: [1_000_000_001n] }),
  ]);
  expect(graph?.lines.find((line) => line.name === 'loss')?.xs).toEqual([1, 2]);
});

it('gives each X key its own graph, the one with the most points first', () => {
  const graphs = graphsOf([
    createTableFrame({ rows: [1, 2].map((epoch) => ({ epoch, val: 1 })) }),
    createTableFrame({
      rows: [
        { step: 1, loss: 3 },
        { step: 2, loss: 2 },
        { step: 3, loss: 1.5 },
      ],
    }),
  ]);
  expect(graphs.map((graph) => graph.xKey)).toEqual(['step', 'epoch']);
});

it('shows what a job used behind what it printed, however many points that has', () => {
  const used = [1, 2, 3].map((age) => ({ 'system.age_s': age, 'system.cpu_cores': 1.5, 'system.memory_bytes': 5 }));
  const graphs = graphsOf([
    createTableFrame({ rows: used }),
    createTableFrame({ rows: [1, 2].map((epoch) => ({ epoch, loss: 1 })) }),
  ]);
  expect(graphs.map((graph) => graph.xKey)).toEqual(['epoch', 'system.age_s']);
});

it.each<[string, XWish, (string | undefined)[]]>([
  ['time draws all tables together', { kind: 'time' }, [undefined]],
  ['a key that one table has leaves the other automatic', { kind: 'key', key: 'step' }, ['step', 'epoch']],
  ['a key that none has changes nothing', { kind: 'key', key: 'gone' }, ['epoch']],
  ['a text column cannot be X', { kind: 'key', key: 'note' }, ['epoch']],
])('%s', (_name, wish, keys) => {
  const graphs = graphsOf(
    [
      createTableFrame({
        rows: [
          { step: 1, epoch: 1, loss: 3, note: 'x' },
          { step: 2, epoch: 1, loss: 2, note: 'y' },
        ],
      }),
      createTableFrame({ rows: [1, 2].map((epoch) => ({ epoch, val: 1 })) }),
    ],
    wish
  );
  expect(graphs.map((graph) => graph.xKey)).toEqual(keys);
});

it('tells a column named time from the time', () => {
  const frames = [
    createTableFrame({
      rows: [
        { time: 0.5, loss: 1 },
        { time: 0.25, loss: 2 },
      ],
    }),
  ];
  expect(graphsOf(frames, { kind: 'time' })[0]?.lines.map((line) => line.name)).toEqual(['time', 'loss']);
  const [byColumn] = graphsOf(frames, { kind: 'key', key: 'time' });
  expect(drawn(byColumn)).toEqual({
    loss: [
      [0.5, 1],
      [0.25, 2],
    ],
  });
});

it.each([
  ['null', null],
  ['NaN', NaN],
  ['Infinity', Infinity],
  ['-Infinity', -Infinity],
])('leaves a gap for %s and keeps the points around it', (_name, value) => {
  const [graph] = graphsOf([
    createTableFrame({
      rows: [
        { epoch: 1, loss: 3 },
        { epoch: 2, loss: value },
        { epoch: 3, loss: 1 },
      ],
    }),
  ]);
  expect(graph?.lines[0]?.ys).toEqual([3, NaN, 1]);
});

it('leaves a gap for a text among the numbers of a key, and keeps the key as X', () => {
  const rows = [
    { epoch: 1, loss: 3, acc: 1 },
    { epoch: 'n/a', loss: 'oops', acc: 2 },
    { epoch: 3, loss: 1, acc: 3 },
  ];
  expect(drawn(graphsOf([createTableFrame({ rows })])[0])).toEqual({
    loss: [
      [1, 3],
      [3, 1],
    ],
    acc: [
      [1, 1],
      [3, 3],
    ],
  });
});

it('draws integers beyond 2^53 as the nearest floats, also as X', () => {
  const rows = [1n, 2n, 3n].map((at) => ({ 'time (ns)': String(1795598874123456789n + at * 1000n), loss: Number(at) }));
  const [graph] = graphsOf([createTableFrame({ rows })]);
  expect(graph?.xKey).toBe('loss');
  expect(drawn(graph)).toEqual({
    'time (ns)': [
      [1, 1795598874123457800],
      [2, 1795598874123458800],
      [3, 1795598874123459800],
    ],
  });
  const [over] = graphsOf([createTableFrame({ rows })], { kind: 'key', key: 'time (ns)' });
  expect(Object.values(drawn(over))[0]?.map(([x]) => x)).toEqual(rows.map((row) => Number(row['time (ns)'])));
});

describe('where X would leave nothing to draw', () => {
  const loss = [{ loss: 0.5 }, { loss: 0.25 }];
  const wishes: XWish[] = [AUTO, { kind: 'key', key: 'loss' }, { kind: 'key', key: 'epoch' }, { kind: 'key', key: '' }];

  it.each(wishes)('draws the only numbers of a table over time (%j)', (wish) => {
    const [graph, ...others] = graphsOf([createTableFrame({ rows: loss })], wish);
    expect(others).toEqual([]);
    expect(graph?.x).toEqual({
      key: undefined,
      reason: 'loss is the only key with numbers in these rows',
      isAutomatic: true,
    });
    expect(drawn(graph)).toEqual({
      loss: [
        [0, 0.5],
        [1000, 0.25],
      ],
    });
  });

  it('draws them beside other tables, in whatever order these come', () => {
    const frames = [
      createTableFrame({
        rows: [
          { epoch: 1, acc: 1 },
          { epoch: 2, acc: 2 },
        ],
      }),
      createTableFrame({
        rows: [
          { epoch: 2, 'note (a.b)': 'x' },
          { epoch: 3, 'note (a.b)': 'y' },
        ],
      }),
      createTableFrame({ rows: loss }),
    ];
    for (const order of [frames, [...frames].reverse()]) {
      const lines = graphsOf(order).map(({ xKey, lines: all }) => [xKey, all.map(({ name }) => name).sort()]);
      expect(lines.sort()).toEqual([
        [undefined, ['epoch', 'loss']],
        ['epoch', ['acc']],
      ]);
    }
  });

  it('draws keys that are never in one row over time', () => {
    const rows = [
      { epoch: 1, loss: null },
      { epoch: null, loss: 0.5 },
    ];
    const [graph] = graphsOf([createTableFrame({ rows })]);
    expect(graph?.x).toMatchObject({ key: undefined, reason: 'no row has a number beside epoch' });
    expect(Object.keys(drawn(graph))).toEqual(['epoch', 'loss']);
  });

  it('draws rows without a time over their number', () => {
    const [graph] = graphsOf([toDataFrame({ fields: [{ name: 'loss', type: FieldType.number, values: [3, 2] }] })]);
    expect(graph).toMatchObject({ xKind: 'row' });
    expect(drawn(graph)).toEqual({
      loss: [
        [0, 3],
        [1, 2],
      ],
    });
  });

  it('offers only what leaves something as X', () => {
    const tables = createTables([createTableFrame({ rows: [{ epoch: 1, acc: 1 }] }), createTableFrame({ rows: loss })]);
    expect(listXOptions(tables).map(({ label }) => label)).toEqual([
      'Automatic',
      'Time',
      'Relative time',
      'epoch',
      'acc',
    ]);
  });
});

it('leaves a gap for a text in a frame of another source', () => {
  const [graph] = graphsOf([
    toDataFrame({
      fields: [
        { name: 'time', type: FieldType.time, values: [1, 2, 3] },
        { name: 'loss', type: FieldType.number, values: [3, 'oops', 1] },
      ],
    }),
  ]);
  expect(graph?.lines[0]?.ys).toEqual([3, NaN, 1]);
});

it('keeps the lines of several writers and jobs apart', () => {
  const rows = [1, 2].map((epoch) => ({ epoch, loss: 3 }));
  const names = (frames: DataFrame[]): string[] | undefined => graphsOf(frames)[0]?.lines.map((line) => line.name);
  expect(names([createTableFrame({ rows, task: '0' }), createTableFrame({ rows, task: '1' })])).toEqual([
    'task 0 · loss',
    'task 1 · loss',
  ]);
  expect(names([createTableFrame({ rows, job: '7' }), createTableFrame({ rows, job: '8' })])).toEqual([
    '7 · loss',
    '8 · loss',
  ]);
});

it('counts the rows that the store holds beside those that it shows', () => {
  const earlierRows = Array.from({ length: 4999 }, (_, epoch) => ({ epoch, loss: 1 }));
  const [graph] = graphsOf([createTableFrame({ rows: [{ epoch: 4999, loss: 1 }], earlierRows })]);
  expect(graph).toMatchObject({ shownRows: 1, totalRows: 5000 });
});

it('draws a frame of any other source against its time, each frame for itself', () => {
  const plain = (name: string): DataFrame =>
    toDataFrame({
      name,
      fields: [
        { name: 'time', type: FieldType.time, values: [1, 2] },
        { name: 'value', type: FieldType.number, values: [10, 20] },
      ],
    });
  const [graph] = graphsOf([plain('a'), plain('b')]);
  expect(graph?.xKey).toBeUndefined();
  expect(drawn(graph)).toEqual({
    'a value': [
      [1, 10],
      [2, 20],
    ],
    'b value': [
      [1, 10],
      [2, 20],
    ],
  });
});

it('reads values of Grafana 9.5, where they are vectors', () => {
  const frame = createTableFrame({
    rows: [
      { epoch: 1, loss: 3 },
      { epoch: 2, loss: 2 },
    ],
  });
  const fields = frame.fields.map((field) => ({
    ...field,
    values: { toArray: () => [...(field.values as unknown[])] },
  }));
  const [graph] = graphsOf([{ ...frame, fields } as unknown as DataFrame]);
  expect(drawn(graph)).toEqual({
    loss: [
      [1, 3],
      [2, 2],
    ],
  });
});

it('shares the X values between the columns of a table', () => {
  const [graph] = graphsOf([createTableFrame({ rows: [1, 2].map((epoch) => ({ epoch, a: 1, b: 2 })) })]);
  expect(graph?.lines[0]?.xs).toBe(graph?.lines[1]?.xs);
});

it.each<[string, DataFrame[]]>([
  ['nothing', []],
  ['a log', [createLogFrame([{ text: 'x' }])]],
  ['text alone', [createTableFrame({ rows: [{ a: 'x' }] })]],
  ['no rows', [createTableFrame({ rows: [] })]],
])('has no graph for %s', (_name, frames) => {
  expect(graphsOf(frames)).toEqual([]);
});

it('draws rows without an X value nowhere', () => {
  const rows = [
    { epoch: 1, loss: 3 },
    { epoch: null, loss: 9 },
    { epoch: 2, loss: 1 },
  ];
  expect(drawn(graphsOf([createTableFrame({ rows })])[0])).toEqual({
    loss: [
      [1, 3],
      [2, 1],
    ],
  });
});

it('counts relative time from the first row of each job, which may be outside the answer', () => {
  const rows = [
    { epoch: 1, loss: 3 },
    { epoch: 2, loss: 2 },
  ];
  const frameAt = (job: string, seconds: readonly [bigint, bigint]): DataFrame =>
    createTableFrame({ job, rows, timesNs: seconds.map((second) => second * 1_000_000_000n) });
  const late = frameAt('7', [100n, 130n]);
  const meta = late.meta?.custom?.['joblens'] as Record<string, unknown>;
  late.meta = { custom: { joblens: { ...meta, startMs: 40_000 } } };
  const [graph] = graphsOf([late, frameAt('8', [500n, 501n])], { kind: 'relative' });
  expect(graph).toMatchObject({ xKind: 'relative', xKey: undefined });
  expect(drawn(graph)).toMatchObject({
    '7 · loss': [
      [60_000, 3],
      [90_000, 2],
    ],
    '8 · loss': [
      [0, 3],
      [1000, 2],
    ],
  });
});

it('marks values that are not finite, and no missing ones', () => {
  const rows = [3, null, NaN, Infinity, -Infinity, 1].map((loss, index) => ({ epoch: index, loss }));
  const [graph] = graphsOf([createTableFrame({ rows })]);
  expect(graph?.lines[0]?.nonFinite).toEqual([
    { x: 2, index: 2, value: NaN },
    { x: 3, index: 3, value: Infinity },
    { x: 4, index: 4, value: -Infinity },
  ]);
});
