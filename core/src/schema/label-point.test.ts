import fc from 'fast-check';
import { utf8Length } from '../point/utf8.js';
import { formatPoint } from '../point/line-protocol.js';
import { createLabelPoint, createNoLabelPoint, encodeLabelText, findLabelNs } from './label-point.js';

const DAY_MS = 86_400_000;
const BEGIN_MS = 1_700_000_000_000;
const LABEL = { key: 'experiment', value: 'a-(1)' };

describe('the point of a label', () => {
  it('says which job has it, with the job as a field', () => {
    expect(formatPoint(createLabelPoint({ job: 'alpha/1', user: 'ann' }, LABEL, BEGIN_MS))).toMatch(
      /^job_label,key=experiment,user=ann,value=a-\(1\) job="alpha\/1" 1699997\d{12}$/
    );
  });

  it('is the same one whenever in a day and whoever writes it, and no label overwrites it', () => {
    const source = { job: 'run "1"', user: 'ann' };
    const first = createLabelPoint(source, LABEL, BEGIN_MS);
    expect(createLabelPoint({ ...source, task: '3' }, LABEL, BEGIN_MS + 1000)).toEqual(first);
    const none = createNoLabelPoint(source, LABEL, BEGIN_MS);
    expect([none.tags, none.timeNs, none.fields.get('job')]).toEqual([first.tags, first.timeNs, '']);
  });

  it('lies in the day in which the job began', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.nat({ max: 2 ** 41 }), (job, beginMs) => {
        const offsetMs = Number(findLabelNs({ job }, beginMs) / 1_000_000n) - Math.floor(beginMs / DAY_MS) * DAY_MS;
        expect(offsetMs).toBeGreaterThanOrEqual(0);
        expect(offsetMs).toBeLessThan(DAY_MS);
      })
    );
  });

  it('has a place of its own for each of 100,000 jobs of an array, and of as many with names alike', () => {
    const places = new Set<bigint>();
    for (let at = 0; at < 100_000; at += 1) {
      places.add(findLabelNs({ job: `4711_${at}` }, BEGIN_MS));
      places.add(findLabelNs({ job: `run (${at})` }, BEGIN_MS));
    }
    expect(places.size).toBe(200_000);
  });

  it('has texts that no store refuses, each of its own', () => {
    const long = 'ü'.repeat(40_000);
    const texts = ['', ' ', '\n', '\\', 'a=b, c', '\u{1f600}', long, `${long}x`, 'x'.repeat(200)];
    const encoded = texts.map(encodeLabelText);
    expect(new Set(encoded).size).toBe(texts.length);
    for (const text of encoded) {
      expect(text).not.toMatch(/^$|\n/);
      expect(utf8Length(text)).toBeLessThan(250);
    }
  });
});
