import { formatPoint } from '../point/line-protocol.js';
import { createSpanPoint, findSpanNs } from './span-point.js';
import { SpanTimes } from './span-times.js';

const START_NS = 1_700_000_000_123_456_000n;

describe('createSpanPoint', () => {
  it('has the lane as tags, and a time within the microsecond of its start', () => {
    const span = {
      ...{
        job: 'a (b)',
        user: 'ann',
        category: 'com pute',
        worker: 'tcp://10.0.0.1:80',
        id: 'x "y"-7',
        name: 'sum, "1"',
      },
      ...{ startNs: START_NS, durationMs: 1.5, data: { n: 1 } },
    };
    const { timeNs, ...point } = createSpanPoint(span);
    expect(formatPoint({ ...point, timeNs: START_NS })).toBe(
      String.raw`job_span,category=com\ pute,job=a\ (b),user=ann,worker=tcp://10.0.0.1:80 ` +
        String.raw`id="x \"y\"-7",name="sum, \"1\"",duration_ms=1.5,data="{\"n\":1}",part="whole" ${START_NS}`
    );
    expect(timeNs / 1000n).toBe(START_NS / 1000n);
    expect(createSpanPoint({ ...span, durationMs: undefined }).timeNs).toBe(timeNs);
  });

  it('has no tag for an empty lane, no duration while open, and digits that a float would lose', () => {
    const span = { job: '1', user: 'ann', category: '', id: '', name: '', startNs: 1n, json: '{"n":1e999}' };
    expect(formatPoint(createSpanPoint(span))).toBe(
      String.raw`job_span,job=1,user=ann id="",name="",data="{\"n\":1e999}",part="start" 1`
    );
    expect(createSpanPoint({ ...span, part: 'finish' }).fields.get('part')).toBe('finish');
  });

  it('gives neighbours that begin at once different times, and leaves a time in nanoseconds', () => {
    const times = Array.from({ length: 1000 }, (_, i) => findSpanNs({ id: `inc-${i}`, startNs: START_NS }));
    expect(new Set(times).size).toBe(1000);
    expect(findSpanNs({ id: 'inc-1', startNs: START_NS + 1n })).toBe(START_NS + 1n);
  });
});

describe('SpanTimes', () => {
  it('gives any number of spans that begin at once times of their own, the same ones again', () => {
    const claimAll = (): bigint[] => {
      const times = new SpanTimes();
      return Array.from({ length: 5000 }, (_, i) => times.claim({ id: `${i} (x)`, worker: 'w', startNs: START_NS }));
    };
    const times = claimAll();
    expect(new Set(times).size).toBe(5000);
    expect(claimAll()).toEqual(times);
    const other = new SpanTimes();
    const first = other.claim({ id: 'a', startNs: START_NS });
    expect([
      other.claim({ id: 'a', startNs: START_NS }),
      other.claim({ id: 'a', worker: 'w', startNs: START_NS }),
    ]).toEqual([first, first]);
  });
});
