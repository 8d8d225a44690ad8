import type { LogLine } from '@joblens/core/rows/join-log-parts';
import { formatRfc3339Nano, parseRfc3339Nano } from '@joblens/core/point/timestamp';
import { printStatements } from '@joblens/core/influxql/print';
import { ok } from '@joblens/core/result/result';
import { createFakeClock } from '../../testing/fake-clock.js';
import type { AskPage } from '../shell/ask-store.js';
import type { Reading } from '../shell/reading.js';
import { createSettlingFollower, followLog } from './follow-log.js';

const bar = (line: string): LogLine => ({ job: '1', user: 'ann', timeNs: 1n, stream: 'stdout', kind: 'output', line });

describe('a log that is followed elsewhere than on a terminal', () => {
  const follow = (): { show: (text: string, atMs: number, isLast?: boolean) => Promise<readonly string[]> } => {
    const printed: string[] = [];
    const follower = createSettlingFollower((lines) => {
      printed.push(...lines.map(({ line }) => line));
      return Promise.resolve(true);
    });
    return {
      show: async (text, atMs, isLast = false) => {
        expect(await follower.show([bar(text)], { nowNs: 9n, monotonicMs: atMs, isLast })).toBe(true);
        return printed.splice(0);
      },
    };
  };

  it('shows a line that changes only once it stays as it is, and again when it changes after that', async () => {
    const { show } = follow();
    expect(await show("bar (a.b) '10%'", 0)).toEqual([]);
    expect(await show("bar (a.b) '50%'", 1900)).toEqual([]);
    expect(await show("bar (a.b) '50%'", 3800)).toEqual([]);
    expect(await show("bar (a.b) '50%'", 3900)).toEqual(["bar (a.b) '50%'"]);
    expect(await show("bar (a.b) '50%'", 9900)).toEqual([]);
    expect(await show("bar (a.b) '75%'", 10_000)).toEqual([]);
    expect(await show("bar (a.b) '100%'", 11_000, true)).toEqual(["bar (a.b) '100%'"]);
  });
});

interface StoredLine {
  readonly timeNs: bigint;
  readonly text: string;
}

/** A store with the lines of one job, asked page by page. */
function createAskPage(lines: readonly StoredLine[]): AskPage {
  const columns = ['time', 'line', 'kind', 'stream', 'job', 'user'];
  const ask: AskPage = (statements) => {
    const statement = printStatements(statements);
    const edges = [...statement.matchAll(/time (>=|<=|>|<) '([^']+)'/g)].map(([, operator, time = '']) => {
      return [operator, parseRfc3339Nano(time) ?? 0n] as const;
    });
    const isAsked = ({ timeNs }: StoredLine): boolean =>
      edges.every(([operator, edgeNs]) => {
        if (operator === '>=') return timeNs >= edgeNs;
        if (operator === '<=') return timeNs <= edgeNs;
        return operator === '>' ? timeNs > edgeNs : timeNs < edgeNs;
      });
    const found = lines.filter(isAsked).sort((a, b) => (a.timeNs < b.timeNs ? -1 : 1));
    const limit = Number(/LIMIT (\d+)/.exec(statement)?.[1]);
    const values = found
      .slice(0, limit)
      .map(({ timeNs, text }) => [formatRfc3339Nano(timeNs), text, 'output', 'stdout', 'a (b)', 'ann']);
    return Promise.resolve(ok([{ statement_id: 0, series: [{ name: 'job_log', columns, values }] }]));
  };
  return ask;
}

describe('a log that is followed while times are ahead of the clock', () => {
  const HOUR_NS = 3_600_000_000_000n;

  /** Lines come in turns: of each, how many, and how far ahead their clock is. */
  it.each([
    {
      turns: [
        [200, HOUR_NS],
        [3, 0n],
        [3, 0n],
        [120, 0n],
        [2, 0n],
      ],
      isFromAhead: false,
    },
    {
      turns: [
        [49, HOUR_NS],
        [1, 0n],
        [70, HOUR_NS],
        [70, 0n],
        [1, HOUR_NS],
        [1, 0n],
      ],
      isFromAhead: false,
    },
    {
      turns: [
        [10, HOUR_NS],
        [1, 0n],
        [60, 0n],
        [60, HOUR_NS],
        [1, 0n],
      ],
      isFromAhead: true,
    },
    {
      turns: [
        [60, 1_500_000_000n],
        [1, 0n],
        [60, 1_500_000_000n],
        [1, 0n],
        [60, 0n],
      ],
      isFromAhead: false,
    },
    {
      turns: [
        [60, 0n],
        [60, 0n],
        [1, 0n],
      ],
      isFromAhead: false,
    },
    {
      turns: [
        [200, 6_000_000_000n],
        [3, 0n],
        [90, 9_000_000_000n],
        [60, 0n],
        [2, 0n],
        [3, 0n],
      ],
      isFromAhead: false,
    },
  ])('shows every line once, whatever is ahead: $turns', async ({ turns, isFromAhead }) => {
    const clock = createFakeClock();
    const lines: StoredLine[] = [];
    const printed: string[] = [];
    const toNs = (ms: number): bigint => BigInt(ms) * 1_000_000n;
    const write = ([count = 0, aheadNs = 0n]: readonly (number | bigint)[], turn: number): void => {
      for (let at = 0; at < Number(count); at += 1) {
        const backNs = (BigInt(count) - BigInt(at)) * 1_000_000n + BigInt(turn);
        lines.push({ timeNs: toNs(clock.nowMs()) + BigInt(aheadNs) - backNs, text: `${turn} - ${at}` });
      }
    };
    let isEnded = false;
    const reading = {
      ask: () => {
        const description = [['2026-01-01T00:00:00Z', isEnded ? 'COMPLETED' : 'RUNNING', isEnded ? 1 : null]];
        const columns = ['time', 'state', 'ended'];
        const series = [{ name: 'job', tags: { job: 'a (b)', user: 'ann' }, columns, values: description }];
        return Promise.resolve(ok([{ statement_id: 0, series }]));
      },
      format: 'text',
      output: {},
      report: { warn: () => undefined },
      host: { clock },
    } as unknown as Reading;
    const [first, ...rest] = turns;
    write(first ?? [], 0);
    const fromNs = isFromAhead ? (lines[0]?.timeNs ?? 0n) : 0n;
    const selection = { job: 'a (b)', user: 'ann', fromNs };
    const record = { job: 'a (b)', user: 'ann', timeNs: 0n, values: new Map<string, number>() };
    const options = {
      text: { isTerminal: false, hasColors: false, hasTimes: false, hasTasks: false, charset: 'utf-8' },
      print: (some: readonly LogLine[]) => {
        printed.push(...some.map(({ line }) => line));
        return Promise.resolve(true);
      },
      isFromNow: false,
      record,
    } as Parameters<typeof followLog>[3];
    const done = followLog(reading, createAskPage(lines), selection, options);
    let code: number | undefined;
    void done.then((ended) => (code = ended));
    const pass = async (seconds: number): Promise<void> => {
      for (let second = 0; second < seconds; second += 1) {
        for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
        await clock.advance(1000);
      }
    };
    for (const [at, turn] of rest.entries()) {
      await pass(3);
      write(turn, at + 1);
    }
    await pass(12);
    expect([...printed].sort()).toEqual(lines.map(({ text }) => text).sort());
    isEnded = true;
    while (code === undefined) await pass(1);
    expect(code).toBe(0);
    expect(printed).toHaveLength(lines.length);
  });
});
