// Groups the windows of the built-in signals, so that the kernel's search lets few other bytes pass:
// node assembly/group-windows.mjs, after npm run build. Writes src/kernels/grouped-windows.ts.
// It takes too long for the start of each job. The search is right without it, but slower.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { BUILT_IN_SIGNALS } from '../../core/dist/signals/built-in-patterns.js';
import { listLiterals } from '../../core/dist/signals/signal-detector.js';
import { estimateShare, listWindows, PARITIES } from '../dist/kernels/literal-table.js';
import { LINES_LAYOUT } from '../dist/kernels/lines-module.js';

const { SEARCH_BUCKETS, SEARCH_HALVES, SEARCH_WINDOW_BYTES } = LINES_LAYOUT;
const ASCII = 128;
const target = fileURLToPath(new URL('../src/kernels/grouped-windows.ts', import.meta.url));

const shares = Array.from({ length: ASCII }, (_, code) => estimateShare(String.fromCharCode(code)));
const sum = (numbers) => numbers.reduce((a, b) => a + b, 0);
const ofWindow = (share) => share / sum(shares) ** SEARCH_WINDOW_BYTES;

/** The words that most logs of programs hold, for estimates: by letters alone, parts of words would seem rare. */
const words = readFileSync(new URL('common-words.txt', import.meta.url), 'utf8')
  .split(/\s/)
  .filter(Boolean);
const parts = words.flatMap((word) =>
  Array.from({ length: word.length + 3 - SEARCH_WINDOW_BYTES }, (_, at) =>
    ` ${word} `.slice(at, at + SEARCH_WINDOW_BYTES)
  )
);

/** How much of the output windows may pass in one bucket: four bytes with halves as they have at their place. */
function estimatePassing(windows) {
  if (windows.length === 0) return 0;
  const places = Array.from({ length: SEARCH_WINDOW_BYTES }, (_, place) => listPassing(windows, place));
  const byLetters = places.map((passing) => sum(shares.filter((_, code) => passing[code])));
  const inWords = parts.filter((part) => places.every((passing, place) => passing[part.charCodeAt(place)]));
  return ofWindow(byLetters.reduce((a, b) => a * b)) + inWords.length / parts.length;
}

/** For each character, whether it passes at a place. Behind a window of three bytes, any does. */
function listPassing(windows, place) {
  const codes = windows.map((window) => window.charCodeAt(place));
  const lower = new Set(codes.map((code) => code % SEARCH_HALVES));
  const upper = new Set(codes.map((code) => Math.floor(code / SEARCH_HALVES)));
  const isAny = codes.some(Number.isNaN);
  return shares.map(
    (_, code) => isAny || (lower.has(code % SEARCH_HALVES) && upper.has(Math.floor(code / SEARCH_HALVES)))
  );
}

/** How much of the output is this window. */
const estimateFound = (window) =>
  ofWindow(estimateShare(window)) + parts.filter((part) => part.startsWith(window)).length / parts.length;

const ROUNDS = 5;

/** Puts a window of each text and parity where it lets least more pass; again and again, as the groups take shape. */
function group(literals) {
  const groups = Array.from({ length: SEARCH_BUCKETS }, () => []);
  const texts = literals.flatMap((literal) => PARITIES.map((parity) => listRarest(literal, parity)));
  // Texts whose rarest window comes often have the fewest good places.
  texts.sort(([a], [b]) => estimateFound(b) - estimateFound(a));
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const windows of texts) {
      remove(groups, windows, texts);
      if (groups.flat().some((window) => windows.includes(window))) continue;
      const { known, window } = listPlaces(groups, windows).reduce((best, place) =>
        place.added < best.added ? place : best
      );
      known.push(window);
    }
  }
  return groups;
}

function listRarest(literal, parity) {
  const windows = listWindows(literal, parity).map(({ bytes }) => bytes);
  return windows.sort((a, b) => estimateFound(a) - estimateFound(b));
}

/** Takes a text's window away, unless another text shares it. */
function remove(groups, windows, texts) {
  for (const known of groups) {
    const at = known.findIndex((window) => windows.includes(window));
    const isShared = at >= 0 && texts.some((other) => other !== windows && other.includes(known[at]));
    if (at >= 0 && !isShared) known.splice(at, 1);
  }
}

function listPlaces(groups, windows) {
  return windows.flatMap((window) =>
    groups.map((known) => {
      // What passes is compared; that costs more where it is a window after all.
      const added = estimatePassing([...known, window]) - estimatePassing(known) + estimateFound(window);
      return { known, window, added };
    })
  );
}

const groups = group(listLiterals(BUILT_IN_SIGNALS));
const lines = groups.map((windows) => `  ${JSON.stringify(windows)},`);
writeFileSync(
  target,
  `// Made by ingester/assembly/group-windows.mjs from the built-in signals.

/** Four bytes of each text to search for, grouped so that few other bytes pass the kernel's search. */
// prettier-ignore
export const GROUPED_WINDOWS: ReadonlyArray<readonly string[]> = [
${lines.join('\n')}
];
`
);
