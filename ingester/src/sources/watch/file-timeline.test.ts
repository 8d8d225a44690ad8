import { FileTimeline } from './file-timeline.js';

/** Looks every 200 ms at a file that grew at these times; `*` in front: with other content. */
function look(
  changes: readonly (readonly [atMs: number, position: number, isAnew?: boolean])[],
  untilMs = 30_000
): FileTimeline {
  const timeline = new FileTimeline(100);
  let [last, position] = [0, 100];
  for (let nowMs = 0; nowMs < untilMs; nowMs += 200) {
    const due = changes.filter(([atMs]) => atMs > last && atMs <= nowMs);
    const before = position;
    for (const [, to] of due) position = to;
    timeline.add(nowMs, changes.findLast(([atMs]) => atMs <= nowMs)?.[0] ?? -5000, position);
    if (due.some(([, , isAnew]) => isAnew)) timeline.restart(before);
    last = nowMs;
  }
  return timeline;
}

describe('FileTimeline', () => {
  it('knows what was there at a time, as far as it looked', () => {
    const timeline = look([
      [1100, 150],
      [2300, 180],
    ]);
    expect([0, 1199, 1200, 2399, 2400, 99_000].map((ms) => timeline.positionAt(ms))).toEqual([
      ...[100, 100, 150, 150, 180, 180],
    ]);
    expect(timeline.positionBefore(2300)).toBe(150);
    expect([100, 150, 180].map((position) => timeline.next(position))).toEqual([150, 180, Infinity]);
  });

  it.each([
    ['nothing was written', 5000, 8000, [], 100],
    [
      'both wrote',
      5000,
      8000,
      [
        [4900, 150],
        [5900, 160],
        [8300, 200],
      ],
      160,
    ],
    [
      'the end is not known',
      undefined,
      8000,
      [
        [4900, 150],
        [8300, 200],
      ],
      150,
    ],
    [
      'the next wrote first a while after its beginning',
      5000,
      6000,
      [
        [5900, 150],
        [12_000, 200],
      ],
      150,
    ],
    [
      'both ran at the same time',
      9000,
      3000,
      [
        [4000, 150],
        [9700, 160],
        [10_100, 200],
      ],
      160,
    ],
    [
      'the last and the first line stand close together',
      5000,
      5000,
      [
        [4500, 120],
        [5050, 150],
        [5100, 160],
        [5600, 200],
        [5700, 210],
      ],
      160,
    ],
    [
      'the last line came long before',
      5000,
      5000,
      [
        [1000, 150],
        [5700, 200],
        [5800, 210],
        [7000, 300],
      ],
      150,
    ],
    [
      'the next one is silent at first',
      5000,
      5000,
      [
        [5100, 150],
        [9000, 200],
      ],
      150,
    ],
    [
      'one writes without a pause, and new content begins',
      5000,
      5000,
      [
        [5100, 150],
        [5200, 160],
        [5300, 200, true],
        [5400, 210],
      ],
      160,
    ],
    [
      'new content of the job itself comes before',
      5000,
      6000,
      [
        [2000, 150, true],
        [4000, 160],
        [6500, 200, true],
      ],
      160,
    ],
  ] as const)('finds where one ends that writes until %s', (_, untilMs, nextSinceMs, changes, end) => {
    expect(look(changes).endOf(untilMs, nextSinceMs)).toBe(end);
  });

  it('forgets what was lost when the content was replaced', () => {
    const timeline = new FileTimeline(0);
    timeline.add(1000, 900, 500);
    timeline.add(2000, 1900, 800);
    // Only 300 bytes were read of the first content, when 40 bytes of another were found.
    timeline.add(3000, 2900, 340);
    timeline.restart(300);
    expect(timeline.positionAt(2000)).toBe(300);
    expect(timeline.positionAt(3000)).toBeGreaterThanOrEqual(340);
  });

  it('stays small', () => {
    const timeline = look(
      Array.from({ length: 5000 }, (_, i) => [i * 200 + 50, i + 101] as const),
      1_000_000
    );
    expect(timeline.positionAt(990_000)).toBeGreaterThan(5045);
    expect(timeline.positionAt(990_000)).toBeLessThanOrEqual(5051);
  });
});
