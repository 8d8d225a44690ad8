import type { ControlIndex } from './control-index.js';
import {
  planFrames,
  TEXT_COLUMNS,
  TEXT_END,
  TEXT_LAST_COLUMNS,
  TEXT_NUMBERS,
  TEXT_ROW,
  TEXT_START,
} from './control-index.js';
import type { Screen } from './screen.js';
import type { LastControl } from './text-screen.js';
import { WINDOW_ROWS } from './window.js';

const LF = 0x0a;
const ESC = 0x1b;
const CAPITAL_A = 0x41;

/**
 * Runs the bars at the start of a slice, which was indexed last: text, CR, LF and `ESC [ n A`, nothing else. What later frames of
 * the same row cover is not even decoded. Returns where it stopped. Needs the ground state, a scroll region that is the whole
 * screen and no very long last row.
 */
export function runFrames(bytes: Buffer, index: ControlIndex, screen: Screen): number {
  const plan = planFrames(index, screen.row, screen.column, WINDOW_ROWS);
  if (plan === undefined) return 0;
  const { first, count, texts, textBytes } = plan;
  const top = screen.window.firstId;
  if (first > 0) screen.print(bytes.toString('utf8', 0, first));
  for (let at = 0; at < count * TEXT_NUMBERS; at += TEXT_NUMBERS) {
    const text = textBytes.toString('utf8', texts[at + TEXT_START], texts[at + TEXT_END]);
    screen.printOver(
      top + (texts[at + TEXT_ROW] ?? 0),
      text,
      texts[at + TEXT_COLUMNS] ?? 0,
      texts[at + TEXT_LAST_COLUMNS] ?? 0
    );
  }
  screen.goOn(top + plan.reach, top + plan.scrolled, top + plan.row, plan.column < 0 ? undefined : plan.column);
  const last = screen.followsRedraws ? findLastControl(index, bytes, plan.end) : undefined;
  if (last !== undefined) screen.noteFrame(last);
  return plan.end;
}

/** Which control character came last before an end, if any, and whether text came behind it. */
function findLastControl({ count, records }: ControlIndex, bytes: Buffer, end: number): LastControl | undefined {
  let record = count - 1;
  while (record >= 0 && (records[2 * record] ?? 0) >= end) record -= 1;
  if (record < 0) return undefined;
  const at = records[2 * record] ?? 0;
  const kind = bytes[at];
  // `ESC [ A`, `ESC [ n A`
  const length = kind !== ESC ? 1 : bytes[at + 2] === CAPITAL_A ? 3 : 4;
  return { isLineFeed: kind === LF, hasText: at + length < end };
}
