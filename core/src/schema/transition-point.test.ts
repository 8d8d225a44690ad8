import { formatPoint } from '../point/line-protocol.js';
import { createTransitionPoint, findTransitionNs } from './transition-point.js';

const START_NS = 1_700_000_000_123_456_789n;
const MS_NS = 1_700_000_000_123_000_000n;

describe('createTransitionPoint', () => {
  it('has few tags, the job as a field, and a time within its millisecond', () => {
    const transition = {
      ...{ origin: 'slurm' as const, fromState: 'RUNNING', toState: 'FAILED', account: 'physics' },
      ...{ name: 'train', nodes: 2, cpus: 8, runtimeS: 60, startedMs: 5 },
    };
    const point = createTransitionPoint({ job: 'a b', user: 'ann', task: '0' }, transition, START_NS);
    expect(formatPoint({ ...point, timeNs: MS_NS })).toBe(
      'job_transition,account=physics,from_state=RUNNING,source=slurm,to_state=FAILED,user=ann ' +
        `job="a b",name="train",nodes=2,cpus=8,runtime_s=60,started=5,node_s=120,cpu_s=480,gpu_s=0 ${MS_NS}`
    );
    expect(point.timeNs / 1_000_000n).toBe(MS_NS / 1_000_000n);
    expect(createTransitionPoint({ job: 'a b', user: 'ann' }, transition, MS_NS).timeNs).toBe(point.timeNs);
  });

  it('gives the tasks of an array, and jobs in a row, different times', () => {
    const ids = Array.from({ length: 20_000 }, (_, i) => [`77_${i}`, String(i + 80_000)]).flat();
    const arrays = ids.map((job) => findTransitionNs({ job, user: 'ann' }, START_NS));
    const ofArray = new Set(arrays.filter((_, i) => i % 2 === 0));
    const inRow = new Set(arrays.filter((_, i) => i % 2 === 1));
    expect([ofArray.size, inRow.size]).toEqual([20_000, 20_000]);
  });
});
