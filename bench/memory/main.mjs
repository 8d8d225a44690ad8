// Measures the most memory that joblens takes, case by case: node bench/memory/main.mjs [--full] [--only NAME]...
// See README.md here.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { CASES } from './cases.mjs';
import { measureMemory } from './measure.mjs';

const BOUND_MIB = 200;

const { values: options } = parseArgs({
  options: { full: { type: 'boolean', default: false }, only: { type: 'string', multiple: true, default: [] } },
});
const { full: isFull, only } = options;
const cases = CASES.filter(({ name }) => only.length === 0 || only.some((start) => name.startsWith(start)));

console.log('| case | command | amount | memory | bound | met | time |');
console.log('|---|---|---|---|---|---|---|');
for (const memoryCase of cases) {
  const amount = (isFull ? memoryCase.full : undefined) ?? memoryCase.amount;
  const folder = await mkdtemp(join(tmpdir(), 'joblens-memory-'));
  try {
    const { mebibytes, seconds, said } = await measureMemory(memoryCase, { folder, amount });
    const isMet = mebibytes < BOUND_MIB;
    const cells = [memoryCase.name, memoryCase.command, formatAmount(amount), `${mebibytes.toFixed(0)} MiB`];
    console.log(`| ${[...cells, `< ${BOUND_MIB} MiB`, isMet ? 'yes' : 'NO', `${seconds.toFixed(0)} s`].join(' | ')} |`);
    if (said !== '') console.error(said.trimEnd().replace(/^/gm, '  '));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function formatAmount(amount) {
  if (amount < 2 ** 20) return String(amount);
  return amount < 2 ** 30 ? `${amount / 2 ** 20} MB` : `${amount / 2 ** 30} GB`;
}
