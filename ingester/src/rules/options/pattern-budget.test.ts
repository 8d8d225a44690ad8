import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cpuUsage, memoryUsage } from 'node:process';
import { estimatePatternCost } from '@joblens/core/lines/pattern-cost';
import fc from 'fast-check';
import * as re2js from 're2js';
import { prepareJoblens, until } from '../../testing/joblens.js';
import { createPipelineUnderTest } from '../../testing/pipeline-under-test.js';
import { readLog, storePoints } from '../../testing/stored-points.js';
import { MetadataKinds } from '../tables/metadata-kinds.js';
import { parseOptIn } from './opt-in.js';
import { PatternBudget } from './pattern-budget.js';

const times = (count: number, create: (i: number) => string): string[] =>
  Array.from({ length: count }, (_, i) => create(i));
const GROUPS = times(120, (i) => `(?<g${i}>.?a?)`).join('');

/** Sets of expressions that would take much time or memory, each with a text that none of them matches. */
const NASTY: ReadonlyArray<readonly [string, readonly string[]]> = [
  ['large repeats', times(50, (i) => `(?<a>(.?a?){1000}$ERROR${i})`)],
  ['many large repeats in each', times(50, (i) => `(?<a>${'(.?a?){1000}'.repeat(70)}ERROR${i}$)`)],
  ['nested repeats', times(50, (i) => `(?<a>((a{10}){10}){10}ERROR${i})`)],
  ['repeats of a class', times(50, (i) => `(?<a>[\\pL\\pN]{1000}ERROR${i})`)],
  ['optional repeats', times(50, (i) => `(?<a>.{0,1000}ERROR${i})`)],
  ['large classes', times(50, (i) => `(?<a>(?i)${'[^\\pL\\PN]'.repeat(90)}ERROR${i})`)],
  ['alternatives', times(50, (i) => `(?<a>(${times(200, (j) => `.${j}`).join('|')}){20}ERROR${i})`)],
  ['stars in stars', times(50, (i) => `(?<a>((.*)*)*${'(a*)*(.*)*'.repeat(80)}ERROR${i})`)],
  ['many groups', times(50, (i) => `${GROUPS.slice(0, 900).replace(/\(\?<?[^)]*$/, '')}ERROR${i}`)],
  ['quoted texts that begin within themselves', times(50, (i) => `(?<a>\\Q${'a'.repeat(980)}\\E.ERROR${i})`)],
  ['small ones, many of them', times(50, (i) => `(?<a>(.?a?){30}ERROR${i})`)],
  ['one after another of one that is not closed', times(50, () => `(?<a>${'(.?a?){1000}'.repeat(70)}`)],
];
/** What all of them stumble over. */
const LINES = `${'a'.repeat(1000)}ERROR\n`.repeat(20);
const PLAIN = times(10, (i) => `^step (?<step>\\d+): loss=(?<loss>[-.\\de]+) ERROR${i}`);

const yamlOf = (sources: readonly string[]): string =>
  `metadata:\n${sources.map((source) => `- regex: '${source}'\n`).join('')}`;
const signalsOf = (sources: readonly string[]): unknown[] =>
  sources.map((regex, i) => ({ name: `own-${i}`, text: 'ERROR', regex }));

async function measure(work: () => Promise<unknown>): Promise<{ cpuMs: number; heapMb: number }> {
  const [before, heap] = [cpuUsage(), memoryUsage().heapUsed];
  await work();
  const { user, system } = cpuUsage(before);
  return { cpuMs: (user + system) / 1000, heapMb: (memoryUsage().heapUsed - heap) / 2 ** 20 };
}

async function log(signals: readonly unknown[], text = LINES): Promise<string[]> {
  const test = createPipelineUnderTest({ config: { signals } });
  await test.write('stdout', text);
  test.end();
  return readLog(test.stored());
}

