import { join } from 'node:path';
import { readFileSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { type JoblensUnderTest, prepareJoblens } from '../testing/joblens.js';

/** The promise; bench/memory has the full sizes. */
const BOUND_MIB = 200;
const MB = 2 ** 20;
const PRINTED_MB = 30;
const PART_BYTES = 256 * 1024;

const repeated = (text: string): Buffer => Buffer.alloc(PART_BYTES, text);
const numbers = (i: number): Buffer =>
  Buffer.from(Array.from({ length: 5000 }, (_, k) => `step ${i * 5000 + k} of a job that prints very much\n`).join(''));

/** The printed output: the first part, then more parts up to the size. */
const CASES: readonly [name: string, first: string, createPart: (i: number) => Buffer, megabytes?: number][] = [
  ['one endless line', '', () => repeated('0123456789abcdef')],
  ['a control sequence without end', '\x1b[', () => repeated('1;')],
  ['a title without end', '\x1b]0;', () => repeated('title ')],
  ['a device control string without end', '\x1bP1$r', () => repeated('data ')],
  ['random bytes', '', () => randomBytes(PART_BYTES), 6],
  ['lines that the server does not take', '', numbers],
];

describe('the memory of joblens', () => {
  let joblens: JoblensUnderTest;
  beforeAll(() => {
    joblens = prepareJoblens();
  });
  afterAll(() => joblens.remove());

  it.each(CASES)(`stays below ${BOUND_MIB} MiB: %s`, async (name, first, createPart, megabytes = PRINTED_MB) => {
    const options = ['--mode', 'enabled', '--limit-bytes', '0', '--limit-lines', '0', '--spool-size', '16'];
    const spool = join(joblens.folder, name);
    const child = joblens.start(['pipe', ...options, '--url', 'http://127.0.0.1:9', '--spool', spool]);
    child.write(first);
    let mostMib = 0;
    for (let printed = 0, i = 0; printed < megabytes * MB; i += 1) {
      const part = createPart(i);
      child.write(part);
      printed += part.length;
      mostMib = Math.max(mostMib, readMostMib(child.loggerPid()));
      // The pipe is written, and joblens can be measured.
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    child.endInput();
    const looking = setInterval(() => (mostMib = Math.max(mostMib, readMostMib(child.loggerPid()))), 20);
    await child.ended;
    clearInterval(looking);
    expect(mostMib).toBeGreaterThan(30);
    expect(mostMib).toBeLessThan(BOUND_MIB);
  });
});

/** The most resident memory that the process has had so far (VmHWM of proc(5)); 0 when it has ended. */
function readMostMib(pid: number): number {
  try {
    const [, kib] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return Number(kib ?? 0) / 1024;
  } catch {
    return 0;
  }
}
