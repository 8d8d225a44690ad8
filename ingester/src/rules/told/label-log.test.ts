import type { Point } from '@joblens/core/point/point';
import { encodeLabelText } from '@joblens/core/schema/label-point';
import { parseJobState } from '../../pipeline/job-state.js';
import { createSecrets } from '../../secrets/secrets.js';
import { createPipelineUnderTest, type PipelineUnderTest } from '../../testing/pipeline-under-test.js';
import { readLog } from '../../testing/stored-points.js';
import type { LogMode } from '../options/log-modes.js';

const NAMES = { experiment: 'sweep (a-1)', 'a.b "c"': "it's = x, y\\", empty: '' };
const START = { name: 'train', state: 'RUNNING', startedMs: 1_700_000_000_000 };

const labelsOf = (test: PipelineUnderTest): Point[] =>
  test.stored().filter(({ measurement }) => measurement === 'job_label');
const show = ({ tags, fields }: Point): readonly unknown[] => [tags.get('key'), tags.get('value'), fields.get('job')];
const tell = (tags: Record<string, string>): string => `/LOGCOMMAND ${JSON.stringify({ tags })}\n`;

describe('the labels of a job', () => {
  it('are one point a tag, with odd names, on the day of its start', () => {
    const test = createPipelineUnderTest({ source: { job: 'run "1"', user: 'ann' } });
    test.pipeline.describe({ ...START, tags: NAMES });
    test.end();
    const labels = labelsOf(test);
    expect(labels.map(show)).toEqual(
      Object.entries(NAMES).map(([key, value]) => [encodeLabelText(key), encodeLabelText(value), 'run "1"'])
    );
    const days = labels.map(({ timeNs }) => new Date(Number(timeNs / 1_000_000n)).toISOString().slice(0, 10));
    expect(new Set(days)).toEqual(new Set(['2023-11-14']));
  });

  it('are written again as the same points, by another task and after a restart', async () => {
    const first = createPipelineUnderTest({ isResumable: true });
    first.pipeline.describe({ ...START, tags: NAMES });
    first.pipeline.commit();
    const state = parseJobState(first.records.flatMap(({ states }) => states.map(({ value }) => value)));
    const next = createPipelineUnderTest({ isResumable: true, clock: first.clock, state });
    next.pipeline.describe({ ...START, tags: NAMES });
    await next.write('stdout', tell({ seed: '1' }));
    next.end();
    expect(labelsOf(next).map(show)).toEqual([['seed', '1', '1']]);
    const [other] = labelsOf(next);
    expect(other?.timeNs).toBe(labelsOf(first)[0]?.timeNs);

    const task = createPipelineUnderTest({ source: { job: '1', user: 'ann', task: '7' } });
    task.pipeline.describe({ ...START, startedMs: START.startedMs + 60_000, tags: NAMES });
    task.end();
    expect(labelsOf(task)).toEqual(labelsOf(first));
  });

  it('of a tag that changes name the job no more', async () => {
    const test = createPipelineUnderTest();
    test.pipeline.describe({ ...START, tags: { phase: 'warm-up', model: 'a' } });
    await test.write('stdout', tell({ phase: 'main (2)' }));
    test.end();
    expect(labelsOf(test).map(show)).toEqual([
      ['phase', 'warm-up', ''],
      ['model', 'a', '1'],
      ['phase', 'main (2)', '1'],
    ]);
  });

  it.each<[LogMode, readonly string[], number]>([
    ['enabled', [], 1],
    ['metadata', [], 1],
    ['disabled', [], 0],
    ['disabled', ['/LOGCOMMAND {"mode": "metadata"}\n'], 1],
  ])('follow the mode as tags do: %s %j', async (mode, output, count) => {
    const test = createPipelineUnderTest({ config: { mode } });
    test.pipeline.describe({ ...START, tags: { model: 'hunter2' } });
    for (const text of output) await test.write('stdout', text);
    test.end();
    expect(labelsOf(test)).toHaveLength(count);
    expect(test.text().includes('hunter2')).toBe(count > 0);
  });

  it('have secrets masked, also where a long value is cut', () => {
    const test = createPipelineUnderTest({ secrets: createSecrets(['Zk9/Qw+4-_x==']) });
    test.pipeline.describe({ ...START, tags: { model: `${'x'.repeat(192)}Zk9/Qw+4-_x==`, 'Zk9/Qw+4-_x==': 'a' } });
    test.end();
    expect(labelsOf(test)).toHaveLength(2);
    expect(test.text()).not.toContain('Zk9/');
  });

  it('are at most 1,000, and a notice says why a tag is refused', async () => {
    const test = createPipelineUnderTest();
    test.pipeline.describe({ ...START, tags: { model: 'a' } });
    const steps = Array.from({ length: 1001 }, (_, step) => tell({ step: String(step) }));
    await test.write('stdout', steps.join('') + tell({ step: '998' }));
    test.end();
    const labels = labelsOf(test).map(show);
    expect(labels).toHaveLength(1000);
    expect(labels.filter(([, , job]) => job === '1')).toEqual([
      ['model', 'a', '1'],
      ['step', '998', '1'],
    ]);
    expect(readLog(test.stored()).filter((line) => line.startsWith('[notice]'))).toEqual(
      Array(2).fill(
        '[notice] (joblens: the command above was not obeyed: a job may have 1000 tags, and changes of tags, in all)'
      )
    );
  });
});
