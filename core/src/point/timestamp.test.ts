import fc from 'fast-check';
import { MAX_TIME_NS, MIN_TIME_NS } from './line-protocol.js';
import { formatRfc3339Nano, parseInfluxTime, parsePrecision, parseRfc3339Nano } from './timestamp.js';

describe('formatRfc3339Nano', () => {
  it.each([
    [0n, '1970-01-01T00:00:00Z'],
    [-1n, '1969-12-31T23:59:59.999999999Z'],
    [1_500_000_000n, '1970-01-01T00:00:01.5Z'],
    [1_465_839_830_100_400_200n, '2016-06-13T17:43:50.1004002Z'],
    [MAX_TIME_NS, '2262-04-11T23:47:16.854775806Z'],
    [MIN_TIME_NS, '1677-09-21T00:12:43.145224194Z'],
  ])('prints %s as InfluxDB does', (timeNs, text) => {
    expect(formatRfc3339Nano(timeNs)).toBe(text);
  });

  it('is read back to the nanosecond', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: MIN_TIME_NS, max: MAX_TIME_NS }), (timeNs) => {
        expect(parseRfc3339Nano(formatRfc3339Nano(timeNs))).toBe(timeNs);
      })
    );
  });
});

describe('parseInfluxTime', () => {
  it.each([
    ['2016-06-13T17:43:50.1004002Z', 1_465_839_830_100_400_200n],
    ['2016-06-13T19:43:50+02:00', 1_465_839_830_000_000_000n],
    ['2016-06-13T12:43:50.5-05:00', 1_465_839_830_500_000_000n],
    ['2016-06-13t17:43:50z', 1_465_839_830_000_000_000n],
    ['2016-06-13 17:43:50', 1_465_839_830_000_000_000n],
    ['2016-06-13 17:43:50.25', 1_465_839_830_250_000_000n],
    ['2016-06-13', 1_465_776_000_000_000_000n],
    ['2016-02-29', 1_456_704_000_000_000_000n],
    ['1970-01-01T00:00:00.1234567899Z', 123_456_789n],
    ['0001-01-01T00:00:00Z', -62_135_596_800_000_000_000n],
  ])('reads %s', (text, timeNs) => {
    expect(parseInfluxTime(text)).toBe(timeNs);
  });

  it.each([
    '',
    'now',
    '2015-02-29',
    '2016-13-01',
    '2016-06-13 24:00:00',
    '2016-06-13T17:43:60Z',
    '2016-06-13T17:43:50',
    '2016-6-1',
  ])('does not read %j', (text) => {
    expect(parseInfluxTime(text)).toBeUndefined();
  });
});

describe('parsePrecision', () => {
  it.each([
    ['n', 'ns'],
    ['ns', 'ns'],
    ['u', 'us'],
    ['µ', 'us'],
    ['us', 'us'],
    ['ms', 'ms'],
    ['s', 's'],
    ['m', 'm'],
    ['h', 'h'],
    ['d', undefined],
    ['', undefined],
  ])('takes %j for %s', (text, precision) => {
    expect(parsePrecision(text)).toBe(precision);
  });
});
