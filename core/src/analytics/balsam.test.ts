import fc from 'fast-check';
import { listStays } from './stays.js';
import { countReached } from './throughput.js';
import type { TimeWindow, Transition } from './transition.js';
import { countNodes, countRunning } from './utilization.js';
import {
  type Curve,
  type EventLog,
  eventLogs,
  listChanges,
  reportNodes,
  reportThroughput,
  reportUtilization,
  settle,
} from './testing/balsam-reports.js';

function toTransition({ jobId, timestamp, fromState, toState, data: { num_nodes: nodes } }: EventLog): Transition {
  return {
    ...{ timeMs: timestamp, job: String(jobId), user: 'ann', fromState, toState },
    ...(nodes !== undefined && { nodes }),
  };
}

function windowOf(times: readonly number[]): TimeWindow {
  return times.length === 0 ? { fromMs: 0, toMs: 0 } : { fromMs: Math.min(...times), toMs: Math.max(...times) };
}

function reportOurs(logs: readonly EventLog[]) {
  const window = windowOf(logs.map(({ timestamp }) => timestamp));
  const stays = listStays(logs.map(toTransition), window);
  return {
    throughput: listChanges(countReached(stays, window, ['JOB_FINISHED'])),
    byNodes: listChanges(countRunning(stays, window)),
    byJobs: listChanges(countRunning(stays, window, 'jobs')),
  };
}

describe('on data of Balsam', () => {
  it('the numbers are those of Balsam, where its query holds whole jobs', () => {
    fc.assert(
      fc.property(eventLogs, (logs) => {
        expect(reportOurs(logs)).toEqual({
          throughput: settle(reportThroughput(logs)),
          byNodes: settle(reportUtilization(logs)),
          byJobs: settle(reportUtilization(logs, false)),
        });
      })
    );
  });

  it('available nodes are those of Balsam, where every batch job has ended', () => {
    const jobs = fc.array(
      fc
        .tuple(fc.nat(50), fc.nat(50), fc.integer({ min: 1, max: 9 }))
        .map(([startTime, length, numNodes]) => ({ startTime, endTime: startTime + length, numNodes }))
    );
    fc.assert(
      fc.property(jobs, (all) => {
        const window = windowOf(all.flatMap(({ startTime, endTime }) => [startTime, endTime]));
        const ours = countNodes(
          all.map(({ startTime, endTime, numNodes }) => ({ fromMs: startTime, toMs: endTime, nodes: numNodes })),
          window
        );
        expect(listChanges(ours)).toEqual(settle(reportNodes(all)));
      })
    );
  });

  const log = (jobId: number, timestamp: number, fromState: string, toState: string, nodes?: number): EventLog => ({
    ...{ jobId, timestamp, fromState, toState },
    data: nodes === undefined ? {} : { num_nodes: nodes },
  });
  const run = (jobId: number, from: number, to: number, nodes?: number): EventLog[] => [
    log(jobId, from, 'PREPROCESSED', 'RUNNING', nodes),
    log(jobId, to, 'RUNNING', 'RUN_DONE'),
  ];

  it.each<[difference: string, logs: readonly EventLog[], balsam: Curve, ours: Curve]>([
    [
      'an exit whose start is before the window',
      [log(1, 5, 'RUNNING', 'RUN_DONE'), ...run(2, 7, 9, 2)],
      [
        [5, -1],
        [7, 1],
        [9, -1],
      ],
      [
        [5, 0],
        [7, 2],
        [9, 0],
      ],
    ],
    [
      'a job that runs again with other nodes',
      [...run(1, 1, 2, 4), ...run(1, 3, 4, 1)],
      [
        [1, 4],
        [2, 0],
        [3, 1],
        [4, -3],
      ],
      [
        [1, 4],
        [2, 0],
        [3, 1],
        [4, 0],
      ],
    ],
    [
      'one that starts as another ends',
      [...run(1, 1, 2, 1), ...run(2, 2, 3, 1)],
      [
        [1, 1],
        [2, 0],
        [2, 1],
        [3, 0],
      ],
      [
        [1, 1],
        [3, 0],
      ],
    ],
    [
      'a job that ends as it starts',
      [...run(1, 1, 1, 1), ...run(2, 1, 2, 1)],
      [
        [1, -1],
        [1, 0],
        [1, 1],
        [2, 0],
      ],
      [
        [1, 1],
        [2, 0],
      ],
    ],
    [
      'a job without nodes',
      run(1, 1, 2),
      [
        [1, NaN],
        [2, NaN],
      ],
      [
        [1, 1],
        [2, 0],
      ],
    ],
    ['no job', [], [], []],
  ])('differs on purpose: %s', (_difference, logs, balsam, ours) => {
    expect(reportUtilization(logs)).toEqual(balsam);
    const steps = reportOurs(logs).byNodes;
    expect(steps).toEqual(ours.filter(([, value], i) => value !== (ours[i - 1]?.[1] ?? 0)));
  });

  it('differs on purpose: ten tenths of a node are one', () => {
    const logs = Array.from({ length: 10 }, (_, i) => log(i, i, 'PREPROCESSED', 'RUNNING', 1 / 10));
    expect(reportUtilization(logs).at(-1)?.[1]).not.toBe(1);
    expect(reportOurs(logs).byNodes.at(-1)).toEqual([9, 1]);
  });

  it('differs on purpose: a batch job that has not ended has its nodes', () => {
    expect(reportNodes([{ startTime: 1, numNodes: 4 }])).toEqual([]);
    expect(listChanges(countNodes([{ fromMs: 1, nodes: 4 }], { fromMs: 0, toMs: 9 }))).toEqual([[1, 4]]);
  });
});
