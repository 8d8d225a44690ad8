import { groupBy } from '@joblens/core/lists/group-by';
import { GROUPED_WINDOWS } from './grouped-windows.js';
import { LINES_LAYOUT } from './lines-module.js';

const { SEARCH_AT, SEARCH_SLOTS_AT, SEARCH_TEXTS_AT, SEARCH_END } = LINES_LAYOUT;
const { SEARCH_BUCKETS, SEARCH_HALVES, SEARCH_WINDOW_BYTES, SEARCH_MAX_KEYS } = LINES_LAYOUT;
const { SEARCH_SLOT_BYTES, SEARCH_HASH_BITS, SEARCH_HASH_FACTOR, SEARCH_LIST_END } = LINES_LAYOUT;

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
/** All halves of a byte, as bits. */
const ANY = 0xffff;
const ASCII = 128;
/** Found with the logs of many programs. */
const SAME_CASE_FACTOR = 8;
/** The most characters to search for: the beginning of a longer text. */
const MAX_TEXT_CHARS = 32;
/** The kernel looks at every second place, so a text needs a window at an even place in it, and one at an odd one. */
export const PARITIES = [0, 1] as const;

const share = createShares();
const grouped = new Set(GROUPED_WINDOWS.flat());

/**
 * The table by which the kernel searches for any of some texts (assembly/lines/search-layout.ts): by two windows of
 * each, four bytes in a row. Each must have at least four characters, all ASCII.
 */
export function createLiteralTable(literals: readonly string[]): Uint8Array {
  const windows = literals.flatMap((literal) => PARITIES.map((parity) => chooseWindow(literal, parity)));
  const bytes = Buffer.alloc(SEARCH_END - SEARCH_AT);
  writeBuckets(bytes, groupWindows(windows).map(createBucket));
  writeLists(bytes, windows);
  return bytes;
}

function createShares(): Float64Array {
  const shares = new Float64Array(ASCII).fill(OTHER_SHARE);
  for (const [characters, each] of FREQUENCIES) {
    for (const character of characters) shares[character.charCodeAt(0)] = each;
  }
  return shares;
}

/** Bytes of a text, and where they are in it. */
interface Window {
  readonly bytes: string;
  readonly place: number;
  readonly text: string;
}

/** The windows of a text at its even (0) or odd (1) places. Of a text of four characters, the odd one has but three. */
export function listWindows(literal: string, parity: 0 | 1): Window[] {
  const text = literal.slice(0, MAX_TEXT_CHARS);
  const last = text.length - SEARCH_WINDOW_BYTES;
  if (last < 0) throw new RangeError(`A text to search for must have ${SEARCH_WINDOW_BYTES} characters`);
  const windows: Window[] = [];
  for (let place: number = parity; place <= Math.max(last, parity); place += 2) {
    windows.push({ bytes: text.slice(place, place + SEARCH_WINDOW_BYTES), place, text });
  }
  return windows;
}

/** A grouped window if there is one, else the rarest. */
function chooseWindow(literal: string, parity: 0 | 1): Window {
  const windows = listWindows(literal, parity);
  return (
    windows.find(({ bytes }) => grouped.has(bytes)) ??
    windows.reduce((a, b) => (estimateShare(b.bytes) < estimateShare(a.bytes) ? b : a))
  );
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

/** Returns the given groups, and for each other window a group of those that begin alike. */
function groupWindows(windows: readonly Window[]): string[][] {
  const used = new Set(windows.map(({ bytes }) => bytes));
  const others = [...used].filter((bytes) => !grouped.has(bytes)).sort();
  const size = Math.ceil(others.length / SEARCH_BUCKETS);
  const groups = GROUPED_WINDOWS.map((group) => group.filter((bytes) => used.has(bytes)));
  return groups.map((group, i) => [...group, ...others.slice(i * size, (i + 1) * size)]);
}

function createBucket(windows: readonly string[]): Bucket {
  const collect = (read: (code: number) => number): number[] =>
    Array.from({ length: SEARCH_WINDOW_BYTES }, (_, place) =>
      // Behind a window of three bytes, any may come.
      windows.reduce((bits, window) => bits | (place < window.length ? 1 << read(window.charCodeAt(place)) : ANY), 0)
    );
  return { lower: collect((code) => code & 15), upper: collect((code) => code >> 4) };
}

function writeBuckets(table: Buffer, buckets: readonly Bucket[]): void {
  const add = (row: number, halves: number, bucket: number): void => {
    for (let half = 0; half < SEARCH_HALVES; half += 1) {
      const at = row * SEARCH_HALVES + half;
      if (((halves >> half) & 1) === 1) table[at] = (table[at] ?? 0) | (1 << bucket);
    }
  };
  buckets.forEach(({ lower, upper }, bucket) => {
    lower.forEach((halves, place) => add(place, halves, bucket));
    upper.forEach((halves, place) => add(SEARCH_WINDOW_BYTES + place, halves, bucket));
  });
}

function writeLists(table: Buffer, windows: readonly Window[]): void {
  const lists = groupBy(windows, ({ bytes }) => readKey(bytes));
  if (lists.size > SEARCH_MAX_KEYS) throw new RangeError('There are too many texts to search for');
  let at = SEARCH_TEXTS_AT - SEARCH_AT;
  for (const [key, list] of lists) {
    table.writeUInt32LE(SEARCH_AT + at, takeSlot(table, key) + 4);
    for (const { place, text } of list) {
      table[at] = place;
      table[at + 1] = text.length;
      at += 2 + table.write(text, at + 2, 'latin1');
    }
    table[at] = SEARCH_LIST_END;
    at += 1;
  }
}

function readKey(bytes: string): number {
  return bytes.charCodeAt(0) | (bytes.charCodeAt(1) << 8) | (bytes.charCodeAt(2) << 16);
}

/** Takes a free slot for three bytes, and returns where it is. */
function takeSlot(table: Buffer, key: number): number {
  const hash = Math.imul(key, SEARCH_HASH_FACTOR) >>> (32 - SEARCH_HASH_BITS);
  let slot = SEARCH_SLOTS_AT - SEARCH_AT + hash * SEARCH_SLOT_BYTES;
  while (table.readUInt32LE(slot) !== 0) slot += SEARCH_SLOT_BYTES;
  table.writeUInt32LE(key, slot);
  return slot;
}
