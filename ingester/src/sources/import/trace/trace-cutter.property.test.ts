import fc from 'fast-check';
import { randomCases, SEED } from '../../../../../test/random-cases.js';
import { TraceCutter, type TraceEvent } from './trace-cutter.js';

interface Cut {
  readonly events: TraceEvent[];
  readonly entries: (readonly [string, string])[];
  readonly faults: string[];
}

/** Cuts the bytes, which come in pieces of these lengths, over and over. */
function cut(bytes: Buffer, lengths: readonly number[]): Cut {
  const found: Cut = { events: [], entries: [], faults: [] };
  const cutter = new TraceCutter({
    onEvents: (events) => found.events.push(...events),
    onEntry: (key, json) => found.entries.push([key, json]),
    onFault: (what) => found.faults.push(what),
  });
  let at = 0;
  for (let i = 0; at < bytes.length; i += 1) {
    const end = at + (lengths[i % lengths.length] ?? 1);
    cutter.add(Buffer.from(bytes.subarray(at, end)));
    at = end;
  }
  cutter.end();
  return found;
}

const text = fc.oneof(
  fc.string(),
  fc.constantFrom('},{', '}, {"ph": "X"', '"]}', '\\"', 'traceEvents', 'é\u{1f600}', '\\', '[{', '')
);
const event = fc.record(
  {
    ph: fc.constantFrom('X', 'B', 'M'),
    name: text,
    ts: fc.double({ noNaN: true }),
    args: fc.dictionary(text, fc.jsonValue()),
  },
  { requiredKeys: ['ph'] }
);
const events = fc.array(event, { maxLength: 60, size: 'max' });
const lengths = fc.array(fc.oneof(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 4000, max: 9000 })), {
  minLength: 1,
});
/** Between two tokens, as JSON.stringify puts it, or by hand. */
const indent = fc.constantFrom(undefined, 1, '\t');

const RUNS = { numRuns: randomCases(200), seed: SEED };

describe('TraceCutter', () => {
  it('finds the events of an array, whatever pieces it comes in', () => {
    fc.assert(
      fc.property(events, indent, lengths, (list, space, sizes) => {
        const json = JSON.stringify(list, null, space);
        expect(cut(Buffer.from(json), sizes)).toEqual({ events: JSON.parse(json) as unknown, entries: [], faults: [] });
      }),
      RUNS
    );
  });

  it('finds the events of an object, and what is beside them', () => {
    const entries = fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 4 });
    fc.assert(
      fc.property(events, entries, entries, lengths, (list, before, behind, sizes) => {
        const parts = [...Object.entries(before), ['traceEvents', list] as const, ...Object.entries(behind)].map(
          ([key, value]) => `${JSON.stringify(key)} : ${JSON.stringify(value)}`
        );
        const found = cut(Buffer.from(`\ufeff {${parts.join(' , ')}}\n`), sizes);
        expect([found.events, found.faults]).toEqual([JSON.parse(JSON.stringify(list)), []]);
        const expected = [...Object.entries(before), ...Object.entries(behind)];
        expect(found.entries.map(([key, json]) => [key, JSON.parse(json) as unknown])).toEqual(
          JSON.parse(JSON.stringify(expected))
        );
      }),
      RUNS
    );
  });

  it('finds what is there where a file is cut off, and says so', () => {
    fc.assert(
      fc.property(events, fc.double({ min: 0, max: 1, noNaN: true }), lengths, (list, share, sizes) => {
        const whole = Buffer.from(JSON.stringify({ traceEvents: list }));
        const found = cut(whole.subarray(0, Math.floor(share * (whole.length - 1))), sizes);
        const all = JSON.parse(JSON.stringify(list)) as TraceEvent[];
        expect(found.events).toEqual(all.slice(0, found.events.length));
        expect(found.faults).toEqual([
          share * (whole.length - 1) < 1 ? 'files without a trace' : 'ends that are cut off',
        ]);
      }),
      RUNS
    );
  });

  it('leaves out what is no event, alone', () => {
    const good = Array.from({ length: 200 }, (_, i) => `{"ph":"X","name":"${i} },{","ts":${i}}`);
    const bad = ['{"ph":"X","ts":,}', '{"a" 1}', '}', '{]}'];
    for (const fault of bad) {
      const json = `[${[...good.slice(0, 100), fault, ...good.slice(100)].join(',\n')}]`;
      const { events: found } = cut(Buffer.from(json), [7000]);
      expect(found.length).toBeGreaterThanOrEqual(fault === '{]}' || fault === '}' ? 100 : 200);
    }
  });

  it('mends what profilers write: control characters, bare numbers, paths of Windows', () => {
    const json = '[{"ph":"X","name":"a\n\tb","args":{"x":NaN,"y":[-Infinity,inf],"path":"C:\\Users\\new"}}]';
    expect(cut(Buffer.from(json), [9]).events).toEqual([
      { ph: 'X', name: 'a  b', args: { x: null, y: [null, null], path: 'C:\\Users\new' } },
    ]);
  });

  it('leaves out an event that is too large, and goes on behind it', () => {
    const large = `{"ph":"X","name":"${'x'.repeat(9_000_000)}"}`;
    const json = `[{"ph":"B"},${large},{"ph":"E"}]`;
    const found = cut(Buffer.from(json), [250_000]);
    expect(found.events).toEqual([{ ph: 'B' }, { ph: 'E' }]);
    expect(found.faults).toEqual(['parts of more than 4 MiB']);
  });

  it.each(['', 'hello', '5', '{}', '[]', '{"a": 1}'])('takes %j for a trace without events', (json) => {
    expect(cut(Buffer.from(json), [1]).events).toEqual([]);
  });
});
