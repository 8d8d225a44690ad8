import { type DataFrame, FieldType, toDataFrame } from '@grafana/data';
import { readSpans } from './spans.js';

const START_MS = 1_700_000_000_000;

function createFrame(columns: Record<string, [FieldType, unknown[], object?]>, name = 'A'): DataFrame {
  const fields = Object.entries(columns).map(([field, [type, values, more = {}]]) => ({
    ...{ name: field, type, values, config: {} },
    ...more,
  }));
  return toDataFrame({ name, fields });
}

const { time, number, string } = FieldType;

it('reads spans with an end, a duration alone, or neither: those are open', () => {
  const frame = createFrame({
    start: [time, [START_MS, START_MS + 0.25, START_MS, null]],
    end: [time, [START_MS + 5, null, null, START_MS]],
    duration: [number, [7, 0.5, null, 1]],
    name: [string, ['a-b', '(c d)', '"e"', 'lost']],
    category: [string, ['x', 'x', null, '']],
    worker: [string, ['0', '1', '1', '']],
    job: [string, ['7', '7', '7', '7']],
  });
  const { spans, names, missing } = readSpans([frame]);
  expect(missing).toBeUndefined();
  expect(names).toEqual(['a-b', '(c d)', '"e"']);
  expect(spans.map(({ startMs, endMs }) => [startMs - START_MS, endMs - START_MS])).toEqual([
    [0, 5],
    [0.25, 0.75],
    [0, Infinity],
  ]);
  expect(spans[2]).toMatchObject({ category: '', worker: '1', job: '7', nameAt: 2, row: 2 });
});

it.each<[string, DataFrame, readonly [number, number], object]>([
  [
    'two times',
    createFrame({ a: [time, [START_MS]], b: [time, [START_MS + 9]], text: [string, ['t']] }),
    [0, 9],
    { name: 't' },
  ],
  [
    'an end that comes first',
    createFrame({ 'Finished at': [time, [START_MS + 9]], Time: [time, [START_MS]] }, 'frame'),
    [0, 9],
    { name: 'frame' },
  ],
  [
    'a trace of Jaeger or Tempo',
    createFrame({
      traceID: [string, ['abc']],
      operationName: [string, ['GET /']],
      serviceName: [string, ['web']],
      startTime: [number, [START_MS]],
      duration: [number, [12.5]],
    }),
    [0, 12.5],
    { name: 'GET /', category: 'web' },
  ],
  [
    'seconds since the epoch and a duration in seconds',
    createFrame({ begin: [number, [START_MS / 1000]], duration_s: [number, [2]] }),
    [0, 2000],
    {},
  ],
  [
    'a unit of its own and labels',
    createFrame({
      Time: [time, [START_MS]],
      elapsed: [number, [250], { config: { unit: 'µs' }, labels: { host: 'n-1', Category: 'io' } }],
    }),
    [0, 0.25],
    { worker: 'n-1', category: 'io' },
  ],
  [
    'nanoseconds beside milliseconds',
    createFrame({ start: [time, [START_MS], { nanos: [500_000] }], duration_ms: [number, [1]] }),
    [0.5, 1.5],
    {},
  ],
  ['an end before its start', createFrame({ start: [time, [START_MS]], end: [time, [START_MS - 5]] }), [0, 0], {}],
])('draws %s', (_name, frame, [from, to], texts) => {
  const [span] = readSpans([frame]).spans;
  expect(span?.startMs).toBeCloseTo(START_MS + from, 3);
  expect(span?.endMs).toBeCloseTo(START_MS + to, 3);
  expect(span).toMatchObject(texts);
});

it('reads folded spans, which have no name', () => {
  const frame = createFrame({
    start: [time, [START_MS]],
    end: [time, [START_MS + 1000]],
    category: [string, ['x']],
    worker: [string, ['0']],
    busy: [number, [1.25]],
    running: [number, [3.5]],
    count: [number, [12]],
  });
  const { spans, names, hasFolds } = readSpans([frame]);
  expect(hasFolds).toBe(true);
  expect(names).toEqual(['x']);
  expect(spans[0]).toMatchObject({ name: '', category: 'x', fold: { busy: 1, running: 3.5, count: 12 } });
});

it.each([
  ['no time', createFrame({ loss: [number, [1]] }), 'No field is a time of start. The fields are: loss.'],
  [
    'a time alone',
    createFrame({ Time: [time, [START_MS]], loss: [number, [1]] }),
    'No field is an end (a second time, such as `end`) or a duration (a number, such as `duration`). The fields are: Time, loss.',
  ],
])('says what is missing of a frame with %s', (_name, frame, missing) => {
  expect(readSpans([frame])).toMatchObject({ spans: [], missing });
});

it('misses nothing of an empty frame', () => {
  expect(readSpans([createFrame({ loss: [number, []] })]).missing).toBeUndefined();
});
