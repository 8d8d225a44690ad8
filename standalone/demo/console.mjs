// The things that programs do to a terminal: colours, bars that move, bars below bars.
import { setTimeout as sleep } from 'node:timers/promises';

export const print = (text = '') => process.stdout.write(`${text}\n`);
export const bold = (text) => `\u001b[1m${text}\u001b[0m`;
export const green = (text) => `\u001b[32m${text}\u001b[0m`;
export const yellow = (text) => `\u001b[33m${text}\u001b[0m`;
export const orange = (text) => `\u001b[38;5;208m${text}\u001b[0m`;

const BAR_WIDTH = 28;
const EIGHTHS = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];

/** `title:  45%|████▌     | 54/120` */
export function formatBar(title, done, total) {
  const eighths = Math.round((done / total) * BAR_WIDTH * 8);
  const filled = '█'.repeat(Math.floor(eighths / 8)) + EIGHTHS[eighths % 8];
  const percent = String(Math.floor((100 * done) / total)).padStart(3);
  return `${title}: ${percent}%|${filled.padEnd(BAR_WIDTH)}| ${done}/${total}`;
}

/** A bar that redraws its line with a carriage return until it is full. */
export async function runBar(title, total, stepMs) {
  for (let done = 0; done <= total; done += 1) {
    process.stdout.write(`\r${formatBar(title, done, total)}`);
    await sleep(stepMs);
  }
  process.stdout.write('\n');
}

/** Two bars, the inner one a line below the outer one: the cursor goes up to redraw the outer. */
export async function runNestedBars(outerTitle, innerTitle, outerTotal, innerTotal, stepMs) {
  for (let outer = 0; outer < outerTotal; outer += 1) {
    for (let inner = 0; inner <= innerTotal; inner += 1) {
      const done = inner === innerTotal ? outer + 1 : outer;
      process.stdout.write(`\r${formatBar(outerTitle, done, outerTotal)}\n`);
      process.stdout.write(`\r${formatBar(innerTitle, inner, innerTotal)}\u001b[A`);
      await sleep(stepMs);
    }
  }
  process.stdout.write('\n\n');
}
