import fc from 'fast-check';
import { averageSteps } from '../../analytics/steps.js';
import { foldSpans } from './folded-spans.js';
import type { SpanRecord } from './single-spans.js';
import { countRunning, LIVE_BYTES, sumBytes } from './span-curves.js';

const WINDOW = { fromMs: 1_000, toMs: 9_000 };

function createRecord(startMs: number, durationMs: number | undefined, others: Partial<SpanRecord> = {}): SpanRecord {
  const timeNs = BigInt(startMs) * 1_000_000n;
  const part = durationMs === undefined ? 'start' : 'whole';
  const lane = { job: 'a (1)', user: 'ann', category: 'io', worker: 'w "1"' };
  return { ...lane, timeNs, part, durationMs, id: '7', name: 'load', data: undefined, ...others };
}

const toPlain = (curves: ReturnType<typeof sumBytes>) =>
  [...curves].map(([name, { timesMs, values }]) => [name, timesMs.map((timeMs, i) => [timeMs, values[i]])]);

describe('running spans', () => {
  const spans = [
    createRecord(0, 2_500, { worker: 'w10' }),
    createRecord(2_000, 4_000, { worker: 'w9' }),
    createRecord(8_000, undefined, { category: '', worker: 'w9' }),
    createRecord(8_500, 0, { part: 'finish', worker: 'w9' }),
  ];

  it.each([
    [
      'categories',
      [
        [
          '',
          [
            [1_000, 0],
            [8_000, 1],
            [9_000, 1],
          ],
        ],
        [
          'io',
          [
            [1_000, 1],
            [2_000, 2],
            [2_500, 1],
            [6_000, 0],
            [9_000, 0],
          ],
        ],
      ],
    ],
    [
      'workers',
      [
        [
          'w9',
          [
            [1_000, 0],
            [2_000, 1],
            [6_000, 0],
            [8_000, 1],
            [9_000, 1],
          ],
        ],
        [
          'w10',
          [
            [1_000, 1],
            [2_500, 0],
            [9_000, 0],
          ],
        ],
      ],
    ],
  ] as const)('are counted by %s: an open one runs on, and a finish alone does not run', (kind, expected) => {
    expect(toPlain(countRunning({ kind: 'single', spans, isCut: false }, kind, WINDOW))).toEqual(expected);
  });

  it('are as many on average where they are folded', () => {
    const span = fc
      .record({ startMs: fc.nat(9_000), durationMs: fc.nat(5_000), worker: fc.constantFrom('', 'a', 'b.c') })
      .map(({ startMs, durationMs, worker }) => createRecord(startMs, durationMs, { worker }));
    fc.assert(
      fc.property(fc.array(span, { minLength: 1, maxLength: 20 }), (random) => {
        const request = { filter: {}, fromNs: 0n, toNs: 16_384_000_000n };
        const window = { fromMs: 0, toMs: 16_384 };
        const shares = foldSpans(random, request, 512, 0);
        const single = countRunning({ kind: 'single', spans: random, isCut: false }, 'workers', window);
        const folded = countRunning({ kind: 'folded', shares, spans: random.length, widthMs: 512 }, 'workers', window);
        for (const [worker, steps] of single)
          expect(averageSteps(folded.get(worker) ?? steps, window)).toBeCloseTo(averageSteps(steps, window), 6);
      })
    );
  });
});

describe('bytes of spans', () => {
  const move = (startMs: number, bytes: unknown, category = 'move') =>
    createRecord(startMs, 500, { category, data: JSON.stringify({ bytes }) });

  it('are added up by category when a span has finished, and what is held is never below zero', () => {
    const spans = [
      move(800, 64),
      move(2_000, 7, 'evict'),
      move(2_000, 100),
      move(3_000, 200, 'evict'),
      move(4_000, 10),
    ];
    expect(toPlain(sumBytes(spans, WINDOW))).toEqual([
      [
        'evict',
        [
          [1_000, 0],
          [2_500, 7],
          [3_500, 207],
          [9_000, 207],
        ],
      ],
      [
        'move',
        [
          [1_000, 0],
          [1_300, 64],
          [2_500, 164],
          [4_500, 174],
          [9_000, 174],
        ],
      ],
      [
        LIVE_BYTES,
        [
          [1_000, 0],
          [1_300, 64],
          [2_500, 157],
          [3_500, 0],
          [4_500, 10],
          [9_000, 10],
        ],
      ],
    ]);
  });

  it.each([['"1"'], ['null'], ['[1]'], ['{"bytes":"4"}'], ['{"bytes":null}'], ['{"bytes":'], [undefined]])(
    'are nothing in data %s',
    (data) => {
      expect(toPlain(sumBytes([createRecord(2_000, 1, { data })], WINDOW))).toEqual([]);
    }
  );

  it('of a span that is open, or ended outside the range, do not count', () => {
    const data = '{"bytes": 5}';
    const spans = [createRecord(2_000, undefined, { data }), createRecord(8_000, 2_000, { data })];
    expect(toPlain(sumBytes(spans, WINDOW))).toEqual([]);
  });
});