describe('the expressions of one job', () => {
  it.each(NASTY)('are refused as metadata where they cost too much: %s', async (_name, sources) => {
    const { cpuMs, heapMb } = await measure(async () => {
      const parsed = await parseOptIn(yamlOf(sources));
      expect(parsed.ok ? '' : parsed.error.message).toMatch(
        /^option metadata is not valid: item \d+: the expression (would take up to \d+ .*, but all of a job may take|is longer|is not valid)/
      );
    });
    expect(cpuMs).toBeLessThan(8000);
    expect(heapMb).toBeLessThan(100);
  });

  it.each(NASTY)(
    'are left out as signals where they cost too much, and the output is logged: %s',
    async (_name, sources) => {
      const plain = await measure(() => log(signalsOf(PLAIN)));
      const nasty = await measure(async () => {
        const lines = await log(signalsOf(sources.filter((source) => source.length <= 1000)));
        expect(lines.filter((line) => line.includes('aaaERROR'))).not.toEqual([]);
        expect(lines.join('\n')).toMatch(
          /entry \d+ of the option signals is left out: (the expression would|its regex)|^$/
        );
      });
      // The bound of the budget: 600 steps of 45 ns for each of 20,000 bytes, of which most take far less.
      expect(nasty.cpuMs).toBeLessThan(20 * plain.cpuMs + 8000);
      expect(nasty.heapMb).toBeLessThan(150);
    }
  );

  it('are refused in a command with a notice that names the first that is too much', async () => {
    const test = createPipelineUnderTest();
    const kinds = [{ regex: 'x(?<a>\\d+)' }, { regex: '(?<a>(.?a?){1000})' }];
    await test.write('stdout', `/LOGCOMMAND ${JSON.stringify({ metadata: kinds })}\nx1\n{"a": 1}\n`);
    test.end();
    expect(readLog(test.stored())).toEqual([
      expect.stringContaining('/LOGCOMMAND'),
      expect.stringMatching(
        /^\[notice\] .*item 2: the expression would take up to \d+ steps.*all of a job may take 600/
      ),
      'x1',
      '{"a": 1}',
    ]);
  });

  it('count together, signals behind the kinds of metadata', async () => {
    const metadata = [{ regex: '(?<a>.{400}) b' }];
    const signals = [
      { name: 'a', regex: 'CUDA.{100}' },
      { name: 'b', regex: 'CUDA.{200}' },
      { name: 'c', regex: 'CUDA' },
    ];
    const test = createPipelineUnderTest({ config: { metadata, signals } });
    await test.write('stdout', '/LOGCOMMAND {"metadata": "json"}\n');
    test.end();
    expect(readLog(test.stored()).filter((line) => line.includes('left out'))).toEqual([
      expect.stringMatching(
        /entry 2 .* would take up to 201 steps .*, but all of a job may take 600, and those before it take \d+: /
      ),
    ]);
  });

  it('cost no more than that after a restart with the options of an older version', () => {
    const metadata = NASTY[0]?.[1].map((regex) => ({ regex })) ?? [];
    const kinds = new MetadataKinds({ job: '1', user: 'ann' }, { metadata, nonfinite: 'log' });
    expect(kinds.read('a'.repeat(1000))).toBeUndefined();
  });

  it('are not tried on lines that would hold up all others, which a notice says once', async () => {
    const metadata = [{ regex: '(?<a>\\d+) .{0,200}(?:"b".|-)$' }];
    const test = createPipelineUnderTest({ config: { metadata } });
    const long = `loss 7 ${'x ('.repeat(20_000)}-`;
    await test.write('stdout', `${long}\n`.repeat(3));
    await test.write('stdout', `${long}\nloss 7 x-\n`);
    test.end();
    const points = test.stored();
    const notices = readLog(points).filter((line) => line.includes('joblens: '));
    expect(notices).toEqual([
      expect.stringMatching(
        /a line of 60008 characters is too long for the expressions of this job, .* up to \d{4,5};/
      ),
    ]);
    // Such a line is logged whole, and the next one is tried again.
    const logged = points.filter(({ measurement }) => measurement === 'job_log');
    expect(logged.some(({ fields }) => String(fields.get('line')).startsWith('loss 7 x (x ('))).toBe(true);
    expect(points.filter(({ measurement }) => measurement === 'job_metadata')).toHaveLength(1);
  });

  it('fit if they are as people write them', () => {
    const budget = new PatternBudget();
    const written = [...PLAIN, ...times(25, (i) => `disk \\w+ was slow: read took \\d{4,} ms, number ${i}`)];
    expect(written.map((source) => budget.charge(source).ok)).not.toContain(false);
  });
});

