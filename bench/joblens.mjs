// The command under test, as it is shipped, and a look at what it wrote.
import { closeSync, openSync, readSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const COMMAND = fileURLToPath(new URL('../ingester/bin/joblens.js', import.meta.url));

/** The bench measures how fast it can go, so the limit of a job's throughput is out of the way. */
const NO_LIMIT = ['--limit-bytes', '1000000', '--limit-lines', '1000000000'];

/** The arguments of a `joblens` that logs all as job `bench`, also where the user has no opt-in file. */
export function joblens(subcommand, args) {
  return [
    process.execPath,
    COMMAND,
    subcommand,
    '--mode',
    'enabled',
    '--job',
    'bench',
    '--user',
    'bench',
    ...NO_LIMIT,
    ...args,
  ];
}

/** A `joblens` for which there is no opt-in file, so that it logs nothing. */
export function joblensWithoutOptIn(subcommand, args) {
  return [process.execPath, COMMAND, subcommand, '--job', 'bench', ...args];
}

/** The arguments of a `joblens serve` that takes points on a port of HTTP. */
export function joblensServe(port, args) {
  const off = ['--udp', '--tcp', '--health'].flatMap((option) => [option, 'off']);
  return [process.execPath, COMMAND, 'serve', '--http', String(port), ...off, ...args];
}

/** A home folder without settings, so that those of the user change nothing. */
export const environmentOf = (folder) => ({ HOME: folder });

/** A line that is seen before its end comes is written again when it is whole. */
const REWRITTEN_SHARE = 0.01;

/**
 * Checks that every line became a point, and removes the file.
 * @param {number} lineCount how many different lines went in
 * @param {string} measurement what they became
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
  // What a file begins with is found as if a line feed stood before it.
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
