// Renders a file with @xterm/headless, the terminal of VS Code without its screen. The result is the last row.
// node render-xterm.mjs FILE
import { readFileSync } from 'node:fs';
import xterm from '@xterm/headless';
import { chunksOf, RENDERINGS } from './chunks.mjs';
import { reportWork } from './report-work.mjs';

/** Awaiting a write costs a timer of about 1 ms. More than 50 MB in flight are refused. */
const WRITES_IN_FLIGHT = 32;

const bytes = readFileSync(process.argv[2]);

await reportWork(async () => {
  const terminal = new xterm.Terminal({
    cols: 200,
    rows: 50,
    scrollback: 1000,
    convertEol: true,
    allowProposedApi: true,
  });
  let pending = [];
  for (const chunk of chunksOf(bytes)) {
    pending.push(new Promise((resolve) => terminal.write(chunk, resolve)));
    if (pending.length < WRITES_IN_FLIGHT) continue;
    await Promise.all(pending);
    pending = [];
  }
  await Promise.all(pending);
  const { active } = terminal.buffer;
  const readLine = (y) => active.getLine(y).translateToString(true).trimEnd();
  let last = active.length - 1;
  while (last > 0 && readLine(last) === '') last--;
  return readLine(last);
}, RENDERINGS);
