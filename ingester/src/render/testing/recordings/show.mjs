// Prints what @xterm/headless shows of a recording, as the expected rows are written: node show.mjs FILE
import { readFileSync } from 'node:fs';
import xterm from '@xterm/headless';

const terminal = new xterm.Terminal({
  cols: 1024,
  rows: 200,
  scrollback: 9000,
  convertEol: true,
  allowProposedApi: true,
});
await new Promise((resolve) => terminal.write(readFileSync(process.argv[2]), resolve));
const { active } = terminal.buffer;
const rows = Array.from({ length: active.length }, (_, y) => active.getLine(y).translateToString(true).trimEnd());
console.log(rows.join('\n').trimEnd());
