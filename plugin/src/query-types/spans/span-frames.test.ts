import type { SpansView } from '@joblens/core/ask/spans/read-spans';
import type { SpanRecord } from '@joblens/core/ask/spans/single-spans';
import { readJoblensMeta, toPlainFields } from '../../../test/frame-table.js';
import { createSpanCurvesFrame, createSpansFrame } from './span-frames.js';

const START_NS = 1_700_000_000_000_250_417n;
const SPAN: SpanRecord = {
  ...{ timeNs: START_NS, part: 'whole', durationMs: 1.5, job: 'a (1)', user: 'ann', category: 'io', worker: 'w "1"' },
  ...{ id: '7', name: 'load', data: '{"n":1}' },
};
const frameOf = (view: SpansView) => createSpansFrame({ refId: 'A', view, executedQuery: 'SELECT' });

it('has a row a span: an open one has no end, and a finish without a start is a moment', () => {
  const open: SpanRecord = { ...SPAN, part: 'start', durationMs: undefined, data: undefined };
  const spans = [SPAN, open, { ...open, part: 'finish' as const }];
  const frame = frameOf({ kind: 'single', spans, isCut: true });
  const startMs = 1_700_000_000_000.25;
  expect(toPlainFields(frame)).toEqual([
    ['start', 'time', startMs, startMs, startMs],
    ['end', 'time', startMs + 1.5, null, startMs],
    ['name', 'string', 'load', 'load', 'load'],
    ['category', 'string', 'io', 'io', 'io'],
    ['worker', 'string', 'w "1"', 'w "1"', 'w "1"'],
    ['job', 'string', 'a (1)', 'a (1)', 'a (1)'],
    ['user', 'string', 'ann', 'ann', 'ann'],
    ['id', 'string', '7', '7', '7'],
    ['data', 'string', '{"n":1}', null, null],
    ['duration', 'number', 1.5, null, null],
  ]);
  expect(readJoblensMeta(frame)).toEqual({ kind: 'spans' });
  expect(frame.meta?.notices?.map(({ text }) => text)).toEqual(['There are more spans that began before the range.']);
});

it('has a row a lane and slot where spans are folded, and says how many were read', () => {
  const share = { ...{ job: '1', user: 'ann', category: '', worker: 'w' }, startMs: 1, endMs: 2, busy: 0.5 };
  const view = { kind: 'folded', shares: [{ ...share, running: 2, count: 3 }], spans: 60_000, widthMs: 1 } as const;
  expect(toPlainFields(frameOf(view)).map(([name, , value]) => [name, value])).toEqual([
    ['start', 1],
    ['end', 2],
    ['category', ''],
    ['worker', 'w'],
    ['job', '1'],
    ['user', 'ann'],
    ['busy', 0.5],
    ['running', 2],
    ['count', 3],
  ]);
  expect(readJoblensMeta(frameOf(view))).toEqual({ kind: 'folded-spans' });
  expect(frameOf({ ...view, readSpans: 50_000 }).meta?.notices?.[0]?.text).toContain('The newest 50000 of 60000 spans');
});

it('has a column of steps for each category', () => {
  const curves = new Map([
    ['', { timesMs: [1, 3], values: [0, 2] }],
    ['io "1"', { timesMs: [1, 2, 3], values: [1, 0, 0] }],
  ]);
  const frame = createSpanCurvesFrame(
    { refId: 'A', curve: 'bytes', executedQuery: 'SELECT' },
    { curves, readSpans: 9 }
  );
  expect(toPlainFields(frame)).toEqual([
    ['time', 'time', 1, 2, 3],
    ['(none)', 'number', 0, 0, 2],
    ['io "1"', 'number', 1, 0, 0],
  ]);
  expect(frame.fields[1]?.config).toMatchObject({ unit: 'bytes', min: 0, custom: { lineInterpolation: 'stepAfter' } });
  expect(frame.meta?.notices?.[0]?.text).toBe('Only the newest 9 spans count: choose a shorter range.');
});
