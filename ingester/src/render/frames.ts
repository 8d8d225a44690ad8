import { isUtf8 } from 'node:buffer';
import { columnsOfText } from './column-width.js';
import type { ControlIndex, FramePlan } from './control-index.js';
import { END, FRAME_NUMBERS, IS_AT_START, planFrames, REACH, ROW, SCROLLED, START } from './control-index.js';
import type { Screen } from './screen.js';
import { WINDOW_ROWS } from './window.js';

/**
 * Runs the bars at the start of a slice, which was indexed last: text, CR, LF and `ESC [ n A`, nothing else. A frame that a
 * later one of the same row covers is not even decoded. Returns where it stopped. Needs the ground state, a scroll region
 * that is the whole screen and no very long last row.
 */
export function runFrames(bytes: Buffer, index: ControlIndex, screen: Screen): number {
  if (!isUtf8(bytes)) return 0;
  const plan = planFrames(index, screen.row, WINDOW_ROWS);
  if (plan === undefined) return 0;
  const { texts, first, isRough } = plan;
  const covered = isRough ? findCovered(bytes, plan) : undefined;
  const top = screen.window.firstId;
  for (let at = first; ; at += FRAME_NUMBERS) {
    const start = texts[at + START] ?? 0;
    const end = texts[at + END] ?? 0;
    if (covered?.has(at) === true) continue;
    const left = top + (texts[at + SCROLLED] ?? 0);
    screen.goOn(top + (texts[at + REACH] ?? 0), left, top + (texts[at + ROW] ?? 0), texts[at + IS_AT_START] === 1);
    if (end === start) return start;
    screen.print(bytes.toString('utf8', start, end));
  }
}

/** The texts that a later one covers, by their places in the plan: all characters are looked at. */
function findCovered(bytes: Buffer, { texts, first }: FramePlan): ReadonlySet<number> {
  const covered = new Set<number>();
  /** For each row the most columns of those that come later. */
  const covers = new Map<number, number>();
  let last = first;
  while (texts[last + START] !== texts[last + END]) last += FRAME_NUMBERS;
  for (let at = last - FRAME_NUMBERS; at >= first; at -= FRAME_NUMBERS) {
    if (texts[at + IS_AT_START] === 0) continue;
    const row = texts[at + ROW] ?? 0;
    const cover = covers.get(row) ?? 0;
    const columns = columnsOfText(bytes.toString('utf8', texts[at + START], texts[at + END]));
    // Marks alone have no column in which they could be covered. The column behind must not matter: the next begins in the first.
    if (columns > 0 && columns <= cover && texts[at + FRAME_NUMBERS + IS_AT_START] === 1) covered.add(at);
    else if (columns > cover) covers.set(row, columns);
  }
  return covered;
}
