import { dirname, isAbsolute, join } from 'node:path';
import { SetupError } from '../parts/changes.js';
import { putMarkedLine, takeMarkedLine } from '../parts/marked-lines.js';
import { readIfThere } from '../parts/site-settings.js';

/** A parameter as slurm.conf sets it: what its last line says counts. */
interface Found {
  readonly lineIndex: number;
  readonly value: string;
  /** Where the value is in its line. */
  readonly from: number;
  readonly to: number;
}

/** As Slurm reads a pair (_keyvalue_regex in parse_config.c); several may be on a line. */
const PAIR = /\s*([A-Za-z0-9_.]+)\s*[-*+/]?=\s*("[^"]*"|\S+)/y;
const INCLUDE = /^\s*include\s+(\S+)/i;
/** Files may include others; Slurm's own limit is the stack. */
const MAX_DEPTH = 8;

/** Finds a parameter, whose name may be in any case. Undefined where it is not set. */
export function findParameter(text: string, name: string): Found | undefined {
  let found: Found | undefined;
  for (const [lineIndex, line] of text.split('\n').entries()) {
    for (const pair of listPairs(line))
      if (pair.key.toLowerCase() === name.toLowerCase()) found = { lineIndex, ...pair };
  }
  return found;
}

function* listPairs(line: string): Iterable<{ key: string; value: string; from: number; to: number }> {
  const text = line.slice(0, findComment(line));
  PAIR.lastIndex = 0;
  for (;;) {
    const at = PAIR.lastIndex;
    const match = PAIR.exec(text);
    if (match === null) return;
    const [whole, key = '', value = ''] = match;
    const to = at + whole.length;
    yield { key, value: unquote(value), from: to - value.length, to };
    PAIR.lastIndex = to;
  }
}

function unquote(value: string): string {
  return value.replace(/^"(.*)"$/, '$1');
}

/** A # begins a comment, unless a backslash is before it. */
function findComment(line: string): number {
  for (let at = line.indexOf('#'); at !== -1; at = line.indexOf('#', at + 1)) if (line[at - 1] !== '\\') return at;
  return line.length;
}

/** What a parameter is to be, from what it is; undefined where it is right already. The error is one line. */
type Choose = (value: string | undefined) => string | undefined;

/** Sets a parameter by a marked line, in place of the line that sets it. Another parameter on that line stays. */
export function setParameter(text: string, name: string, choose: Choose): string {
  const before = takeMarkedLine(text, name);
  const found = findParameter(before, name);
  const value = choose(found?.value);
  if (value === undefined) return before;
  // Its line may stand before lines that came later.
  if (before !== text && findParameter(text, name)?.value === unquote(value)) return text;
  if (found === undefined) {
    if (/\\\s*$/.test(before)) throw new SetupError('its last line ends with a backslash, so that no line can follow');
    return putMarkedLine(before, name, `${name}=${value}`);
  }
  const lines = before.split('\n');
  const line = lines[found.lineIndex] ?? '';
  // A line that goes on in the next one, or goes on from the one before.
  if ([lines[found.lineIndex - 1], line].some((each) => each?.trimEnd().endsWith('\\'))) {
    throw new SetupError(`${name} is set in a line that a backslash joins with another; put it on a line of its own`);
  }
  const changed = line.slice(0, found.from) + value + line.slice(found.to);
  return putMarkedLine(before, name, changed, found.lineIndex);
}

/** Takes away what `setParameter` has set. */
export function unsetParameter(text: string, name: string): string {
  return takeMarkedLine(text, name);
}

/** The file that sets a parameter, among those that slurm.conf includes. */
export function findIncluded(text: string, folder: string, name: string, depth = 0): string | undefined {
  for (const line of text.split('\n')) {
    const [, named] = INCLUDE.exec(line.slice(0, findComment(line))) ?? [];
    if (named === undefined) continue;
    const path = isAbsolute(named) ? named : join(folder, named);
    const included = readIfThere(path);
    if (included === undefined) continue;
    if (findParameter(included, name) !== undefined) return path;
    const inner = depth < MAX_DEPTH ? findIncluded(included, dirname(path), name, depth + 1) : undefined;
    if (inner !== undefined) return inner;
  }
  return undefined;
}
