import fc from 'fast-check';
import { countReached } from './throughput.js';
import { countNodes, countRunning } from './utilization.js';
import { countStates } from './state-counts.js';
import { findQuantile, listWaits, summarizeWaits } from './queue-waits.js';
import { listStays } from './stays.js';
import { averageSteps, readStep } from './steps.js';
import { sumUsage } from './usage.js';
import { createLives, findState, type Life, listTransitions } from './testing/random-histories.js';
import type { LivingJob, TimeWindow } from './transition.js';

const BEGIN_MS = 1_700_000_000_000;
const SPREAD_MS = 40;
const HOUR_MS = 3_600_000;
const USERS = ['ann', 'bob'];
const ACCOUNTS = ['physics', 'maths'];
const FINAL = ['COMPLETED', 'FAILED', 'CANCELLED', 'TIMEOUT'];

const windows = fc
  .tuple(fc.integer({ min: -SPREAD_MS, max: 2 * SPREAD_MS }), fc.integer({ min: 0, max: 3 * SPREAD_MS }))
  .map(([from, length]): TimeWindow => ({ fromMs: BEGIN_MS + from, toMs: BEGIN_MS + from + length }));

/** What a store gives for the window: the transitions in it, and the jobs that wait or run at its end. */
function readStays(lives: readonly Life[], window: TimeWindow) {
  const inside = lives
    .flatMap(listTransitions)
    .filter(({ timeMs }) => timeMs >= window.fromMs && timeMs <= window.toMs);
  const living = lives.flatMap(({ runs: _runs, submittedMs: _submitted, nodes, ...life }): LivingJob[] => {
    const found = findState({ ...life, nodes, runs: _runs, submittedMs: _submitted }, window.toMs);
    if (found === undefined || FINAL.includes(found.state)) return [];
    return [{ ...life, ...(nodes !== undefined && { nodes }), ...found }];
  });
  return listStays(inside.toReversed(), window, living);
}

function instantsOf({ fromMs, toMs }: TimeWindow): number[] {
  return Array.from({ length: toMs - fromMs + 1 }, (_, i) => fromMs + i);
}

const lives = createLives(BEGIN_MS, SPREAD_MS);

