import fc from 'fast-check';
import { SEED, randomCases } from '../../../test/random-cases.js';
import { columnsOfText } from '../console/column-width.js';
import { readJobs } from '../ask/jobs/jobs.js';
import { JOB_FIELDS } from '../schema/job-point.js';
import { createJobReport } from './job-report.js';
import { formatReport } from './format-report.js';

/** What any program may have written into a field: control characters, names of JavaScript, any length. */
const hostileText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.constantFrom('__proto__', 'constructor', '', '\x1b[2J\x1b]0;x\x07', '\r\n\t', '\u202egnp', '漢'.repeat(90)),
  fc
    .tuple(fc.string({ unit: 'grapheme', minLength: 1 }), fc.integer({ min: 60, max: 300 }))
    .map(([s, n]) => s.repeat(n))
);
const hostileNumber = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.constantFrom(0.5, -1, 1e300, -1e300, 1.7e12 + 0.25, 8.64e15, 9.3e12, -9.3e12)
);
const NAMES = Object.values(JOB_FIELDS);
const hostileFields = fc.tuple(...NAMES.map(() => fc.option(fc.oneof(hostileText, hostileNumber))));

it('prints any fields of a job, in lines of 80 columns without control characters', () => {
  fc.assert(
    fc.property(hostileText, hostileText, hostileFields, fc.array(hostileText), (job, user, fields, texts) => {
      const series = {
        name: 'job',
        tags: { job, user },
        columns: ['time', ...NAMES],
        values: [['2023-11-14T22:13:20Z', ...fields]],
      };
      const [record] = readJobs([{ statement_id: 0, series: [series] }]);
      if (record === undefined) throw new Error('no job');
      const signals = texts.map((text) => ({
        ...{ job, user, name: text, severity: 'error' as const, message: text, place: text, count: 2 },
        timeNs: 10n ** 18n,
      }));
      const values = new Map(texts.map((text) => [text, text]));
      const report = createJobReport({ record: { ...record, values }, usage: undefined, signals, nowMs: 1.8e12 });
      for (const line of formatReport(report, { width: 80, formatTime: String }).split('\n')) {
        expect(line).not.toMatch(/[\p{Cc}\u202e]/u);
        expect(columnsOfText(line)).toBeLessThanOrEqual(80);
      }
      expect(JSON.parse(JSON.stringify(report))).toMatchObject({ advice: expect.any(Array) as unknown });
    }),
    { numRuns: randomCases(100), seed: SEED }
  );
});
