import { LineKernel } from '../kernels/line-kernel.js';
import { ConsoleRenderer } from '../render/console-renderer.js';
import { JobLog } from '../rules/job-log.js';
import { LineJudge } from '../rules/lines/line-judge.js';
import { LogPointWriter } from '../rules/lines/log-point-writer.js';
import { MetadataKinds } from '../rules/tables/metadata-kinds.js';
import { MetadataTables } from '../rules/tables/metadata-tables.js';
import { ProgressWatch } from '../rules/told/progress-watch.js';
import { RowLog } from '../rules/lines/row-log.js';
import { StreamSignals } from '../rules/lines/stream-signals.js';
import {
  createPipelineUnderTest,
  type PipelineOptions,
  type PipelineUnderTest,
} from '../testing/pipeline-under-test.js';
import { readLog } from '../testing/stored-points.js';
import { parseJobState } from './job-state.js';

const PILL = 'pill';

afterEach(() => jest.restoreAllMocks());

/** Whether the arguments of a call hold the pill, wherever it is. */
function holdsPill(values: readonly unknown[]): boolean {
  return values.some((value) => {
    if (typeof value === 'string') return value.includes(PILL);
    if (value instanceof Uint8Array) return Buffer.from(value).includes(PILL);
    if (Array.isArray(value)) return holdsPill(value as unknown[]);
    return typeof value === 'object' && value !== null && holdsPill(Object.values(value));
  });
}

/** Makes a method throw when it is given the pill, before or after it has done its work. */
function poison(prototype: object, name: string, when: 'before' | 'after'): void {
  const methods = prototype as unknown as Record<string, (...values: unknown[]) => unknown>;
  const real = methods[name] as (...values: unknown[]) => unknown;
  jest.spyOn(methods, name).mockImplementation(function (this: unknown, ...values: unknown[]) {
    if (!holdsPill(values)) return real.apply(this, values);
    if (when === 'after') real.apply(this, values);
    throw new RangeError(`a secret of ${PILL}`);
  });
}

const STAGES: readonly (readonly [string, object, string])[] = [
  ['the renderer', ConsoleRenderer.prototype, 'write'],
  ['the rows', RowLog.prototype, 'update'],
  ['the judge', LineJudge.prototype, 'judge'],
  ['the writer', LogPointWriter.prototype, 'write'],
  ['the mining', MetadataKinds.prototype, 'read'],
  ['the tables', MetadataTables.prototype, 'addRow'],
  ['the signals', StreamSignals.prototype, 'look'],
  ['the signals of rows', StreamSignals.prototype, 'noteRow'],
  ['the progress', ProgressWatch.prototype, 'noteRows'],
  ['the progress of lines', ProgressWatch.prototype, 'noteLines'],
  ['the kernel', LineKernel.prototype, 'writeOutput'],
];

const lines = (from: number, count: number): string =>
  Array.from({ length: count }, (_, i) => `line ${from + i}\n`).join('');

const LINES = /line \d+$/;

function readLines(test: PipelineUnderTest): string[] {
  return readLog(test.stored()).flatMap((line) => LINES.exec(line)?.[0] ?? []);
}

const few = (pill: string): string => `${lines(0, 3)}${pill}\n${lines(3, 3)}`;
const many = (pill: string): string => `${lines(0, 500)}${pill}\n${lines(500, 500)}`;

describe.each([
  ['a few lines', few, 6],
  ['many lines', many, 1000],
])('a fault in %s', (_what, put, count) => {
  const expected = Array.from({ length: count }, (_, i) => `line ${i}`);

  it.each(
    STAGES.flatMap(([what, owner, name]) => [
      [what, 'before', owner, name] as const,
      [what, 'after', owner, name] as const,
    ])
  )('of %s, thrown %s the work, costs no other line', async (_stage, when, owner, name) => {
    for (const pill of [PILL, `{"${PILL}": 1}`, `${PILL} é \x1b[31mred\x1b[0m`]) {
      jest.restoreAllMocks();
      poison(owner, name, when);
      const test = createPipelineUnderTest({});
      await test.write('stdout', `{"loss": 1}\n{"loss": 2}\n${put(pill)}{"loss": 3}\n`);
      await test.write('stderr', 'line on stderr\n');
      test.end();
      expect(readLines(test).sort()).toEqual([...expected].sort());
      const losses = test.stored().filter(({ fields }) => fields.has('loss'));
      expect(losses.map(({ fields }) => fields.get('loss'))).toEqual([1, 2, 3]);
      expect(readLog(test.stored()).join()).toContain('line on stderr');
      const notices = readLog(test.stored()).filter((line) => line.includes('fault of joblens'));
      expect(notices.length).toBeLessThanOrEqual(1);
      expect(test.said.length).toBe(notices.length);
      expect(test.said.join()).not.toContain('secret');
    }
  });
});

