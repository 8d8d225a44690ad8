// The limit for reading lines in Node: finds every line feed of a file, and does nothing else. node scan-lines.mjs FILE
import { openSync, readSync } from 'node:fs';
import { CHUNK_BYTES } from './chunks.mjs';
import { reportWork } from './report-work.mjs';

const LF = 0x0a;

await reportWork(() => {
  const fd = openSync(process.argv[2], 'r');
  const chunk = Buffer.alloc(CHUNK_BYTES);
  let lines = 0;
  for (let size = readSync(fd, chunk); size > 0; size = readSync(fd, chunk)) {
    const bytes = chunk.subarray(0, size);
    for (let end = bytes.indexOf(LF); end >= 0; end = bytes.indexOf(LF, end + 1)) lines++;
  }
  return lines;
});
