import fc from 'fast-check';
import { listSlotShares, type LaneSlot } from '../../spans/slot-shares.js';
import { SpanFold } from '../../spans/span-fold.js';
import { addUpSlots, listOpenSlots } from './open-spans.js';

const EPOCH_MS = 1_700_000_000_000;
const WIDTH_MS = 256;
const SLOTS = 24;
/** Not the beginning of a slot of the range: some start before it. */
const FROM_MS = Math.floor(EPOCH_MS / WIDTH_MS) * WIDTH_MS;

const placeMs = fc.integer({ min: -20 * WIDTH_MS, max: SLOTS * WIDTH_MS }).map((ms) => FROM_MS + ms);
const finished = fc
  .tuple(placeMs, fc.nat({ max: 5000 }))
  .map(([startMs, lengthMs]) => ({ startMs, finishMs: startMs + lengthMs }));

const floor = (timeMs: number): number => Math.floor(timeMs / WIDTH_MS) * WIDTH_MS;

/** The slots of a fold, and the sums of those before the range. */
function fold(spans: ReadonlyArray<{ readonly startMs: number; readonly finishMs: number }>) {
  const slow = new SpanFold([WIDTH_MS]);
  for (const span of spans) slow.add(span);
  const all = addUpSlots(slow.take());
  const before = all.filter(({ slotMs }) => slotMs < FROM_MS);
  const sum = (key: 'net' | 'busyNet'): number => before.reduce((total, slot) => total + slot[key], 0);
  return { slots: all.filter(({ slotMs }) => slotMs >= FROM_MS), net: sum('net'), busyNet: sum('busyNet') };
}

/** What each slot of the range tells by itself. */
function listEach(slots: readonly LaneSlot[], base: { readonly net: number; readonly busyNet: number }) {
  const range = { widthMs: WIDTH_MS, fromMs: FROM_MS, toMs: FROM_MS + SLOTS * WIDTH_MS, ...base };
  const shares = listSlotShares(slots, range);
  return Array.from({ length: SLOTS }, (_, i) => {
    const startMs = FROM_MS + i * WIDTH_MS;
    const share = shares.find((each) => each.startMs <= startMs && each.endMs > startMs);
    return share ?? { busy: 0, running: 0, count: 0 };
  });
}

it('adds open spans to what levels tell as a fold of them all does, but for where they start within a slot', () => {
  fc.assert(
    fc.property(
      fc.array(finished, { maxLength: 20 }),
      fc.array(placeMs, { maxLength: 20 }),
      placeMs,
      (done, open, now) => {
        const slow = fold([...done, ...open.map((startMs) => ({ startMs, finishMs: Math.max(startMs, now) }))]);
        const levels = fold(done);
        const counts = new Map<number, number>();
        for (const startMs of open) counts.set(floor(startMs), (counts.get(floor(startMs)) ?? 0) + 1);
        const starts = [...counts].map(([slotMs, spans]) => ({ slotMs, spans })).sort((a, b) => a.slotMs - b.slotMs);
        const isOpenThen = now >= FROM_MS;
        const before = isOpenThen ? open.filter((startMs) => startMs < FROM_MS).length : 0;
        const within = starts.filter(({ slotMs }) => slotMs >= FROM_MS);
        const slots = addUpSlots([...levels.slots, ...listOpenSlots(before, within, WIDTH_MS, now)]);
        const base = { net: levels.net + before, busyNet: levels.busyNet + (before > 0 ? 1 : 0) };
        const expected = listEach(slow.slots, slow);
        listEach(slots, base).forEach((share, i) => {
          const slotMs = FROM_MS + i * WIDTH_MS;
          const started = counts.get(slotMs) ?? 0;
          const want = expected[i] ?? { busy: NaN, running: NaN, count: NaN };
          expect(share.count).toBe(want.count);
          expect(Math.abs(share.running - want.running)).toBeLessThanOrEqual(started + 1e-9);
          // Where all starts are in other slots, and at the end of the open ones, sums say it exactly or too much.
          if (started === 0 && floor(now) !== slotMs) expect(share.busy).toBeCloseTo(want.busy, 6);
        });
      }
    )
  );
});
