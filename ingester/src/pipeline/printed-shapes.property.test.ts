import type { Stream } from '@joblens/core/schema/measurements';
import fc from 'fast-check';
import { randomCases } from '../../../test/random-cases.js';
import type { LogConfig } from '../rules/options/log-config.js';
import type { LogMode } from '../rules/options/log-modes.js';
import { createPipelineUnderTest, type PipelineUnderTest } from '../testing/pipeline-under-test.js';
import { parseJobState } from './job-state.js';

/** A word that only forbidden output has. */
const SECRET = 'QXZJKhunter';
/** Lines that programs print around their numbers: headings, counters, tracebacks, settings, halves of JSON. */
const SHAPES = [
  'Step SECRET b',
  '   Step          Temp       SECRET',
  'SECRET 1 2.5',
  '1 2.5 SECRET',
  '| epoch | SECRET | loss |',
  '+-------+--------+',
  '| 1 | 2 | SECRET |',
  'Epoch 3/10 SECRET',
  'Epoch SECRET/10',
  'SECRET: 45%|####      | 9/20 [00:01<00:02]',
  'SECRET 45% ETA 00:10',
  '[SECRET] iteration 5 of 10',
  'Training SECRET:',
  'Time = SECRET',
  'smoothSolver:  Solving for SECRET, Initial residual = 0.1, Final residual = 0.01, No Iterations 3',
  'Timing for main: time SECRET on domain 1: 2.0 elapsed seconds',
  '      Epoch    GPU_mem   box_loss   SECRET',
  '     iteration #  1     ecut=  SECRET Ry',
  '     total energy SECRET =     -15.8 Ry',
  '           Step           SECRET',
  '   Energies (SECRET)',
  'validation SECRET',
  'Traceback (most recent call last):',
  '  File "/home/SECRET/a b.py", line 3, in <module>',
  'SECRETError: CUDA out of memory',
  'slurmstepd: error: SECRET oom-kill event',
  "{'SECRET': ",
  '{"SECRET": ',
  '/LOGCOMMAND {"SECRET": 1}',
  'key SECRET',
  'SECRET',
  '-- SECRET (x) "y" --',
] as const;

const KINDS = { metadata: ['json', 'python-dict', 'logfmt', { preset: 'auto' }, { regex: '^row (?<n>)(?<a>\\d+)$' }] };
const CONFIG = { ...KINDS, signals: [{ name: 'mine', text: 'oom-kill' }] } as unknown as Partial<LogConfig>;

const line = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...SHAPES).map((shape) => shape.replace('SECRET', SECRET)) },
  { weight: 1, arbitrary: fc.constantFrom('1 2 3', '0 1.5 2.5 3.5', 'row 4', '{"loss": 1}', '', 'loss 0.5') }
);

function keptOf(test: PipelineUnderTest): string {
  const records = test.records.flatMap(({ states }) => states.map(({ value }) => value));
  return [...records, ...[...test.states].map((source) => source.takeWholeState())].join('\n');
}

/** The rows of metadata are stored, and their tables kept: whether the secret is in one of them. */
const isMined = (test: PipelineUnderTest): boolean => test.text().includes(SECRET);

describe.each<[LogMode]>([['metadata'], ['disabled']])('in the mode %s', (mode) => {
  it.each(SHAPES)('keeps nothing of a line %p in the spool', async (shape) => {
    const test = createPipelineUnderTest({ isResumable: true, config: { ...CONFIG, mode } });
    await test.write('stdout', `${shape.replace('SECRET', SECRET)}\n`);
    await test.clock.advance(20_000);
    if (!isMined(test)) expect(keptOf(test)).not.toContain(SECRET);
    test.end();
  });

  it('keeps nothing of any lines, nor when a later mode logs them', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(line, { maxLength: 8 }),
        fc.constantFrom<Stream>('stdout', 'stderr'),
        async (lines, stream) => {
          const test = createPipelineUnderTest({ isResumable: true, config: { ...CONFIG, mode } });
          for (const text of lines) await test.write(stream, `${text}\n`);
          await test.clock.advance(20_000);
          const before = isMined(test);
          if (!before) expect(keptOf(test)).not.toContain(SECRET);
          await test.write('stdout', '/LOGCOMMAND {"mode":"enabled"}\n1 2 3\nrow 7\n');
          await test.clock.advance(20_000);
          if (!before) expect(test.text() + keptOf(test)).not.toContain(SECRET);
          test.end();
        }
      ),
      { numRuns: randomCases(60) }
    );
  });
});

it('counts the rows of an expression on over a restart in any mode', async () => {
  const config = { ...CONFIG, mode: 'metadata' } as const;
  const first = createPipelineUnderTest({ isResumable: true, config });
  await first.write('stdout', 'row 1\nrow 2\n');
  await first.clock.advance(1000);
  const state = parseJobState([...first.states].map((source) => source.takeWholeState()));
  first.end();
  expect(JSON.stringify(state?.log.kinds)).toMatch(/2\]$/);
});
