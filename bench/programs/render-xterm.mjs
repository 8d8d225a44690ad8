// Renders a file with @xterm/headless, the terminal of VS Code without its screen. The result is the last row.
// node render-xterm.mjs FILE
import { readFileSync } from 'node:fs';
import { RENDERINGS } from './chunks.mjs';
import { reportWork } from './report-work.mjs';
import { runXterm } from './run-xterm.mjs';

const bytes = readFileSync(process.argv[2]);

await reportWork(async () => {
  const { active } = (await runXterm(bytes)).buffer;
  const readLine = (y) => active.getLine(y).translateToString(true).trimEnd();
  let last = active.length - 1;
  while (last > 0 && readLine(last) === '') last--;
  return readLine(last);
}, RENDERINGS);
