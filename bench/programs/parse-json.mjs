// The limit for reading JSON lines: JSON.parse of lines that are strings already. node parse-json.mjs FILE
import { readFileSync } from 'node:fs';
import { reportWork } from './report-work.mjs';

const lines = readFileSync(process.argv[2], 'latin1').trimEnd().split('\n');

await reportWork(() => {
  let keys = 0;
  for (const line of lines) keys += JSON.parse(line).step;
  return keys;
});
