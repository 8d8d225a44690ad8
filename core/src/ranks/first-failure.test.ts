import fc from 'fast-check';
import { readSignals } from '../ask/events/signals.js';
import { BUILT_IN_SIGNALS } from '../signals/built-in-patterns.js';
import { SignalDetector } from '../signals/signal-detector.js';
import { createSignalEvent, SignalFold } from '../signals/signal-fold.js';
import { findFirstFailure, type FirstFailure, type JobProcess, type RankSignal } from './first-failure.js';
import { formatFirstFailure, formatFollowers } from './format-first-failure.js';
import type { RankDeath } from './rank-death.js';
import { RANK_DEATHS } from './rank-deaths.js';

/** The signals of an output, as they are stored and read again: each writer has a detector and a fold of its own. */
function store(output: RankDeath['output']): readonly RankSignal[] {
  const writers = new Map<string, { detector: SignalDetector; fold: SignalFold }>();
  for (const [task, atS, lines] of output) {
    const writer = writers.get(task) ?? {
      detector: new SignalDetector(() => BUILT_IN_SIGNALS),
      fold: new SignalFold(),
    };
    writers.set(task, writer);
    lines.split('\n').forEach((line, at) => {
      const signal = writer.detector.take(line);
      const timeNs = BigInt(Math.round(1000 * atS) + at) * 1_000_000n;
      if (signal !== undefined) writer.fold.add({ ...signal, line, stream: 'stdout', timeNs });
    });
  }
  const values = [...writers].flatMap(([task, { fold }]) => {
    const writer = { task: task === '' ? undefined : task, node: /^[a-z]/.test(task) ? task : undefined };
    return fold.signals.map((signal) => [
      new Date(Number(signal.timeNs / 1_000_000n)).toISOString(),
      JSON.stringify(createSignalEvent(signal, writer).data),
      ...['job (a-1)', 'ann'],
    ]);
  });
  return readSignals({
    statement_id: 0,
    series: [{ name: 'job_event', columns: ['time', 'data', 'job', 'user'], values }],
  });
}

/** `right`, `unknown`, or what was said instead. */
function judge(first: RankDeath['first'], says: string, found: FirstFailure | undefined): string {
  if (found === undefined) return 'unknown';
  const { rank, localRank, node, task } = found.process;
  const told = { rank: rank ?? localRank, node, task };
  const isRight =
    found.message.includes(says) && Object.entries(first).every(([part, value]) => told[part as 'rank'] === value);
  return isRight ? 'right' : JSON.stringify({ ...told, message: found.message });
}

