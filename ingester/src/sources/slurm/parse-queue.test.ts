import { parseQueue, QueueReader } from './parse-queue.js';
import { readState, type SlurmJob } from './slurm-job.js';
import { readRecording } from './testing/recordings.js';

const NUMBERS = [
  ...['array_job_id', 'array_task_id', 'het_job_id', 'het_job_offset', 'node_count'],
  ...['submit_time', 'start_time', 'end_time', 'time_limit'],
];

/** The same answer as Slurm 23.11 and later give it: numbers as objects, states as lists, exit codes in parts. */
function toNewerForm(text: string): string {
  const queue = JSON.parse(text) as { jobs: Record<string, unknown>[] };
  for (const job of queue.jobs) {
    for (const key of NUMBERS) {
      const number = job[key];
      job[key] = { set: number !== null, infinite: false, number: number ?? 0 };
    }
    job['job_state'] = [job['job_state']];
    const status = Number(job['exit_code']);
    job['exit_code'] = {
      status: [status === 0 ? 'SUCCESS' : 'ERROR'],
      return_code: { set: true, infinite: false, number: status >> 8 },
      signal: { id: { set: status % 128 > 0, infinite: false, number: status % 128 }, name: '' },
    };
    job['a_field_to_come'] = { of: ['any', 'form'] };
  }
  return JSON.stringify({ ...queue, last_update: { set: true, infinite: false, number: 1 } });
}

function parse(text: string): readonly SlurmJob[] {
  const queue = parseQueue(text);
  if (!queue.ok) throw new Error(queue.error);
  expect(queue.value.unreadable).toBe(0);
  return queue.value.jobs;
}

function find(jobs: readonly SlurmJob[], id: string): SlurmJob | undefined {
  return jobs.find((job) => job.id === id);
}

describe.each([
  ['Slurm 22.05', (text: string): string => text],
  ['newer ones', toNewerForm],
])('parseQueue of %s', (_name, toForm) => {
  const jobs = parse(toForm(readRecording('squeue-22.05-first')));

  it('gives each job once: no tasks that wait together, no later parts of a heterogeneous job', () => {
    expect(jobs.map(({ id }) => id)).toEqual(['21', '22', '23', '24', '25_1', '26', '27', '28', '30', '31']);
  });

  it.each([
    ['25_1', { rawId: 32, state: 'RUNNING', startedMs: 1795241886000, nodes: 1, host: 'node1' }],
    ['25_1', { stdoutPaths: ['/home/ann/jobs/arr-25_0001.out'], stderrPaths: ['/home/ann/jobs/err-1.txt'] }],
    ['21', { name: 'limit', stdoutPaths: ['/home/ann/jobs/slurm-21.out'], stderrPaths: [], isMerged: true }],
    ['21', { timeLimitMs: 60_000 }],
    ['22', { name: 'fail 7', state: 'FAILED', exitCode: 7, endedMs: 1795241887000, reason: 'NonZeroExitCode' }],
    ['22', { user: 'root', uid: 0, partition: 'main', workdir: '/home/ann/jobs', command: '/home/ann/jobs/a.sh 1 7' }],
    ['23', { state: 'CANCELLED', exitCode: 143, startedMs: 1795241886000, reason: '' }],
    ['26', { state: 'SUSPENDED', suspendedMs: 1795241889000, stdoutPaths: ['/home/ann/jobs/plain-root.log'] }],
    ['27', { restarts: 1, submittedMs: 1795241889000, startedMs: 1795241891000 }],
    ['28', { nodes: 2, state: 'PENDING', reason: 'Resources' }],
    ['30', { user: 'ann', uid: 1001 }],
    ['31', { name: 'intr', stdoutPaths: [], stderrPaths: [] }],
  ])('reads of job %s: %j', (id, part) => {
    expect(find(jobs, id)).toMatchObject(part);
  });

  it.each(['24', '28'])('gives job %s, which never ran, no start', (id) => {
    expect(find(jobs, id)?.startedMs).toBeUndefined();
  });

  it.each([
    ['21', { state: 'TIMEOUT', exitCode: 143, endedMs: 1795241918000 }],
    ['26', { state: 'RUNNING', suspendedMs: 1795241894000 }],
  ])('reads of job %s later: %j', (id, part) => {
    expect(find(parse(toForm(readRecording('squeue-22.05-later'))), id)).toMatchObject(part);
  });
});