it('says once that lines were lost, and how many', async () => {
  poison(LineJudge.prototype, 'judge', 'before');
  const test = createPipelineUnderTest({});
  for (let i = 0; i < 5; i += 1) await test.write('stdout', `${PILL} ${i}\n`);
  test.end();
  const notices = readLog(test.stored()).filter((line) => line.includes('fault of joblens'));
  expect(notices).toEqual([expect.stringContaining('could not be logged in 5 places')]);
  expect(test.said).toHaveLength(1);
});

it('obeys a command that forbids output whatever fails', async () => {
  for (const [owner, name] of [
    [ConsoleRenderer.prototype, 'startPage'],
    [ConsoleRenderer.prototype, 'takeChangedRows'],
    [MetadataKinds.prototype, 'set'],
    [JobLog.prototype, 'writeDue'],
  ] as const) {
    jest.restoreAllMocks();
    const methods = owner as unknown as Record<string, () => void>;
    const spy = jest.spyOn(methods, name).mockImplementation(() => {
      throw new Error('x');
    });
    const test = createPipelineUnderTest({});
    await test.write('stdout', 'line 1\n/LOGCOMMAND {"mode": "disabled"}\nsecret\n');
    test.pipeline.commit();
    spy.mockRestore();
    await test.write('stdout', 'secret 2\n/LOGCOMMAND {"mode": "enabled"}\nline 2\n');
    test.end();
    expect(test.text()).not.toContain('secret');
    expect(readLines(test)).toEqual(expect.arrayContaining(['line 2']));
  }
});

describe('a restart after a fault', () => {
  const options: PipelineOptions = { isResumable: true };

  it('goes on behind the line that was lost', async () => {
    poison(LineJudge.prototype, 'judge', 'before');
    const test = createPipelineUnderTest(options);
    await test.write('stdout', few(PILL));
    test.pipeline.commit();
    const values = test.records.flatMap(({ states }) => states.map(({ value }) => value));
    const state = parseJobState(values);
    const next = createPipelineUnderTest({ ...options, state, clock: test.clock });
    expect(next.offsets.stdout).toBe(few(PILL).length);
    await next.write('stdout', 'line 6\n');
    next.end();
    expect(readLines(next)).toContain('line 6');
  });

  it('keeps only the place of a job whose state cannot be kept', async () => {
    const spy = jest.spyOn(ConsoleRenderer.prototype, 'takeState').mockImplementation(() => {
      throw new RangeError('x');
    });
    const test = createPipelineUnderTest(options);
    await test.write('stdout', few('x'));
    test.pipeline.commit();
    spy.mockRestore();
    await test.write('stdout', 'line 6\n');
    test.pipeline.commit();
    expect(test.said.join()).toContain('is not logged any more');
    const values = test.records.flatMap(({ states }) => states.map(({ value }) => value));
    const next = createPipelineUnderTest({ ...options, state: parseJobState(values), clock: test.clock });
    expect(next.offsets.stdout).toBe(few('x').length + 7);
    await next.write('stdout', 'line 7\n');
    next.end();
    expect(next.said).toEqual([]);
    expect(readLines(next)).toEqual([]);
  });
});

it('ends the logging of a job with too many faults, and of no other', async () => {
  poison(MetadataKinds.prototype, 'read', 'before');
  const test = createPipelineUnderTest({});
  const other = createPipelineUnderTest({});
  await test.write('stdout', `{"${PILL}": [1]}\n`.repeat(1200));
  test.pipeline.commit();
  await test.write('stdout', 'line 1\n');
  await other.write('stdout', 'line 2\n');
  test.end();
  other.end();
  expect(test.said).toHaveLength(2);
  expect(readLines(test)).toEqual([]);
  expect(readLines(other)).toEqual(['line 2']);
});
