import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execPath } from 'node:process';
import fc from 'fast-check';
import { describeWith } from '../../../../test/components.js';
import { pythonPath } from '../../../../test/python.js';
import { randomCases } from '../../../../test/random-cases.js';
import { prepareJoblens } from '../../testing/joblens.js';
import { readLog, readMetadata, storePoints } from '../../testing/stored-points.js';
const joblens = prepareJoblens();
afterAll(() => joblens.remove());
const pathOf = (name: string): string => join(joblens.folder, name);

/** Runs a shell line, in which `$RUN` is `joblens run` with its options up to the command. */
function runShell(line: string, { mode = 'enabled', options = '' } = {}): void {
  const run = `${joblens.command} run --mode ${mode} --job j --user ann --out ${pathOf('out.lp')} ${options} --`;
  const env = { ...process.env, HOME: joblens.folder, JOBLENS_LOG_LEVEL: 'warn', RUN: run };
  execFileSync('rm', ['-f', pathOf('out.lp')]);
  execFileSync('sh', ['-c', line], { cwd: joblens.folder, env, stdio: 'ignore' });
}

const readOut = (): ReturnType<typeof storePoints> => storePoints(readFileSync(pathOf('out.lp'), 'utf8').trimEnd());

/** Writes the pairs `[descriptor, text]` of a file to both streams in turn. */
const WRITER = `for (const [fd, text] of JSON.parse(require('fs').readFileSync(process.argv[2], 'utf8')))
  require('fs').writeSync(fd, text);`;

const ALTERNATING = Array.from({ length: 5000 }, (_, i) => [1 + (i % 2), `line ${i}\n`] as const);

describe('stdout and stderr of joblens run in one place', () => {
  const command = `${execPath} ${pathOf('writer.cjs')} ${pathOf('pieces.json')}`;
  beforeAll(() => writeFileSync(pathOf('writer.cjs'), WRITER));

  const DESTINATIONS = [
    ['a file', '> printed 2>&1'],
    ['a file that is appended to', '>> printed 2>&1'],
    ['a pipe', '2>&1 | cat > printed'],
  ] as const;

  it.each(DESTINATIONS)('are in their order in %s, and one stream of the log', (_name, redirection) => {
    writeFileSync(pathOf('pieces.json'), JSON.stringify(ALTERNATING));
    runShell(`rm -f printed; $RUN ${command} ${redirection}`);
    expect(readFileSync(pathOf('printed'), 'utf8')).toBe(ALTERNATING.map(([, text]) => text).join(''));
    expect(readLog(readOut())).toEqual(ALTERNATING.map(([, text]) => text.trimEnd()));
  });

  it('make the bytes that they make without joblens, however they alternate', () => {
    const text = fc.oneof(
      fc.constantFrom('\n', '\r', 'a', 'bar 5%\r', '{"a": 1}\n', '\x1b[A', '\x1b[31mred\x1b[0m', '\0', 'é\n'),
      fc.integer({ min: 1, max: 70_000 }).map((length) => 'x'.repeat(length))
    );
    const pieces = fc.array(fc.tuple(fc.constantFrom(1, 2), text), { maxLength: 60 });
    fc.assert(
      fc.property(pieces, fc.constantFrom(...DESTINATIONS), (program, [, redirection]) => {
        writeFileSync(pathOf('pieces.json'), JSON.stringify(program));
        runShell(`rm -f printed; ${command} ${redirection}; mv printed plain; $RUN ${command} ${redirection}`);
        expect(readFileSync(pathOf('printed')).equals(readFileSync(pathOf('plain')))).toBe(true);
      }),
      { numRuns: randomCases(6) }
    );
  });

  it.each([
    ['with --separate', '> printed 2>&1', '--separate'],
    ['where both are thrown away', '> /dev/null 2>&1', ''],
    ['in two files', '> printed 2> printed2', ''],
  ])('are two streams of the log %s', (_name, redirection, options) => {
    runShell(`$RUN sh -c 'echo a; echo b >&2' ${redirection}`, { options });
    expect(readLog(readOut()).sort()).toEqual(['a', 'stderr: b']);
  });

  it('says that --separate gives up the order', async () => {
    expect((await joblens.run(['run', '--help'])).stdout.toString()).toContain('the order between them is given up');
    runShell(`JOBLENS_LOG_LEVEL=info $RUN true > printed 2>&1`, { options: '--separate' });
    expect(readFileSync(pathOf('printed'), 'utf8')).toContain(
      'joblens: stdout and stderr go to one place and are kept apart (--separate): output of one may interrupt a line of the other\n'
    );
  });
});

describeWith(['python'], 'metadata that a program prints between its bars', () => {
  const ROWS = [0, 1, 2, 3, 4].map((step) => ({ step, loss: 1 / (step + 1) }));
  const WAYS = [
    ['print', 'print(json.dumps(row), flush=True)', ''],
    ['print, all at its end', 'print(json.dumps(row))', ''],
    ['tqdm.write', 'tqdm.write(json.dumps(row)); sys.stdout.flush()', ''],
    ['print under nested bars', 'print(json.dumps(row), flush=True)', 'for _ in tqdm(range(4), mininterval=0): pass'],
    [
      'print within nested bars',
      'print(json.dumps(row), flush=True)',
      'nested = tqdm(range(4), mininterval=0, leave=False); next(iter(nested))',
    ],
    [
      'print over a bar of its own',
      `print('step %d of many steps' % step, end='\\r'); print(json.dumps(row), flush=True)`,
      '',
    ],
  ] as const;

  it.each(WAYS)('is stored: %s', (_name, print, before) => {
    const program = [
      'import json, sys, time',
      'from tqdm import tqdm',
      'for step in tqdm(range(5), mininterval=0):',
      `  ${before || 'pass'}`,
      '  row = {"step": step, "loss": 1 / (step + 1)}',
      `  ${print}`,
      '  time.sleep(0.01)',
    ].join('\n');
    writeFileSync(pathOf('bars.py'), program);
    for (const mode of ['enabled', 'metadata']) {
      runShell(`$RUN ${pythonPath()} ${pathOf('bars.py')} > printed 2>&1`, { mode });
      expect(readMetadata(readOut())).toEqual(ROWS);
      if (mode === 'metadata') expect(readFileSync(pathOf('out.lp'), 'utf8')).not.toMatch(/%|█|step 4 of/);
    }
  });
});
