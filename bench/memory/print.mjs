// Prints one kind of output to standard output: node print.mjs KIND AMOUNT. The amount is in bytes, or in keys.
import { once } from 'node:events';
import { randomFillSync } from 'node:crypto';

const PART_BYTES = 256 * 1024;
const [kind, amountText] = process.argv.slice(2);
const amount = Number(amountText);

async function print(text) {
  if (!process.stdout.write(text)) await once(process.stdout, 'drain');
}

/** Prints parts until there are about `amount` bytes. */
async function printBytes(createPart) {
  for (let printed = 0, i = 0; printed < amount; i++) {
    const part = createPart(i);
    printed += part.length;
    await print(part);
  }
}

let line = 0;
const repeated = (text) => Buffer.alloc(PART_BYTES, text);

const KINDS = {
  lines: () =>
    printBytes(() => {
      let part = '';
      while (part.length < PART_BYTES)
        part += `2026-11-21 12:00:00 INFO step ${line++} loss ${1 / line} of a long job\n`;
      return part;
    }),
  'one line': () => printBytes(() => repeated('0123456789abcdef')),
  'the same line': () => printBytes(() => repeated('y\n')),
  'CSI without end': () => printBytes((i) => (i === 0 ? '\x1b[' : repeated('1;'))),
  'OSC without end': () => printBytes((i) => (i === 0 ? '\x1b]0;' : repeated('title '))),
  'DCS without end': () => printBytes((i) => (i === 0 ? '\x1bP1$r' : repeated('data '))),
  'short sequences': () => printBytes(() => repeated('\x1b[31m\x1b[A\x1b[5C\x1b]0;t\x07')),
  'colours in one line': () => printBytes(() => repeated('\x1b[31mr\x1b[32mg\x1b[38;2;1;2;3mb')),
  binary: () => printBytes(() => randomFillSync(Buffer.alloc(PART_BYTES))),
  'keys in one row': () => print(`{${Array.from({ length: amount }, (_, i) => `"key_${i}": ${i}.5`).join(', ')}}\n`),
  'a key a row': async () => {
    for (let i = 0; i < amount; i++) await print(`{"key_${i}": ${i}.5}\n`);
  },
  'growing rows': async () => {
    // The number of different keys in total. Each row has all keys of the row before, and more.
    for (let keys = 100; keys <= amount; keys = Math.ceil(keys * 1.3)) {
      await print(`{${Array.from({ length: keys }, (_, i) => `"key_${i}": ${i}.5`).join(', ')}}\n`);
    }
  },
};

await KINDS[kind]();
