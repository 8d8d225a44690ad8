import xterm from '@xterm/headless';
import { chunksOf } from './chunks.mjs';

/** Awaiting a write costs a timer of about 1 ms. More than 50 MB in flight are refused. */
const WRITES_IN_FLIGHT = 32;

/** Returns a terminal that has rendered all bytes. */
export async function runXterm(bytes) {
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
  return terminal;
}
