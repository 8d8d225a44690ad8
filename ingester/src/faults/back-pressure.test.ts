import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { prepareJoblens } from '../testing/joblens.js';

const LIMIT_MB = 5;
const LINE_BYTES = 100;
const LINES = 200_000;

it('slows a piped job down to the limit and drops nothing', async () => {
  const joblens = prepareJoblens();
  try {
    const points = join(joblens.folder, 'points.lp');
    // The writer says when it could write all: then it was slowed down, and not what we have read.
    const script = `awk 'BEGIN { for (i = 0; i < ${LINES}; i++) printf "%0${LINE_BYTES - 1}d\\n", i }'; date +%s%N >&2`;
    const startedMs = Date.now();
    const command = `{ ${script}; } | ${joblens.command} pipe --mode enabled --out ${points} --limit-bytes ${LIMIT_MB}`;
    const child = spawn('sh', ['-c', command], { cwd: joblens.folder, stdio: ['ignore', 'ignore', 'pipe'] });
    let said = '';
    child.stderr.on('data', (text: Buffer) => (said += text.toString()));
    const code = await new Promise((resolve) => child.once('close', resolve));
    expect(code).toBe(0);
    const writtenMs = Number(/\d{19}/.exec(said)?.[0]) / 1e6 - startedMs;
    // A second's worth may come at once.
    const expectedMs = ((LINES * LINE_BYTES) / (LIMIT_MB * 1e6) - 1) * 1000;
    expect(writtenMs).toBeGreaterThan(expectedMs * 0.8);
    expect(writtenMs).toBeLessThan(expectedMs + 15_000);
    const numbers = new Set(
      [...readFileSync(points, 'utf8').matchAll(/ line="(\d+)"/g)].map(([, text]) => Number(text))
    );
    expect(numbers.size).toBe(LINES);
  } finally {
    joblens.remove();
  }
});
