import { FieldType, toDataFrame } from '@grafana/data';
import { createLogFrame } from '../testing/frames.js';
import { createLogModel, filterStream, formatLogLimit, type LogModel } from './log.js';

function modelOf(...frames: Parameters<typeof createLogModel>[0]): LogModel {
  const model = createLogModel(frames);
  if (model === undefined) throw new Error('no log');
  return model;
}

const texts = (model: LogModel): string[] => model.lines.map((line) => line.text);

it('puts the lines of all frames in the order of their nanoseconds', () => {
  const model = modelOf(
    createLogFrame([
      { text: 'c', timeMs: 1, tsNs: '1000003' },
      { text: 'd', timeMs: 2 },
    ]),
    createLogFrame([
      { text: 'a', timeMs: 1, tsNs: '1000001' },
      { text: 'b', timeMs: 1, tsNs: '1000002' },
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
  [{ limited: true }, 'The newest 1 lines; older ones are not shown'],
  [{ limited: true, total: 12345 }, '1 of 12,345 lines, the newest'],
  [{ total: 1 }, undefined],
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

it('is undefined when no frame is a log', () => {
  expect(createLogModel([toDataFrame({ fields: [] })])).toBeUndefined();
});
