import { columnsOfText } from '../console/column-width.js';
import type { JobUsage } from '../ask/tables/job-usage.js';
import type { JobRecord } from '../ask/jobs/jobs.js';
import type { SignalRecord } from '../ask/events/signals.js';
import { formatReport } from './format-report.js';
import { createJobReport, type JobReport } from './job-report.js';

const GIB = 2 ** 30;
const START_MS = 1_700_000_000_000;
const HOUR_MS = 3_600_000;

/** Undefined takes a fact away. */
type Facts = { readonly [Part in keyof JobRecord]?: JobRecord[Part] | undefined };

function createRecord(facts: Facts = {}): JobRecord {
  return {
    ...{ job: '123', user: 'ann', name: 'resnet', state: 'COMPLETED', exitCode: 0, queue: 'gpu', nodes: 1, host: 'n1' },
    ...{ submittedMs: START_MS - 310_000, startedMs: START_MS, endedMs: START_MS + HOUR_MS },
    ...{ timeNs: BigInt(START_MS) * 1_000_000n, values: new Map() },
    ...(facts as Partial<JobRecord>),
  };
}

function createSignal(message: string, atMs: number, more: Partial<SignalRecord> = {}): SignalRecord {
  return {
    ...{ job: '123', user: 'ann', name: 'out-of-memory', severity: 'error', message, count: 1 },
    ...{ timeNs: BigInt(START_MS + atMs) * 1_000_000n },
    ...more,
  };
}

function report(facts: Facts, usage?: JobUsage, signals: readonly SignalRecord[] = []): JobReport {
  return createJobReport({ record: createRecord(facts), usage, signals, nowMs: START_MS + 2 * HOUR_MS });
}

const ASKED = { requestedCpus: 8, requestedMemoryBytes: 64 * GIB, requestedGpus: 1, timeLimitS: 14_400 };
const USED: JobUsage = { cpuCores: 7.2, memoryBytes: 40 * GIB, gpus: [{ percent: 93, memoryBytes: 30 * GIB }] };

describe('createJobReport', () => {
  it('tells waiting and duration, what was asked for and used, and the last values', () => {
    const values = new Map<string, number | string>([
      ['loss', 0.25],
      ['note', 'x'],
      ['system.age_s', 3600],
      ['system.gpu0_percent', 9],
      ['system.load', 3],
    ]);
    expect(report({ ...ASKED, values }, USED)).toMatchObject({
      ...{ waitS: 310, durationS: 3600, state: 'COMPLETED', advice: [] },
      asked: { cpus: 8, memoryBytes: 64 * GIB, gpus: 1, timeLimitS: 14_400 },
      used: USED,
      values: { loss: 0.25, note: 'x', 'system.load': 3 },
    });
  });

  it('says which process failed first, unless the job completed', () => {
    const signals = [
      createSignal('Watchdog caught collective operation timeout', 900, {
        ...{
          name: 'nccl-timeout',
          weight: 'collective',
          task: 'n-1',
          node: 'n-1',
          line: '[rank0]: Watchdog',
          count: 2,
        },
      }),
      createSignal('KeyError: "a (1)"', 1000, {
        ...{
          name: 'python-exception',
          weight: 'cause',
          task: 'n-2',
          node: 'n-2',
          line: '[rank5]: KeyError',
          place: 'a.py:1',
        },
      }),
    ];
    expect(report({ state: 'FAILED', exitCode: 1 }, undefined, signals).firstFailure).toEqual({
      process: { task: 'n-2', node: 'n-2', rank: 5 },
      ...{ message: 'KeyError: "a (1)"', place: 'a.py:1', alike: 1, followed: '2 NCCL timeouts' },
    });
    expect(report({}, undefined, signals)).not.toHaveProperty('firstFailure');
    const text = formatReport(report({ state: 'FAILED', reason: 'exit code 1' }, undefined, signals), {
      ...{ width: 100, formatTime: () => 'then' },
    });
    expect(text).toContain(`
First     rank 5 on n-2 failed first: KeyError: "a (1)" (a.py:1); then 2 NCCL timeouts
`);
  });

  it('counts the duration of a running job until now, and of a lost one not at all', () => {
    expect(report({ state: 'RUNNING', endedMs: undefined }).durationS).toBe(7200);
    expect(report({ state: 'LOST', endedMs: undefined })).not.toHaveProperty('durationS');
    expect(report({ submittedMs: undefined, startedMs: undefined })).not.toHaveProperty('waitS');
  });

  it("takes accounting's peak where it is higher, or all that there is", () => {
    expect(report({ usedMemoryBytes: 50 * GIB }, USED).used).toMatchObject({ cpuCores: 7.2, memoryBytes: 50 * GIB });
    expect(report({ usedMemoryBytes: GIB }, USED).used?.memoryBytes).toBe(40 * GIB);
    expect(report({ usedMemoryBytes: GIB }).used).toEqual({ memoryBytes: GIB, gpus: [] });
  });

  it('has the signals of the newest run, oldest first', () => {
    const signals = [createSignal('late', 5000), createSignal('early', 1000), createSignal('before', -1000)];
    expect(report({}, USED, signals).signals.map(({ message }) => message)).toEqual(['early', 'late']);
  });

  it('is plain JSON', () => {
    const all = report({ ...ASKED, values: new Map([['loss', 1]]) }, USED, [createSignal('x', 1)]);
    expect(JSON.parse(JSON.stringify(all))).toEqual(all);
  });
});

