import { listChanges } from './job-changes.js';
import { parseAccounting } from './parse-accounting.js';
import { parseQueue } from './parse-queue.js';
import type { SlurmJob } from './slurm-job.js';
import { readRecording } from './testing/recordings.js';

function readJobs(name: 'squeue-22.05-first' | 'squeue-22.05-later'): Map<string, SlurmJob> {
  const queue = parseQueue(readRecording(name));
  return new Map((queue.ok ? queue.value.jobs : []).map((job) => [job.id, job]));
}

const first = readJobs('squeue-22.05-first');
const later = readJobs('squeue-22.05-later');
const accounting = parseAccounting(readRecording('sacct-22.05'), '\x1f');

/** `from>to` and the time. */
function describeChanges(job: SlurmJob | undefined, lastActive?: 'RUNNING' | 'SUSPENDED'): string[] {
  const changes = job === undefined ? [] : listChanges(job, lastActive);
  return changes.map(({ change, timeNs }) => `${change.fromState ?? ''}>${change.toState} ${timeNs}`);
}

describe('listChanges', () => {
  it.each([
    [
      '22',
      ['>PENDING 1795241886000000001', 'PENDING>RUNNING 1795241886000000002', 'RUNNING>FAILED 1795241887000000008'],
    ],
    ['24', ['>PENDING 1795241886000000001', 'PENDING>CANCELLED 1795241889000000008']],
    [
      '26',
      ['>PENDING 1795241886000000001', 'PENDING>RUNNING 1795241886000000002', 'RUNNING>SUSPENDED 1795241889000000003'],
    ],
    [
      '27',
      [
        'RUNNING>REQUEUED 1795241889000000009',
        'REQUEUED>PENDING 1795241889000000017',
        'PENDING>RUNNING 1795241891000000018',
      ],
    ],
  ])('of job %s are %j', (id, changes) => {
    expect(describeChanges(first.get(id))).toEqual(changes);
  });

  it('tells of a resumption, and ends a suspended job from there', () => {
    expect(describeChanges(later.get('26'))).toContain('SUSPENDED>RUNNING 1795241894000000004');
    expect(describeChanges(first.get('23'), 'SUSPENDED')).toContain('SUSPENDED>CANCELLED 1795241889000000008');
  });

  it.each(['21', '22', '23', '27'])('are the same points from squeue and from accounting: job %s', (id) => {
    const seen = describeChanges(id === '21' ? later.get(id) : first.get(id));
    const known = accounting.filter((attempt) => attempt.id === id).flatMap((attempt) => describeChanges(attempt));
    expect(seen.filter((change) => !known.includes(change))).toEqual([]);
  });

  it('say what the job is when it starts, and how it went when it ends', () => {
    const job = later.get('21');
    const [pending, running, ended] = job === undefined ? [] : listChanges(job);
    expect(pending?.description).toMatchObject({ state: 'PENDING', submittedMs: 1795241844000, queue: 'main' });
    expect(running?.description).toMatchObject({ state: 'RUNNING', startedMs: 1795241845000, host: 'node1', nodes: 1 });
    expect(ended?.description).toEqual({ state: 'TIMEOUT', exitCode: 143, endedMs: 1795241918000 });
    expect(ended?.change).toEqual({
      origin: 'slurm',
      fromState: 'RUNNING',
      toState: 'TIMEOUT',
      data: { nodes: 1, exit_code: 143, reason: 'TimeLimit' },
    });
  });

  it('keep the raw id of an array task', () => {
    const job = first.get('25_1');
    expect(job && listChanges(job)[0]?.description).toMatchObject({ schedulerId: '32' });
  });
});