describe('the estimate of what an expression costs', () => {
  const atom = fc.constantFrom(
    ...['a', 'b', 'A', 'é', '.'],
    '\\d',
    '\\.',
    '\\pL',
    '\\p{Greek}',
    '\\x41',
    '[a-c]',
    '[^]x]',
    '[[:alpha:]_]',
    '\\b',
    '^',
    '$',
    '\\Qa.b|\\E'
  );
  const repeat = fc.constantFrom('', '', '', '*', '+', '?', '{3}', '{2,}', '{1,4}', '{0,3}?', '+?');
  const { expression } = fc.letrec<{ expression: string; part: string }>((tie) => ({
    expression: fc.array(tie('part'), { minLength: 1, maxLength: 6 }).map((parts) => parts.join('')),
    part: fc.oneof(
      { maxDepth: 3 },
      fc.tuple(atom, repeat).map((parts) => parts.join('')),
      fc
        .tuple(
          fc.constantFrom('(', '(?:', '(?i:', '(?P<a>', '(?<b>'),
          tie('expression'),
          fc.constantFrom(')', '|x)'),
          repeat
        )
        .map((parts) => parts.join(''))
    ),
  }));

  it('is never less than its program has', () => {
    fc.assert(
      fc.property(expression, (source) => {
        let size;
        try {
          size = re2js.RE2JS.compile(source).programSize();
        } catch {
          return;
        }
        expect(estimatePatternCost(source).size).toBeGreaterThanOrEqual(size - 3);
      })
    );
  });

  it.each([
    ['abcd', 4, 1],
    ['aaaa', 4, 4],
    ['abab', 4, 2],
    ['a{1000}', 1000, 1000],
    ['(?:(?:ab){10}){10}', 200, 100],
    ['.{0,9}', 18, 18],
    ['\\pL{50}', 50, 50],
  ])('multiplies repeats, and knows texts that begin within themselves: %s', (source, size, steps) => {
    expect(estimatePatternCost(source)).toEqual({ size, steps });
  });

  it('takes time in proportion to any text', () => {
    for (const part of ['[', '(', '(?<', '\\Q\\', '{1', 'a{', '[[:', '\\p{', '|', ')', 'a*', 'ab']) {
      const measureMs = (count: number): number => {
        const startMs = performance.now();
        estimatePatternCost(part.repeat(count));
        return performance.now() - startMs;
      };
      measureMs(1000);
      expect(measureMs(20_000)).toBeLessThan(5000);
    }
  });
});

describe('joblens with expressions that would cost too much', () => {
  const joblens = prepareJoblens();
  afterAll(() => joblens.remove());
  const [[, sources] = ['', []]] = NASTY.slice(1);
  const small = sources.map((_, i) => `${'(.?a?){1000}'.repeat(70)}ERROR${i}`);

  it('logs under pipe, and says which are left out', async () => {
    const optIn = join(joblens.folder, 'opt in');
    writeFileSync(optIn, JSON.stringify({ signals: signalsOf(small) }));
    const options = ['pipe', '--job', 'a-1', '--user', 'ann', '--optin', optIn, '--out', '-'];
    const { code, stdout } = await joblens.run(options, LINES);
    const lines = readLog(storePoints(stdout.toString().trimEnd().split('\n')));
    expect(code).toBe(0);
    expect(lines.filter((line) => line.includes('is left out'))).toHaveLength(small.length);
    expect(lines).toContain(`${'a'.repeat(1000)}ERROR`);
  });

  it('logs the other jobs under watch', async () => {
    const folder = join(joblens.folder, 'watched');
    const out = join(joblens.folder, 'points.lp');
    mkdirSync(folder);
    const command = JSON.stringify({ signals: signalsOf(small) });
    writeFileSync(join(folder, 'slurm-1.out'), `/LOGCOMMAND ${command}\n${LINES}`);
    const child = joblens.start(['watch', '--mode', 'enabled', '--out', out, folder]);
    writeFileSync(join(folder, 'slurm-2.out'), 'of another one\n');
    await until(() => existsSync(out) && readFileSync(out, 'utf8').includes('of another one'));
    child.kill('SIGTERM');
    expect((await child.ended).code).toBe(0);
  });
});
