// The cases that must stay within the bound. `amount` is in bytes or keys; `full` is the promised amount.
const MB = 2 ** 20;
const GB = 2 ** 30;
const SMALL_SPOOL = ['--spool-size', '64'];
const LARGE_SPOOL = ['--spool-size', '2048'];

/**
 * @typedef {object} MemoryCase
 * @property {string} name
 * @property {'pipe' | 'run' | 'watch' | 'serve'} command
 * @property {string} kind the kind of output (print.mjs) or, for `serve`, of requests (serve.mjs)
 * @property {number} amount
 * @property {number} [full] with --full
 * @property {'away' | 'slow' | 'ready' | 'file'} store no server; one that takes 2 s per request; one that takes
 * everything; or --out FILE
 * @property {string[]} [options] of joblens
 * @property {number} [files] how many files are watched and grow
 */

/** @type {MemoryCase[]} */
export const CASES = [
  { name: 'one line, pipe', command: 'pipe', kind: 'one line', amount: GB, store: 'ready' },
  { name: 'one line, watch', command: 'watch', kind: 'one line', amount: GB, store: 'ready' },
  { name: 'one line to a file', command: 'pipe', kind: 'one line', amount: GB, store: 'file' },
  { name: 'server away, 1 GiB spool', command: 'run', kind: 'lines', amount: 2 * GB, full: 10 * GB, store: 'away' },
  {
    name: 'server away, 64 MiB spool',
    command: 'run',
    kind: 'lines',
    amount: 2 * GB,
    full: 10 * GB,
    store: 'away',
    options: SMALL_SPOOL,
  },
  { name: 'slow server', command: 'run', kind: 'lines', amount: 512 * MB, store: 'slow' },
  { name: 'lines to a file', command: 'run', kind: 'lines', amount: GB, store: 'file' },
  ...['CSI without end', 'OSC without end', 'DCS without end', 'short sequences', 'colours in one line', 'binary'].map(
    (kind) => ({ name: kind, command: 'pipe', kind, amount: 300 * MB, store: 'ready' })
  ),
  { name: 'the same line', command: 'pipe', kind: 'the same line', amount: 100 * MB, store: 'ready' },
  { name: '100,000 keys in one row', command: 'pipe', kind: 'keys in one row', amount: 100_000, store: 'ready' },
  { name: '100,000 rows of a key each', command: 'pipe', kind: 'a key a row', amount: 100_000, store: 'ready' },
  { name: '1,000,000 rows of a key each', command: 'pipe', kind: 'a key a row', amount: 1_000_000, store: 'ready' },
  { name: 'rows that grow to 100,000 keys', command: 'pipe', kind: 'growing rows', amount: 100_000, store: 'ready' },
  { name: '1,000 files', command: 'watch', kind: 'lines', amount: 200 * MB, files: 1000, store: 'ready' },
  { name: '1,000 files, server away', command: 'watch', kind: 'lines', amount: 200 * MB, files: 1000, store: 'away' },
  { name: 'serve: HTTP', command: 'serve', kind: 'HTTP', amount: GB, store: 'away', options: LARGE_SPOOL },
  { name: 'serve: HTTP to a file', command: 'serve', kind: 'HTTP', amount: GB, store: 'file' },
  ...['100 HTTP bodies at once', '400 endless lines', 'bomb of zeros', 'bomb of one point'].map((kind) => ({
    ...{ name: `serve: ${kind}`, kind, amount: GB },
    ...{ command: 'serve', store: 'away', options: LARGE_SPOOL },
  })),
  ...['100 HTTP bodies at once', 'UDP'].map((kind) => ({
    ...{ name: `serve: ${kind}, 64 MiB spool`, kind, amount: GB },
    ...{ command: 'serve', store: 'away', options: SMALL_SPOOL },
  })),
];