describe('who failed first', () => {
  it('is told right of the deaths of jobs with many processes', () => {
    const judged = RANK_DEATHS.map(({ title, first, says, output }) => [
      title,
      judge(first, says, findFirstFailure(store(output))),
    ]);
    expect(RANK_DEATHS.length).toBeGreaterThanOrEqual(20);
    expect(judged.filter(([, told]) => told !== 'right')).toEqual([]);
  });

  it('is never told wrong, whatever order the output comes in', () => {
    const wrong = new Set<string>();
    fc.assert(
      fc.property(
        fc
          .constantFrom(...RANK_DEATHS)
          .chain((death) =>
            fc.tuple(
              fc.constant(death),
              fc.shuffledSubarray([...death.output], { minLength: death.output.length, maxLength: death.output.length })
            )
          ),
        ([{ title, first, output }, shuffled]) => {
          const times = output.map(([, atS]) => atS);
          const late = shuffled.map(([task, , lines], at) => [task, times[at] ?? 0, lines] as const);
          const { process = {} } = findFirstFailure(store(late)) ?? {};
          const { rank = process.localRank, node, task } = process;
          const told = { rank, node, task };
          const isOther = ([part, value]: [string, unknown]): boolean => (told[part as 'rank'] ?? value) !== value;
          if (Object.entries(first).some(isOther)) wrong.add(`${title}: ${JSON.stringify(told)}`);
        }
      ),
      { numRuns: 500, seed: 1 }
    );
    expect([...wrong]).toEqual([]);
  });

  const watchdog = (rank: number): string =>
    `[rank${rank}]:[E ProcessGroupNCCL.cpp:632] [Rank ${rank}] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=9)`;
  const fail = (rank: number, error: string): string =>
    `[rank${rank}]: Traceback (most recent call last):\n[rank${rank}]: ${error}`;

  it.each<[string, RankDeath['output']]>([
    ['all ranks waited in vain', [['', 10, [0, 1, 2, 3].map(watchdog).join('\n')]]],
    ['no line says whose it is', [['', 10, 'Traceback (most recent call last):\nValueError: bad']]],
    [
      'an error came long before that of another rank',
      [
        ['', 10, fail(2, 'OSError: disk')],
        ['', 900, fail(5, 'KeyError: 1')],
      ],
    ],
    [
      'the scheduler ended it',
      [
        [
          '',
          10,
          'slurmstepd: error: *** JOB 7 ON n1 CANCELLED AT 2026-11-27T10:00:01 DUE TO TIME LIMIT ***\nsrun: error: n2: tasks 4-7: Terminated',
        ],
      ],
    ],
    ['nothing went wrong', []],
  ])('is not said where %s', (_why, output) => {
    expect(findFirstFailure(store(output))).toBeUndefined();
  });

  it('is one of those that failed alike, with their number', () => {
    const all = [3, 0, 1, 2].map((rank) => fail(rank, `ImportError: libfoo.so.${rank}`)).join('\n');
    expect(findFirstFailure(store([['', 10, all]]))).toMatchObject({ process: { rank: 3 }, alike: 4 });
    const tasks = ['n-2', 'n-1'].map(
      (task, at) => [task, 10 + at, 'Traceback (most recent call last):\nMemoryError'] as const
    );
    expect(findFirstFailure(store(tasks))).toMatchObject({ process: { task: 'n-2' }, alike: 2 });
  });

  it('is the rank that the launcher saw fail, where another had got over the same error', () => {
    const summary =
      'Root Cause (first observed failure):\n[0]:\n  time      : 1\n  host      : n1\n  rank      : 5 (local_rank: 5)\n  exitcode  : 1 (pid: 95)';
    const output = [
      ['', 10, fail(2, 'IndexError: 7')],
      ['', 20, fail(5, 'IndexError: 9')],
      ['', 21, summary],
    ] as const;
    expect(findFirstFailure(store(output))).toMatchObject({
      process: { rank: 5, node: 'n1' },
      message: 'IndexError: 9',
    });
  });

  it.each<[JobProcess, string]>([
    [{ rank: 5, node: 'n-2', task: 'n-2', localRank: 1 }, 'rank 5 on n-2'],
    [{ localRank: 1, pid: 7 }, 'local rank 1'],
    [{ task: '6', node: 'n (3)' }, 'task 6 on n (3)'],
    [{ task: 'n-2', node: 'n-2' }, 'node n-2'],
    [{ pid: 5226, node: '10.0.0.1' }, 'process 5226 on 10.0.0.1'],
  ])('is said of %j in words', (process, words) => {
    expect(formatFirstFailure({ process, message: 'a', alike: 1 })).toBe(`${words} failed first: a`);
    expect(formatFirstFailure({ process, message: 'a', place: 'b.py:1', alike: 8 })).toBe(
      `8 failed alike, ${words} first: a (b.py:1)`
    );
  });

  it('comes with what only followed', () => {
    const found = findFirstFailure(store([['', 10, `${fail(1, 'KeyError: 1')}\n${watchdog(0)}\n${watchdog(2)}`]]));
    expect(found?.followers).toMatchObject([{ name: 'nccl-timeout', count: 2, process: { rank: 0 } }]);
    expect(found && formatFollowers(found)).toBe('2 NCCL timeouts');
  });
});