describe('advice', () => {
  it.each<[string, Facts, Partial<JobUsage>, RegExp]>([
    ['too much memory', {}, { memoryBytes: 3 * GIB }, /^It asked for 64 GB of memory and used 3 GB: 4 GB would do\.$/],
    ['too many processors', {}, { cpuCores: 1.1 }, /^It asked for 8 processors and kept 1\.1 busy: ask for fewer/],
    ['a GPU that waits', {}, { gpus: [{ percent: 12.4 }] }, /^Its GPU was busy 12 % of the time/],
    ['an idle GPU', {}, { gpus: [{ percent: 0.2 }] }, /^It did not use its GPU\.$/],
    ['idle GPUs', {}, { gpus: [{ percent: 0 }, { percent: 0 }] }, /^It did not use its 2 GPUs\.$/],
    ['one idle GPU', {}, { gpus: [{ percent: 0 }, { percent: 99 }] }, /^It did not use 1 of its 2 GPUs: ask for 1\.$/],
    ['memory that ran out', { state: 'OUT_OF_MEMORY' }, {}, /^It needs more memory than 64 GB: ask for more/],
    [
      'a limit that was too short',
      { state: 'TIMEOUT', progress: 0.8, endedMs: START_MS + 4 * HOUR_MS },
      {},
      /^It was 80 % done after its limit of 4h: ask for 6h \(--time=6:00:00\)\.$/,
    ],
    ['a long limit', { timeLimitS: 86_400 }, {}, /^It asked for 1d and took 1h: jobs with shorter limits/],
  ])('says what is plain of %s', (_title, facts, usage, sentence) => {
    const { advice } = report({ ...ASKED, ...facts }, { ...USED, ...usage });
    expect(advice).toEqual([expect.stringMatching(sentence)]);
  });

  it.each<[string, Facts, Partial<JobUsage>]>([
    ['used what it asked for', {}, {}],
    ['used more than half of it', {}, { memoryBytes: 33 * GIB, cpuCores: 4.1, gpus: [{ percent: 51 }] }],
    ['failed before it could use it', { state: 'FAILED' }, { memoryBytes: GIB, cpuCores: 0.1, gpus: [{ percent: 0 }] }],
    ['was short', { endedMs: START_MS + 30_000, timeLimitS: 60 }, { memoryBytes: GIB, cpuCores: 0, gpus: [] }],
    ['asked for one processor', { requestedCpus: 1 }, { cpuCores: 0.1 }],
    ['asked for little memory', { requestedMemoryBytes: GIB / 2 }, { memoryBytes: 1000 }],
    [
      'asked for nothing',
      { requestedCpus: undefined, requestedMemoryBytes: undefined },
      { memoryBytes: 1, cpuCores: 0 },
    ],
    ['ran out of time at the very beginning', { state: 'TIMEOUT', progress: 0.01 }, {}],
  ])('says nothing of a job that %s', (_title, facts, usage) => {
    expect(report({ ...ASKED, ...facts }, { ...USED, ...usage }).advice).toEqual([]);
  });

  it('says how to measure what was not measured', () => {
    expect(report(ASKED).advice).toEqual(['What it used was not measured: run it with `joblens run --metrics`.']);
    expect(report({ state: 'PENDING' }).advice).toEqual([]);
  });
});