describe('parseQueue', () => {
  it('takes paths that Slurm has expanded itself, and stderr only where it is another file', () => {
    const job = {
      ...{ job_id: 1, user_id: 1000, job_state: ['RUNNING'], batch_flag: true, standard_output: '/x/%j-%N' },
      ...{ stdout_expanded: '/x/1-n', stderr_expanded: '/x/1-n', standard_error: '/x/%j-%N' },
    };
    expect(parse(JSON.stringify({ jobs: [job] }))).toMatchObject([
      { stdoutPaths: ['/x/1-n'], stderrPaths: [], user: '1000', id: '1' },
    ]);
  });

  it('counts what it cannot read and goes on', () => {
    const text = JSON.stringify({ jobs: [{ job_id: 'x' }, { job_id: 2, user_id: 0, job_state: 'RUNNING' }] });
    expect(parseQueue(text)).toMatchObject({ ok: true, value: { unreadable: 1, jobs: [{ id: '2' }] } });
  });

  it.each([
    [
      { cpus: 8, memory_per_node: 65_536, node_count: 2 },
      { requestedCpus: 8, requestedBytes: 64 * 2 ** 30 },
    ],
    [
      { cpus: { set: true, infinite: false, number: 8 }, memory_per_cpu: 1024, memory_per_node: null, node_count: 2 },
      { requestedCpus: 8, requestedBytes: 4 * 2 ** 30 },
    ],
    [{ tres_req_str: 'cpu=4,mem=8G,node=1,billing=4,gres/gpu=2,gres/gpu:a100=2' }, { requestedGpus: 2 }],
    [{ tres_req_str: 'cpu=4,gres/gpu:a100=2', time_limit: 90 }, { timeLimitMs: 5_400_000 }],
    [{ cpus: null, memory_per_node: 0, memory_per_cpu: 1024 }, {}],
  ])('reads what a job asked for: %j', (facts, requested) => {
    const text = JSON.stringify({ jobs: [{ job_id: 2, user_id: 0, job_state: 'PENDING', ...facts }] });
    const { requestedCpus, requestedGpus, requestedBytes, timeLimitMs } = parse(text)[0] ?? {};
    expect({ requestedCpus, requestedGpus, requestedBytes, timeLimitMs }).toEqual(requested);
  });

  it.each([
    ['', 'not JSON'],
    ['slurm 20.11', 'not JSON'],
    ['{}', 'no list of jobs'],
    // When slurmctld does not answer, squeue 22.05 prints this and exits with 0.
    [
      '{"meta":{},"errors":[{"description":"Failed while looking for jobs","error_number":-1,"error":"Unspecified error","source":"slurm_load_jobs"}],"jobs":[]}',
      'Failed while looking for jobs: Unspecified error: slurm_load_jobs',
    ],
  ])('says what is wrong with %j', (text, message) => {
    const queue = parseQueue(text);
    expect(queue.ok ? '' : queue.error).toContain(message);
  });
});

describe('readState', () => {
  it.each([
    [['RUNNING'], 'RUNNING', false],
    [['COMPLETING'], 'RUNNING', true],
    [['COMPLETED', 'COMPLETING'], 'COMPLETED', true],
    [['CONFIGURING'], 'PENDING', false],
    [['RUNNING', 'CONFIGURING'], 'PENDING', false],
    [['PENDING', 'REQUEUED'], 'PENDING', false],
    [['REQUEUE_HOLD'], 'PENDING', false],
    [['CANCELLED by 1000'], 'CANCELLED', false],
    [['OUT_OF_MEMORY'], 'OUT_OF_MEMORY', false],
    [['STOPPED'], 'SUSPENDED', false],
    [['SOMETHING_NEW'], 'RUNNING', false],
  ])('reads %j as %s, completing: %s', (words, state, isCompleting) => {
    expect(readState(words)).toEqual({ state, isCompleting });
  });
});

describe('answers one after the other', () => {
  const text = readRecording('squeue-22.05-first');
  const read = (reader: QueueReader, answer: string): readonly SlurmJob[] => {
    const queue = reader.read(Buffer.from(answer));
    if (!queue.ok) throw new Error(queue.error);
    return queue.value.jobs;
  };

  it('give the same jobs, as the same objects where nothing has changed', () => {
    const reader = new QueueReader();
    const before = read(reader, text);
    const after = read(reader, text.replace('"name":"limit"', '"name":"limit (2)"'));
    expect(find(after, '21')?.name).toBe('limit (2)');
    expect(find(after, '22')).toBe(find(before, '22'));
    expect(after).toEqual(parse(text.replace('"name":"limit"', '"name":"limit (2)"')));
  });

  it('are read on after one that is no answer', () => {
    const reader = new QueueReader();
    read(reader, text);
    expect(reader.read(Buffer.from('slurm_load_jobs error')).ok).toBe(false);
    expect(read(reader, text)).toEqual(parse(text));
  });
});
