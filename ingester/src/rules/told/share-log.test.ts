import { parseJobState } from '../../pipeline/job-state.js';
import { createPipelineUnderTest, type PipelineUnderTest } from '../../testing/pipeline-under-test.js';
import { readLog } from '../../testing/stored-points.js';

const ODD = ["o'hara (x)", 'a.b-c', 'group:ml, "gpu"'];
const CONFIG = { mode: 'enabled', nonfinite: 'log', metadata: ['json'] } as const;

const tell = (command: Record<string, unknown>): string => `/LOGCOMMAND ${JSON.stringify(command)}\n`;

/** The points of shares: job, user, whom, and whether it is shared. */
function sharesOf(test: PipelineUnderTest): readonly unknown[] {
  const points = test.stored().filter(({ measurement }) => measurement === 'job_share');
  return points.map(({ tags, fields }) => [
    ...['job', 'user', 'whom'].map((key) => tags.get(key)),
    fields.get('offered'),
  ]);
}

describe('a job that its user shares', () => {
  it('is shared with those of the opt-in, and of commands, each once', async () => {
    const test = createPipelineUnderTest({
      ...{ source: { job: 'run "1"', user: 'ann' }, config: { ...CONFIG, share: ODD } },
    });
    await test.write('stdout', tell({ share: ['bob', 'a.b-c'] }) + tell({ share: ['bob'] }));
    test.end();
    expect(sharesOf(test)).toEqual([...ODD, 'bob'].map((whom) => ['run "1"', 'ann', whom, 1]));
  });

  it('is not shared again after a restart, as it may have been taken back', async () => {
    const first = createPipelineUnderTest({ isResumable: true, config: { ...CONFIG, share: ODD } });
    first.pipeline.describe({ state: 'RUNNING' });
    first.pipeline.commit();
    const state = parseJobState(first.records.flatMap(({ states }) => states.map(({ value }) => value)));
    const next = createPipelineUnderTest({ isResumable: true, clock: first.clock, state });
    await next.write('stdout', tell({ share: [...ODD, 'bob'] }));
    next.end();
    expect(sharesOf(next)).toEqual([['1', 'ann', 'bob', 1]]);
  });

  it('waits in mode disabled until a command enables its log', async () => {
    const test = createPipelineUnderTest({ config: { ...CONFIG, mode: 'disabled', share: ['bob'] } });
    await test.write('stdout', tell({ share: ['eve'] }));
    expect(sharesOf(test)).toEqual([]);
    await test.write('stdout', tell({ mode: 'metadata' }));
    test.end();
    expect(sharesOf(test)).toEqual([
      ['1', 'ann', 'bob', 1],
      ['1', 'ann', 'eve', 1],
    ]);
  });

  it('is not shared by a command that is not valid', async () => {
    const test = createPipelineUnderTest({});
    const many = Array.from({ length: 101 }, (_, at) => `u${at}`);
    const faulty = [{ share: 'bob' }, { share: [' bob'] }, { share: [7] }, { share: ['group:'] }, { share: many }];
    for (const command of faulty) await test.write('stdout', tell(command));
    for (const part of [many.slice(0, 60), many.slice(40, 100)]) await test.write('stdout', tell({ share: part }));
    test.end();
    expect(sharesOf(test)).toHaveLength(100);
    const notices = readLog(test.stored()).filter((line) => line.includes('(joblens: '));
    expect(notices).toHaveLength(faulty.length);
    for (const notice of notices) expect(notice).toMatch(/share is not valid at character 22: it must be a list of/);
  });

  it('is shared with at most 100, and says so', async () => {
    const test = createPipelineUnderTest({});
    const many = Array.from({ length: 101 }, (_, at) => `u${at}`);
    for (const part of [many.slice(0, 60), many.slice(60)]) await test.write('stdout', tell({ share: part }));
    test.end();
    expect(sharesOf(test)).toHaveLength(60);
    expect(readLog(test.stored()).join('\n')).toContain('a job is shared with at most 100 users and groups');
  });
});
