// The command under test, as it is shipped, and checks of its output.
import { closeSync, openSync, readSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const COMMAND = fileURLToPath(new URL('../ingester/bin/joblens', import.meta.url));

/** The bench measures the highest speed, so it turns the throughput limit off. */
const NO_LIMIT = ['--limit-bytes', '1000000', '--limit-lines', '1000000000'];

/** The arguments of a `joblens` that logs everything as job `bench`, even if the user has no opt-in file. */
export function joblens(subcommand, args) {
  return [COMMAND, subcommand, '--mode', 'enabled', '--job', 'bench', '--user', 'bench', ...NO_LIMIT, ...args];
}

/** The same with an opt-in file. */
export function joblensWithOptIn(subcommand, path, args) {
  const job = ['--job', 'bench', '--user', 'bench'];
  return [COMMAND, subcommand, '--optin', path, ...job, ...NO_LIMIT, ...args];
}

/** A `joblens` without an opt-in file, which logs nothing. */
export function joblensWithoutOptIn(subcommand, args) {
  return [COMMAND, subcommand, '--job', 'bench', ...args];
}

/** The arguments of a `joblens serve` that takes points on an HTTP port. */
export function joblensServe(port, args) {
  const off = ['--udp', '--tcp', '--health'].flatMap((option) => [option, 'off']);
  return [COMMAND, 'serve', '--http', String(port), ...off, ...args];
}

/** A home folder without settings, so that the user's settings have no effect; the command finds its Node on PATH. */
export const environmentOf = (folder) => ({ HOME: folder, PATH: process.env.PATH });

/** A line may be written before its end has come; then it is written again when it is whole. */
const REWRITTEN_SHARE = 0.01;

/**
 * Checks that every line became a point, and removes the file.
 * @param {number} lineCount how many different lines went in
 * @param {string} measurement the measurement of their points
 */
export function checkPoints(path, lineCount, measurement = 'job_log') {
  const found = countPoints(path, `${measurement},`);
  rmSync(path);
  if (found >= lineCount && found <= lineCount * (1 + REWRITTEN_SHARE)) return;
  throw new Error(`${lineCount} lines went in, but the file of points has ${found} of ${measurement}`);
}

/** How many lines of a file begin so. */
function countPoints(path, beginning) {
  const pattern = Buffer.from(`\n${beginning}`);
  const buffer = Buffer.alloc(4 * 2 ** 20);
  const fd = openSync(path, 'r');
  let count = 0;
  // The search treats the start of the file as if it came after a line feed.
  let kept = buffer.write('\n');
  for (let size = readSync(fd, buffer, kept, buffer.length - kept, null); size > 0;) {
    const bytes = buffer.subarray(0, kept + size);
    for (let at = bytes.indexOf(pattern); at >= 0; at = bytes.indexOf(pattern, at + 1)) count++;
    kept = Math.min(pattern.length - 1, bytes.length);
    bytes.copy(buffer, 0, bytes.length - kept);
    size = readSync(fd, buffer, kept, buffer.length - kept, null);
  }
  closeSync(fd);
  return count;
}
