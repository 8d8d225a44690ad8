import { listTimeTicks } from './time-axis.js';

const START_MS = Date.UTC(2026, 2, 12, 14, 20);

function listLabels(lengthMs: number, widthPx: number, timeZone = 'utc'): readonly string[] {
  return listTimeTicks({ min: START_MS, max: START_MS + lengthMs, widthPx }, timeZone).map(({ label }) => label);
}

it.each([
  [600_000, 320, 'utc', ['14:20', '14:22', '14:24', '14:26', '14:28', '14:30']],
  [30_000, 320, 'utc', ['14:20:00', '14:20:10', '14:20:20', '14:20:30']],
  [0.02, 300, 'utc', ['14:20:00.000', '14:20:00.000010', '14:20:00.000020']],
  [86_400_000, 300, 'Asia/Kolkata', ['00:00', '06:00', '12:00', '18:00']],
])('marks round times of %p ms on %p px in %s', (lengthMs, widthPx, timeZone, labels) => {
  expect([...listLabels(lengthMs, widthPx, timeZone)].sort()).toEqual(labels);
});
