import { closeSync, existsSync, fstatSync, openSync, readSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

const LOOK_EVERY_MS = 20;
const TIMEOUT_MS = 300_000;
const TAIL_BYTES = 64 * 1024;

/** Resolves when the end of the file holds the text; fails when that takes too long. */
export async function untilWritten(path, text) {
  const deadlineMs = Date.now() + TIMEOUT_MS;
  while (!readTail(path).includes(text)) {
    if (Date.now() > deadlineMs) throw new Error(`${path} has no ${text} within ${TIMEOUT_MS / 1000} s`);
    await sleep(LOOK_EVERY_MS);
  }
}

function readTail(path) {
  if (!existsSync(path)) return '';
  const fd = openSync(path, 'r');
  const { size } = fstatSync(fd);
  const tail = Buffer.alloc(Math.min(size, TAIL_BYTES));
  readSync(fd, tail, 0, tail.length, size - tail.length);
  closeSync(fd);
  return tail.toString('latin1');
}
