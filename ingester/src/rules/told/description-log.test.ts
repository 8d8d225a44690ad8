import type { JobDescription } from '@joblens/core/schema/job-point';
import { parseJobState } from '../../pipeline/job-state.js';
import { createPipelineUnderTest, type PipelineUnderTest } from '../../testing/pipeline-under-test.js';
import type { LogMode } from '../options/log-modes.js';

const SECRET = 'hunter2';
const START: JobDescription = {
  ...{ name: 'train', state: 'RUNNING', command: `./train --token ${SECRET}`, workdir: `/home/ann/${SECRET}` },
  ...{ host: 'node7', nodes: 2, queue: 'gpu', startedMs: 1000, config: '{"lr":1}', tags: { team: 'a' } },
};
const END: JobDescription = { state: 'COMPLETED', exitCode: 0, endedMs: 2000 };
const OPEN = ['config', 'exit_code', 'ended', 'host', 'name', 'nodes', 'queue', 'started', 'state', 'tags'];

const set = (mode: LogMode): string => `/LOGCOMMAND {"mode": "${mode}"}\n`;

/** The names of all fields of the job's points, in order. */
const listFields = (test: PipelineUnderTest): string[] => {
  const points = test.stored().filter(({ measurement }) => measurement === 'job');
  return [...new Set(points.flatMap(({ fields }) => [...fields.keys()]))].sort();
};

describe('what is said of a job', () => {
  it.each<[string, LogMode, readonly string[], readonly string[]]>([
    ['all where all is logged', 'enabled', [], [...OPEN, 'command', 'workdir']],
    ['no command and no folder where only metadata is', 'metadata', [], OPEN],
    ['the state alone of a job that starts disabled', 'disabled', [], ['state']],
    ['the rest once it is enabled', 'disabled', [set('enabled')], [...OPEN, 'command', 'workdir']],
    [
      'the rest once it is enabled for a while',
      'disabled',
      [set('enabled') + set('disabled')],
      [...OPEN, 'command', 'workdir'],
    ],
    ['as much as metadata mode allows once that is on', 'disabled', [set('metadata')], OPEN],
    ['in two steps', 'disabled', [set('metadata'), set('enabled')], [...OPEN, 'command', 'workdir']],
  ])('is %s', async (_what, mode, output, fields) => {
    const test = createPipelineUnderTest({ config: { mode } });
    test.pipeline.describe(START);
    test.pipeline.changeState({ origin: 'job', toState: 'RUNNING', data: { reason: SECRET } });
    for (const text of output) await test.write('stdout', text);
    test.pipeline.describe(END);
    test.end();
    expect(listFields(test)).toEqual([...fields].sort());
    expect(test.text().includes(SECRET)).toBe(mode !== 'disabled' || fields.includes('command'));
  });

  it('follows also after a restart, and until then stands nowhere', async () => {
    const test = createPipelineUnderTest({ config: { mode: 'disabled' }, isResumable: true });
    test.pipeline.describe(START);
    await test.write('stdout', 'x\n');
    test.pipeline.commit();
    const values = test.records.flatMap(({ states }) => states.map(({ value }) => value));
    expect(values.join()).not.toMatch(/hunter2|node7|"lr"/);
    const next = createPipelineUnderTest({ isResumable: true, clock: test.clock, state: parseJobState(values) });
    await next.write('stdout', set('enabled'));
    next.end();
    expect(listFields(next)).toEqual(['name', 'nodes', 'queue', 'started', 'tags']);
  });
});
