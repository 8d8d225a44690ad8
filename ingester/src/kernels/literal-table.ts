import { GROUPED_WINDOWS } from './grouped-windows.js';
import { LINES_LAYOUT } from './lines-module.js';

const { SEARCH_AT, SEARCH_WINDOWS_AT, SEARCH_END } = LINES_LAYOUT;
const { SEARCH_BUCKETS, SEARCH_HALVES, SEARCH_WINDOW_BYTES, SEARCH_HASH_BITS, SEARCH_HASH_FACTOR } = LINES_LAYOUT;

/** How often characters come in the output of programs, in thousandths, by kind; only the proportions matter. */
const FREQUENCIES: ReadonlyArray<readonly [characters: string, share: number]> = [
  [' ', 150],
  ['0123456789', 25],
  ['etaoinsr', 35],
  ['hldcumpfg', 15],
  ['.:,-=/_', 12],
  ['bwyvkxjqz', 5],
  ['ABCDEFGHIJKLMNOPQRSTUVWXYZ', 2],
];
const OTHER_SHARE = 1;
const ASCII = 128;
/** Found with the logs of many programs. */
const SAME_CASE_FACTOR = 8;
/** Some hundred windows may share the table before it would be slow. */
const MAX_WINDOWS = 1024;

const share = createShares();

/**
 * The table by which the kernel searches for any of some texts (assembly/lines/search-layout.ts): of each text, four
 * bytes in a row. Each must have at least four characters, all ASCII.
 */
export function createLiteralTable(literals: readonly string[]): Uint8Array {
  const groups = groupWindows(literals);
  const bytes = new Uint8Array(SEARCH_END - SEARCH_AT);
  writeBuckets(bytes, groups.map(createBucket));
  writeHashes(new DataView(bytes.buffer, SEARCH_WINDOWS_AT - SEARCH_AT), groups.flat());
  return bytes;
}

function createShares(): Float64Array {
  const shares = new Float64Array(ASCII).fill(OTHER_SHARE);
  for (const [characters, each] of FREQUENCIES) {
    for (const character of characters) shares[character.charCodeAt(0)] = each;
  }
  return shares;
}

/** The windows of a text, the rarest first. */
export function listWindows(literal: string): string[] {
  const count = literal.length - SEARCH_WINDOW_BYTES + 1;
  if (count < 1) throw new RangeError(`A text to search for must have ${SEARCH_WINDOW_BYTES} characters`);
  const windows = Array.from({ length: count }, (_, start) => literal.slice(start, start + SEARCH_WINDOW_BYTES));
  return windows.sort((a, b) => estimateShare(a) - estimateShare(b));
}

/** How often a text comes in the output of programs, as far as its characters tell; only the proportions matter. */
export function estimateShare(text: string): number {
  let product = 1;
  for (let at = 0; at < text.length; at += 1) product *= share[text.charCodeAt(at)] ?? 1;
  // Letters come in words: parts of words come far more often than what spans two of them, or has both cases.
  const pairs = text.match(/[a-z](?=[a-z])|[A-Z](?=[A-Z])/g)?.length ?? 0;
  return product * SAME_CASE_FACTOR ** pairs;
}

/** Windows that share a bucket, and for each place the lower and the upper halves of their bytes there, as bits. */
interface Bucket {
  readonly lower: readonly number[];
  readonly upper: readonly number[];
}

/** One window of each text: a grouped one if there is one, else the rarest, beside others that begin alike. */
function groupWindows(literals: readonly string[]): string[][] {
  const groups = GROUPED_WINDOWS.map((windows) =>
    windows.filter((window) => literals.some((literal) => literal.includes(window)))
  );
  const grouped = groups.flat();
  const rest = literals.filter((literal) => !grouped.some((window) => literal.includes(window)));
  const windows = [...new Set(rest.map((literal) => listWindows(literal)[0] ?? ''))].sort();
  const size = Math.ceil(windows.length / SEARCH_BUCKETS);
  return groups.map((group, i) => [...group, ...windows.slice(0, MAX_WINDOWS).slice(i * size, (i + 1) * size)]);
}

function createBucket(windows: readonly string[]): Bucket {
  const places = Array.from({ length: SEARCH_WINDOW_BYTES }, (_, place) =>
    windows.map((window) => window.charCodeAt(place))
  );
  return {
    lower: places.map((codes) => codes.reduce((bits, code) => bits | (1 << (code & 15)), 0)),
    upper: places.map((codes) => codes.reduce((bits, code) => bits | (1 << (code >> 4)), 0)),
  };
}

function writeBuckets(bytes: Uint8Array, buckets: readonly Bucket[]): void {
  const add = (table: number, halves: number, bucket: number): void => {
    for (let half = 0; half < SEARCH_HALVES; half += 1) {
      const at = table * SEARCH_HALVES + half;
      if (((halves >> half) & 1) === 1) bytes[at] = (bytes[at] ?? 0) | (1 << bucket);
    }
  };
  buckets.forEach(({ lower, upper }, bucket) => {
    lower.forEach((halves, place) => add(place, halves, bucket));
    upper.forEach((halves, place) => add(SEARCH_WINDOW_BYTES + place, halves, bucket));
  });
}

function writeHashes(table: DataView, windows: readonly string[]): void {
  for (const window of windows) {
    const bytes = Buffer.from(window, 'latin1').readUInt32LE();
    let place = Math.imul(bytes, SEARCH_HASH_FACTOR) >>> (32 - SEARCH_HASH_BITS);
    while (table.getUint32(place * 4, true) !== 0) place += 1;
    table.setUint32(place * 4, bytes, true);
  }
}
