import { FieldType, toDataFrame } from '@grafana/data';
import { createLogFrame } from '../../testing/frames.js';
import { createLogModel, filterStream, formatLogLimit, inferFirstStream, type LogModel } from './log-model.js';

function modelOf(...frames: Parameters<typeof createLogModel>[0]): LogModel {
  return createLogModel(frames);
}

const texts = (model: LogModel): string[] => model.lines.map((line) => line.text);

it('puts the lines of all frames in the order of their nanoseconds', () => {
  const model = modelOf(
    createLogFrame([
      { text: 'c', timeNs: 1_000_003n },
      { text: 'd', timeNs: 2_000_000n },
    ]),
    createLogFrame([
      { text: 'a', timeNs: 1_000_001n },
      { text: 'b', timeNs: 1_000_002n },
    ])
  );
  expect(texts(model)).toEqual(['a', 'b', 'c', 'd']);
});

it('keeps the identity of a line that is rewritten', () => {
  const before = modelOf(createLogFrame([{ text: ' 10%' }]));
  const after = modelOf(createLogFrame([{ text: ' 90%' }]));
  expect(after.lines[0]?.id).toBe(before.lines[0]?.id);
});

it('offers the streams when both are there, and filters them', () => {
  const both = modelOf(createLogFrame([{ text: 'o' }, { text: 'e', stream: 'stderr' }]));
  expect(both.hasBothStreams).toBe(true);
  expect(filterStream(both.lines, 'stderr').map((line) => line.text)).toEqual(['e']);
  expect(filterStream(both.lines, 'both')).toHaveLength(2);
  expect(modelOf(createLogFrame([{ text: 'e', stream: 'stderr' }])).hasBothStreams).toBe(false);
});

const S = 1_000_000_000n;
const out = (count: number, fromNs: bigint, stepNs: bigint) =>
  Array.from({ length: count }, (_, n) => ({ text: `line ${n}`, timeNs: fromNs + stepNs * BigInt(n) }));
const err = (text: string, timeNs: bigint) => ({ text, timeNs, stream: 'stderr' as const });

it.each([
  ['no error', [...out(50, 0n, S), err('WARNING: slow', 50n * S)], 'stdout'],
  ['an error at the end of stderr', [...out(50, 0n, S), err('ValueError: x', 50n * S)], 'both'],
  ['a few lines after it', [...out(50, 0n, S), err('ValueError: x', 50n * S), ...out(9, 51n * S, S)], 'both'],
  ['output kept back until the end', [err('ValueError: x', 0n), ...out(500, 1n, 1000n)], 'stderr'],
  ['a job that went on', [err('ERROR: try again', 0n), ...out(500, S, S)], 'stdout'],
  ['an error in stdout', [err('start', 0n), ...out(50, S, S), { text: 'ValueError: x', timeNs: 60n * S }], 'stdout'],
  ['stdout alone', out(5, 0n, S), 'stdout'],
])('opens with the stream that says how the log ends: %s', (_name, lines, stream) => {
  expect(inferFirstStream(modelOf(createLogFrame(lines)))).toBe(stream);
});

it('shows writers when there are several', () => {
  expect(
    modelOf(
      createLogFrame([
        { text: 'a', task: '0' },
        { text: 'b', task: '1' },
      ])
    ).hasTasks
  ).toBe(true);
  expect(modelOf(createLogFrame([{ text: 'a', task: '0' }])).hasTasks).toBe(false);
});

it.each([
  [{}, undefined],
  [{ isLimited: true }, 'The newest 1 lines; older ones are not shown'],
])('says what %p leaves out', (meta, text) => {
  expect(formatLogLimit(modelOf(createLogFrame([{ text: 'a' }], meta)))).toBe(text);
});

it('reads the log frame of any other source', () => {
  const frame = toDataFrame({
    fields: [
      { name: 'Time', type: FieldType.time, values: [2, 1] },
      { name: 'content', type: FieldType.string, values: ['later', null] },
    ],
    meta: { preferredVisualisationType: 'logs' },
  });
  const model = modelOf(frame);
  expect(texts(model)).toEqual(['', 'later']);
  expect(new Set(model.lines.map((line) => line.id)).size).toBe(2);
});

it('has no lines when no frame is a log', () => {
  expect(createLogModel([toDataFrame({ fields: [] })]).lines).toEqual([]);
});
