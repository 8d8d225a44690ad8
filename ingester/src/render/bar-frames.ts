import type { ControlIndex } from '../kernels/control-index.js';
import { type FramePlan, planFrames } from '../kernels/frame-plan.js';
import type { Screen } from './screen.js';
import type { LastControl } from './text-screen.js';
import { WINDOW_ROWS } from './row-window.js';

const LF = 0x0a;
const ESC = 0x1b;
const CAPITAL_A = 0x41;

/**
 * Runs the bars at the start of the slice that was indexed last: text, CR, LF and `ESC [ n A`, nothing else. Text that
 * later frames of its row cover is not even decoded. Returns where it stopped. Needs the ground state, a scroll region
 * of the whole screen and no very long last row. `mayMean`: nothing is run that may mean something on a row that has
 * ended, since each text counts there.
 */
export function runBarFrames(
  bytes: Buffer,
  index: ControlIndex,
  screen: Screen,
  mayMean?: (bytes: Buffer) => boolean
): number {
  const plan = planFrames(index, screen.row, screen.column, WINDOW_ROWS);
  if (plan === undefined || (mayMean !== undefined && mayMean(joinTexts(bytes, plan, screen)))) return 0;
  const { window } = screen;
  const top = window.firstId;
  window.settleComplete();
  if ((index.kinds & (1 << ESC)) !== 0) screen.hasMovedUp = true;
  if (plan.first > 0) screen.print(bytes.toString('utf8', 0, plan.first));
  if (plan.row !== screen.row) window.leaveRow(screen.row);
  for (const { row, text, columns, lastColumns } of plan.texts) {
    screen.printOver(top + row, text, columns, lastColumns);
    if (plan.row !== row) window.leaveRow(screen.row);
  }
  screen.goOn(top + plan.reach, top + plan.scrolled, top + plan.row, plan.column < 0 ? undefined : plan.column);
  window.settleComplete();
  const last = screen.followsRedraws ? findLastControl(index, bytes, plan.end) : undefined;
  if (last !== undefined) screen.noteFrame(last);
  return plan.end;
}

/** The frames, behind the text where they begin, and the rows that they are printed over. */
function joinTexts(bytes: Buffer, { end, texts }: FramePlan, { window, row }: Screen): Buffer {
  const rows = texts.map((text) => window.textAt(text.row));
  return Buffer.concat([
    Buffer.from(window.textAt(row)),
    bytes.subarray(0, end),
    Buffer.from(`\n${rows.join('\n')}\n`),
  ]);
}

/** The last control character before `end`, if any, and whether text came behind it. */
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