describe('the reports agree with a model that looks at each job at each instant', () => {
  const check = (compare: (all: readonly Life[], window: TimeWindow) => void): void => {
    fc.assert(fc.property(lives, windows, compare));
  };

  it('running jobs, by number and by nodes', () => {
    check((all, window) => {
      const stays = readStays(all, window);
      const [byJob, byNode] = [countRunning(stays, window, 'jobs'), countRunning(stays, window)];
      const expected = instantsOf(window).map((timeMs) => {
        const running = all.filter((life) => findState(life, timeMs)?.state === 'RUNNING');
        return [running.length, running.reduce((sum, { nodes = 1 }) => sum + nodes, 0)];
      });
      expect(instantsOf(window).map((timeMs) => [readStep(byJob, timeMs), readStep(byNode, timeMs)])).toEqual(expected);
    });
  });

  it('states over time: a final state counts what reached it in the window', () => {
    check((all, window) => {
      const counts = countStates(readStays(all, window), window);
      for (const state of ['PENDING', 'RUNNING', ...FINAL]) {
        const steps = counts.get(state) ?? { timesMs: [], values: [] };
        const expected = instantsOf(window).map((timeMs) => {
          const inState = all.filter((life) => findState(life, timeMs)?.state === state);
          const old = (life: Life) => FINAL.includes(state) && findState(life, window.fromMs - 1)?.state === state;
          return inState.filter((life) => !old(life)).length;
        });
        expect([state, ...instantsOf(window).map((timeMs) => readStep(steps, timeMs))]).toEqual([state, ...expected]);
      }
    });
  });

  it('throughput', () => {
    check((all, window) => {
      const reached = countReached(readStays(all, window), window);
      const ends = all.flatMap(listTransitions).filter(({ toState }) => toState === 'COMPLETED');
      const expected = instantsOf(window).map(
        (timeMs) => ends.filter((end) => end.timeMs >= window.fromMs && end.timeMs <= timeMs).length
      );
      expect(instantsOf(window).map((timeMs) => readStep(reached, timeMs))).toEqual(expected);
    });
  });

  it('waits, and their quantiles', () => {
    check((all, window) => {
      const waits = listWaits(readStays(all, window));
      const expected = all
        .flatMap(listTransitions)
        .filter((one) => one.toState === 'RUNNING' && one.timeMs >= window.fromMs && one.timeMs <= window.toMs);
      expect(waits.map(({ waitS }) => waitS).sort()).toEqual(expected.map(({ waitS }) => waitS).sort());
      for (const bin of summarizeWaits(waits, window, 1e15)) {
        const no = (share: number, limitS: number) =>
          expected.filter(({ waitS = 0 }) => waitS <= limitS).length >= share * bin.count;
        expect([bin.count, no(0.5, bin.medianS), no(0.9, bin.p90S), no(1, bin.maxS)]).toEqual([
          expected.length,
          ...[true, true, true],
        ]);
      }
    });
  });

  it('hours by user, account and state, summed over every millisecond', () => {
    check((all, window) => {
      const usage = sumUsage(readStays(all, window), window);
      for (const [user, account] of USERS.flatMap((name) => ACCOUNTS.map((one) => [name, one] as const))) {
        const ofBoth = all.filter((life) => life.user === user && life.account === account);
        const running = instantsOf({ ...window, toMs: window.toMs - 1 }).flatMap((timeMs) =>
          ofBoth.filter((life) => findState(life, timeMs)?.state === 'RUNNING')
        );
        const own = usage.filter((one) => one.user === user && one.account === account);
        const sum = (key: 'nodeHours' | 'coreHours') => own.reduce((total, one) => total + one[key], 0) * HOUR_MS;
        expect(sum('nodeHours')).toBeCloseTo(
          running.reduce((total, { nodes = 1 }) => total + nodes, 0),
          0
        );
        expect(sum('coreHours')).toBeCloseTo(
          running.reduce((total, { cpus }) => total + cpus, 0),
          0
        );
      }
    });
  });

  it('each instant has one net change, within the window', () => {
    check((all, window) => {
      const stays = readStays(all, window);
      const series = [countRunning(stays, window), countReached(stays, window), ...countStates(stays, window).values()];
      for (const { timesMs, values } of series.filter((one) => one.timesMs.length > 0)) {
        expect([timesMs[0], timesMs.at(-1)]).toEqual([window.fromMs, window.toMs]);
        const isRising = timesMs.every((timeMs, i) => i === 0 || timeMs > (timesMs[i - 1] ?? Infinity));
        const inner = values.slice(0, -1);
        expect([isRising, inner.filter((value, i) => i > 0 && value === values[i - 1])]).toEqual([true, []]);
        expect(Math.min(...values)).toBeGreaterThanOrEqual(0);
      }
    });
  });

  it('the order of the transitions does not matter', () => {
    const shuffled = lives.chain((all) => {
      const transitions = all.flatMap(listTransitions);
      return fc.tuple(fc.constant(transitions), fc.shuffledSubarray(transitions, { minLength: transitions.length }));
    });
    fc.assert(
      fc.property(shuffled, windows, ([sorted, others], window) => {
        const steps = (transitions: typeof sorted) => countRunning(listStays(transitions, window), window);
        expect(steps(others)).toEqual(steps(sorted));
      })
    );
  });
});

describe('the mean of steps', () => {
  it('is that of their values at every instant', () => {
    fc.assert(
      fc.property(lives, windows, (all, window) => {
        const steps = countRunning(readStays(all, window), window);
        const instants = [...instantsOf({ ...window, toMs: Math.max(window.fromMs, window.toMs - 1) })];
        const sum = instants.reduce((total, timeMs) => total + readStep(steps, timeMs), 0);
        expect(averageSteps(steps, window)).toBeCloseTo(sum / instants.length, 6);
      })
    );
  });
});

describe('available nodes', () => {
  it('counts allocations whose end is not known, and clips the others', () => {
    const window = { fromMs: 10, toMs: 20 };
    const allocations = [
      { fromMs: 0, toMs: 12, nodes: 4 },
      { fromMs: 12, toMs: 30, nodes: 2 },
      { fromMs: 15, nodes: 1 },
      { fromMs: 0, toMs: 9, nodes: 8 },
      { fromMs: 21, nodes: 8 },
    ];
    expect(countNodes(allocations, window)).toEqual({ timesMs: [10, 12, 15, 20], values: [4, 2, 3, 3] });
    expect(countNodes([], window)).toEqual({ timesMs: [], values: [] });
  });
});

it('findQuantile gives a value that is there', () => {
  expect([0, 0.5, 0.75, 0.9, 1].map((share) => findQuantile([1, 2, 3, 4], share))).toEqual([1, 2, 3, 4, 4]);
});
