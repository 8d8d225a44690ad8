import { FieldType, toDataFrame } from '@grafana/data';
import { createLogFrame } from '../testing/frames.js';
import { createLogModel, filterStream, formatLogLimit, type LogModel } from './log-model.js';

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
