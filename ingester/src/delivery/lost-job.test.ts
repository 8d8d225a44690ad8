import { parseLineProtocol } from '@joblens/core/point/parse-line-protocol';
import type { SlurmJob } from '../sources/slurm/slurm-job.js';
import { listChanges } from '../sources/slurm/job-changes.js';
import { describeLostJob } from './lost-job.js';

const SINCE_NS = 1_700_000_000_300_000_000n;

function lostAt(lastSignNs: bigint): bigint {
  const open = { job: '1', user: 'ann', state: 'RUNNING', sinceNs: String(SINCE_NS), origin: 'slurm-job' as const };
  const { bytes, points } = describeLostJob(open, lastSignNs);
  const parsed = parseLineProtocol(bytes.toString(), { precision: 'ns', defaultTimeNs: 0n }).points;
  expect(parsed.map(({ measurement }) => measurement)).toEqual(['job', 'job_event', 'job_transition']);
  expect(parsed).toHaveLength(points);
  expect(parsed[0]?.fields.get('state')).toBe('LOST');
  const [timeNs, ...more] = new Set(parsed.slice(0, 2).map(({ timeNs: each }) => each));
  expect(more).toEqual([]);
  expect(parsed[2]?.tags.get('source')).toBe('slurm-job');
  return timeNs ?? 0n;
}

describe('describeLostJob', () => {
  it('comes after what the job said of itself', () => {
    for (const lastSignNs of [0n, SINCE_NS, SINCE_NS + 1n, SINCE_NS + 10_000_000_000n]) {
      expect(lostAt(lastSignNs)).toBeGreaterThan(SINCE_NS);
    }
  });

  it('leaves the last word to Slurm, which knows seconds only', () => {
    const lastSignNs = 1_700_000_007_900_000_000n;
    const endedMs = 1_700_000_007_000;
    const job: SlurmJob = {
      ...({
        rawId: 1,
        name: 'n',
        user: 'ann',
        reason: '',
        restarts: 0,
        nodes: '',
        partition: '',
      } as unknown as SlurmJob),
      ...{ state: 'CANCELLED', submittedMs: 1_700_000_000_000, startedMs: 1_700_000_000_000, endedMs },
    };
    expect(listChanges(job).at(-1)?.timeNs).toBeGreaterThan(lostAt(lastSignNs));
  });
});