const show = (shown: JobReport, width = 80): string =>
  formatReport(shown, { width, formatTime: (timeMs) => new Date(timeMs).toISOString().slice(0, 19).replace('T', ' ') });

describe('formatReport', () => {
  it('is one screen', () => {
    const values = new Map<string, number | string>([
      ['epoch', 10],
      ['train/loss', 0.123456789],
      ['note', 'a\nb'],
    ]);
    const signals = [createSignal('CUDA out of memory', 1000, { place: 'train.py:17', count: 3 })];
    const facts = {
      ...{ state: 'FAILED', exitCode: 1, reason: 'exit code 1: CUDA out of memory (train.py:17)', progress: 0.425 },
      ...{ command: `python train.py ${'--option=value '.repeat(20)}`, workdir: '/home/ann/vision', values },
    };
    expect(show(report({ ...ASKED, ...facts }, USED, signals))).toBe(`\
Job 123 of ann: resnet                                              FAILED, 42 %
Reason    exit code 1: CUDA out of memory (train.py:17)
Time      2023-11-14 22:13:20 started, 2023-11-14 23:13:20 ended
Took      1h of 4h
Waited    5m 10s
Where     queue gpu, 1 node, n1
Command   python train.py --option=value --option=value --option=value
          --option=value --option=value --option=value --option=value --option=…
Folder    /home/ann/vision

          asked           used
CPU       8               7.2 on average
Memory    64 GB           40 GB at most
GPU       1               93 % busy on average, 30 GB at most

Last values
  epoch 10   train/loss 0.12346   note a b

Signals
  error: CUDA out of memory (train.py:17) (3 times)
`);
  });

  it('rounds what nobody needs to know, and leaves out a wait where there was no queue', () => {
    const facts = { submittedMs: START_MS, queue: undefined };
    const text = show(report({ ...ASKED, ...facts }, { ...USED, cpuCores: 0.0615 }));
    expect(text).toContain('CPU       8               0.06 on average\n');
    expect(text).not.toContain('Waited');
    expect(show(report({ ...ASKED, submittedMs: START_MS }))).toContain('Waited    0s\n');
  });

  it.each([
    [20, 40],
    [40, 40],
    [63, 63],
    [80, 80],
    [200, 200],
  ])(
    'on a terminal of %i columns, stays one screen of %i, whatever is stored, and lets nothing move the cursor',
    (width, most) => {
      const long = `${'very long '.repeat(50)}\u001b[2J\u0007${'x'.repeat(300)}漢字`;
      const values = new Map(Array.from({ length: 500 }, (_, i) => [`${i} ${long}`, i % 2 === 0 ? long : i]));
      const signals = Array.from({ length: 50 }, (_, i) => createSignal(`${i} ${long}`, 50_000 - i));
      const texts = {
        name: long,
        state: 'FAILED',
        reason: long,
        queue: long,
        host: long,
        command: long,
        workdir: long,
      };
      const text = show(report({ ...ASKED, ...texts, values, job: long }, USED, signals), width);
      const lines = text.split('\n');
      expect(lines.length).toBeLessThanOrEqual(36);
      expect(Math.max(...lines.map(columnsOfText))).toBeLessThanOrEqual(most);
      expect(text).not.toMatch(/[^\P{C}\n]/u);
      expect(text).toContain('and 496 more');
      expect(text).toContain('46 before');
    }
  );

  it('leaves out what nobody knows', () => {
    const record: JobRecord = { job: 'x', user: 'ann', timeNs: 0n, values: new Map() };
    const text = show(createJobReport({ record, usage: undefined, signals: [], nowMs: 0 }));
    expect(text).toBe(`Job x of ann${' '.repeat(55)}unknown state\n`);
  });
});
