import { joinPoints } from '../point-bytes.js';
import { readRejection } from './read-rejection.js';

const POINTS = ['m a=1 1\n', 'm a= 2\n', 'm c="x\': y"z 3\n', 'n a="s" 4\n', 'm b=1,a="s" 5\n'];
const batch = joinPoints(POINTS.map((point) => Buffer.from(point)));

const conflict = (field: string, dropped: number): string =>
  `partial write: field type conflict: input field "${field}" on measurement "m" is type string, already exists as type float dropped=${dropped}`;
const list = (...data: unknown[]): string => JSON.stringify({ error: 'partial write of line protocol occurred', data });
const entry = (line: number, original: string): unknown => ({
  line_number: line,
  original_line: original,
  error_message: 'no',
});

describe('readRejection', () => {
  it.each([
    [
      'a line of 1.x',
      "partial write: unable to parse 'm a= 2': missing field value dropped=0",
      { kind: 'points', points: [{ index: 1, reason: 'unable to parse: missing field value' }] },
    ],
    [
      'lines of 2.x, one with what ends it in the message',
      "unable to parse 'm a= 2': missing field value\nunable to parse 'm c=\"x': y\"z 3': invalid boolean",
      {
        kind: 'points',
        points: [
          { index: 1, reason: 'unable to parse: missing field value' },
          { index: 2, reason: 'unable to parse: invalid boolean' },
        ],
      },
    ],
    ['a line that is not in the batch', "unable to parse 'm a=': missing field value", undefined],
    ['a field of another type', conflict('a', 1), { kind: 'suspects', indexes: [4] }],
    ['a field that no point has', conflict('d', 1), undefined],
    ['as many as there are', conflict('d', 5), { kind: 'all' }],
    ['points that are too old', 'partial write: points beyond retention policy dropped=5', { kind: 'all' }],
    ['some that are too old', 'partial write: points beyond retention policy dropped=2', undefined],
    ['nothing', '', undefined],
  ])('understands %s', (_name, message, hint) => {
    expect(readRejection(JSON.stringify({ error: message }), message, batch)).toEqual(hint);
  });

  it.each([
    ['a list of version 3', list(entry(2, 'm a= 2')), [1]],
    ['a shortened line', list(entry(2, 'm a=')), [1]],
    ['all or nothing', JSON.stringify({ error: '', data: entry(2, 'm a= 2') }), [1]],
    ['a number that is not of this line', list(entry(1, 'm a= 2'), entry(9, 'm a= 2'), entry(0, '')), undefined],
    ['another form', list(null, 5, { line_number: '2' }), undefined],
    ['half a list', list(entry(2, 'm a= 2')).slice(0, -3), undefined],
    ['no JSON', 'Bad Request', undefined],
  ])('understands %s', (_name, text, indexes) => {
    const hint = readRejection(text, 'no', batch);
    const points = indexes?.map((index) => ({ index, reason: 'no' }));
    expect(hint).toEqual(points === undefined ? undefined : { kind: 'points', points });
  });
});
