// Groups the windows of the built-in signals, so that the kernel's search lets few other bytes pass:
// node assembly/group-windows.mjs, after npm run build. Writes src/kernels/grouped-windows.ts.
// It takes too long for the start of each job. The search is right without it, but slower.
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { BUILT_IN_SIGNALS, listLiterals } from '../../core/dist/index.js';
import { estimateShare, listWindows } from '../dist/kernels/literal-table.js';
import { LINES_LAYOUT } from '../dist/kernels/lines-module.js';

const { SEARCH_BUCKETS, SEARCH_HALVES, SEARCH_WINDOW_BYTES } = LINES_LAYOUT;
const ASCII = 128;
const target = fileURLToPath(new URL('../src/kernels/grouped-windows.ts', import.meta.url));

/** Of how much of the output four bytes have halves as the windows of a bucket have them at their place. */
function estimatePassing(windows) {
  let product = 1;
  for (let place = 0; place < SEARCH_WINDOW_BYTES; place += 1) {
    const codes = windows.map((window) => window.charCodeAt(place));
    const lower = new Set(codes.map((code) => code % SEARCH_HALVES));
    const upper = new Set(codes.map((code) => Math.floor(code / SEARCH_HALVES)));
    let sum = 0;
    for (let code = 0; code < ASCII; code += 1) {
      if (lower.has(code % SEARCH_HALVES) && upper.has(Math.floor(code / SEARCH_HALVES)))
        sum += estimateShare(String.fromCharCode(code));
    }
    product *= sum;
  }
  return product;
}

/** Rarer windows than these are not worth a worse group. */
const TRIED_WINDOWS = 3;
const ROUNDS = 5;

/** Puts a window of each text where it lets least more pass; again and again, as the groups take shape. */
function group(literals) {
  const groups = Array.from({ length: SEARCH_BUCKETS }, () => []);
  const texts = literals.map((literal) => listWindows(literal).slice(0, TRIED_WINDOWS));
  // Texts whose rarest window comes often have the fewest good places.
  texts.sort(([a], [b]) => estimateShare(b) - estimateShare(a));
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
      const added = estimatePassing([...known, window]) - (known.length === 0 ? 0 : estimatePassing(known));
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
