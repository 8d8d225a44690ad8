import type { JobDescription } from '@joblens/core/schema/job-point';
import { parseJobState } from '../../pipeline/job-state.js';
import { createPipelineUnderTest, type PipelineUnderTest } from '../../testing/pipeline-under-test.js';

const START_MS = 1_700_000_000_000;
const JOB: JobDescription = {
  ...{ name: 'train', account: 'physics', nodes: 2, requestedCpus: 16, requestedGpus: 4, submittedMs: START_MS },
};
const atNs = (seconds: number): bigint => BigInt(START_MS + seconds * 1000) * 1_000_000n;

/** The stored transitions: tags, then fields, then the second. */
function listTransitions(test: PipelineUnderTest): string[] {
  return test
    .stored()
    .filter(({ measurement }) => measurement === 'job_transition')
    .map(({ tags, fields, timeNs }) => {
      const { job, name, data, ...rest } = Object.fromEntries(fields);
      expect(data).toBe(tags.get('to_state') === 'FAILED' && name !== undefined ? '{"exit_code":1}' : undefined);
      expect([tags.get('user'), job]).toEqual(['ann', '1']);
      const numbers = Object.entries(rest).map(([key, value]) => `${key}=${value}`);
      const from = tags.get('from_state') ?? '';
      const account = tags.get('account') ?? '-';
      const second = Number(timeNs / 1_000_000n - BigInt(START_MS)) / 1000;
      return [`${from}>${tags.get('to_state')}`, tags.get('source'), account, name ?? '-', ...numbers, second].join(
        ' '
      );
    });
}

function runThrough(test: PipelineUnderTest): void {
  test.pipeline.describe({ ...JOB, state: 'PENDING' }, atNs(0));
  test.pipeline.changeState({ origin: 'slurm', toState: 'PENDING', data: {} }, atNs(0) + 1n);
  test.pipeline.describe({ state: 'RUNNING', startedMs: START_MS + 60_000 }, atNs(60));
  const change = { origin: 'slurm' as const, data: {} };
  test.pipeline.changeState({ ...change, fromState: 'PENDING', toState: 'RUNNING' }, atNs(60) + 2n);
  test.pipeline.changeState({ ...change, fromState: 'RUNNING', toState: 'SUSPENDED' }, atNs(70) + 3n);
  test.pipeline.changeState({ ...change, fromState: 'SUSPENDED', toState: 'RUNNING' }, atNs(80) + 4n);
  const end = { ...change, fromState: 'RUNNING', toState: 'FAILED', data: { exit_code: 1 } };
  test.pipeline.changeState(end, atNs(100) + 8n);
}

const FACTS = 'slurm physics train nodes=2 cpus=16 gpus=4';
const ALL = [
  `>PENDING ${FACTS} 0`,
  `PENDING>RUNNING ${FACTS} wait_s=60 60`,
  `RUNNING>SUSPENDED ${FACTS} runtime_s=10 started=${START_MS + 60_000} node_s=20 cpu_s=160 gpu_s=40 70`,
  `SUSPENDED>RUNNING ${FACTS} 80`,
  `RUNNING>FAILED ${FACTS} runtime_s=20 started=${START_MS + 80_000} node_s=40 cpu_s=320 gpu_s=80 100`,
].sort();

describe('the transitions of a job', () => {
  it('say how long it waited and ran, each time', () => {
    const test = createPipelineUnderTest();
    runThrough(test);
    test.end();
    expect(listTransitions(test).sort()).toEqual(ALL);
  });

  it('are the same points after a kill, when the scheduler tells all of them again', () => {
    const test = createPipelineUnderTest({ isResumable: true });
    runThrough(test);
    test.pipeline.commit();
    const values = test.records.flatMap(({ states }) => states.map(({ value }) => value));
    const next = createPipelineUnderTest({ isResumable: true, clock: test.clock, state: parseJobState(values) });
    runThrough(next);
    next.end();
    const lines = (text: string): string[] => text.split('\n').filter((line) => line.startsWith('job_transition'));
    expect(lines(next.text())).toEqual(lines(test.text()));
    expect(lines(next.text())).toHaveLength(5);
  });

  it('hold nothing but user, job and states in mode disabled, and the rest from when a command allows it', async () => {
    const test = createPipelineUnderTest({ config: { mode: 'disabled' } });
    runThrough(test);
    const changes = ['>PENDING', 'PENDING>RUNNING', 'RUNNING>SUSPENDED', 'SUSPENDED>RUNNING', 'RUNNING>FAILED'];
    expect(listTransitions(test).map((line) => line.replace(/ \d+$/, ''))).toEqual(
      expect.arrayContaining(changes.map((change) => `${change} slurm - -`))
    );
    await test.write('stdout', '/LOGCOMMAND {"mode": "enabled"}\n');
    test.pipeline.changeState({ origin: 'slurm', fromState: 'FAILED', toState: 'PENDING', data: {} }, atNs(200));
    expect(listTransitions(test)).toContain('FAILED>PENDING slurm - train nodes=2 cpus=16 gpus=4 200');
    test.end();
  });
});
