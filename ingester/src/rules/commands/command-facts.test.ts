import { parseJobState } from '../../pipeline/job-state.js';
import { createPipelineUnderTest, type PipelineUnderTest } from '../../testing/pipeline-under-test.js';
import { readLog } from '../../testing/stored-points.js';
import type { LogMode } from '../options/log-modes.js';

const SECRET = 'hunter2';
const RUNTIMES =
  '/LOGCOMMAND {"event": {"topic": "runtimes", "data": {"step": 1, "time": 2.5, "note": "a b", "in": {"x": 1}}}}\n';

const command = (value: unknown): string => `/LOGCOMMAND ${JSON.stringify(value)}\n`;

/** The stored events: topic, data, and the fields of numbers. */
function listEvents(test: PipelineUnderTest): unknown[][] {
  return test.stored().flatMap(({ measurement, tags, fields }) => {
    if (measurement !== 'job_event') return [];
    const { data, ...numbers } = Object.fromEntries(fields);
    return [[tags.get('topic'), data, numbers]];
  });
}

/** The newest value of a field of the job's description. */
function describeJob(test: PipelineUnderTest, field: string): unknown {
  const points = test.stored().filter(({ measurement, fields }) => measurement === 'job' && fields.has(field));
  return points.at(-1)?.fields.get(field);
}

describe('a command in the output', () => {
  it.each<LogMode>(['enabled', 'metadata', 'disabled'])('stores an event, whole, in mode %s', async (mode) => {
    const test = createPipelineUnderTest({ config: { mode } });
    await test.write('stdout', RUNTIMES);
    await test.write('stderr', '/LOGCOMMAND {"event": {"topic": "a, b=c", "data": [1, "two"]}}\n');
    await test.write('stdout', '/LOGCOMMAND {"event": {"topic": "mark"}}\n');
    test.end();
    expect(listEvents(test).sort()).toEqual([
      ['a, b=c', '[1,"two"]', {}],
      ['mark', '{}', {}],
      ['runtimes', '{"step":1,"time":2.5,"note":"a b","in":{"x":1}}', { step: 1, time_: 2.5 }],
    ]);
    expect(readLog(test.stored()).filter((line) => line.includes('runtimes'))).toHaveLength(
      mode === 'metadata' ? 0 : 1
    );
  });

  it('stores an event just when it is printed, between the lines around it', async () => {
    const test = createPipelineUnderTest();
    await test.write('stdout', `before\n${RUNTIMES}after\n`);
    test.end();
    const timeOf = (text: string): bigint | undefined =>
      test.stored().find(({ fields }) => [...fields.values()].includes(text))?.timeNs;
    const event = test.stored().find(({ measurement }) => measurement === 'job_event')?.timeNs ?? 0n;
    expect(event > (timeOf('before') ?? 0n) && event < (timeOf('after') ?? 0n)).toBe(true);
  });

  it('adds tags to those of the job, also after a restart', async () => {
    const test = createPipelineUnderTest({ isResumable: true });
    test.pipeline.describe({ state: 'RUNNING', tags: { team: 'a', phase: 'one' } });
    await test.write('stdout', command({ tags: { experiment: 'foo' } }));
    expect(JSON.parse(String(describeJob(test, 'tags')))).toEqual({ team: 'a', phase: 'one', experiment: 'foo' });
    const values = test.records.flatMap(({ states }) => states.map(({ value }) => value));
    const next = createPipelineUnderTest({ isResumable: true, clock: test.clock, state: parseJobState(values) });
    await next.write('stderr', command({ tags: { phase: 'two' }, mode: 'metadata' }));
    expect(JSON.parse(String(describeJob(next, 'tags')))).toEqual({ team: 'a', phase: 'two', experiment: 'foo' });
    next.end();
  });

  it('sets the description of the job in its own words, and withholds it while a mode does', async () => {
    const test = createPipelineUnderTest({ config: { mode: 'disabled' } });
    await test.write('stdout', command({ config: { lr: 0.1, note: SECRET }, tags: { a: 'b' } }));
    expect([describeJob(test, 'config'), describeJob(test, 'tags')]).toEqual([undefined, undefined]);
    await test.write('stdout', command({ mode: 'enabled' }));
    expect([describeJob(test, 'config'), describeJob(test, 'tags')]).toEqual([
      `{"lr":0.1,"note":"${SECRET}"}`,
      '{"a":"b"}',
    ]);
    test.end();
  });

  it.each([
    [
      'an event that is no object',
      { event: SECRET },
      'event is not valid at character 22: it must be {"topic": …, "time": …, "data": …}',
    ],
    [
      'an event with more parts',
      { event: { topic: 'a', data: 1, [SECRET]: 1 } },
      'it must be {"topic": …, "time": …, "data": …}',
    ],
    ['an event without a topic', { event: { data: SECRET } }, 'its topic must be a text of 1 to 200 characters'],
    ['a topic that is too long', { event: { topic: 'x'.repeat(201) } }, 'its topic must be a text of 1 to 200'],
    [
      'a topic of Joblens',
      { event: { topic: 'state', data: SECRET } },
      'state and signal are written by Joblens alone',
    ],
    ['data that is too long', { event: { topic: 'a', data: SECRET + 'é'.repeat(33_000) } }, 'at most 65536 bytes'],
    [
      'a tag that is no text',
      { tags: { a: SECRET, b: 1 } },
      'tags is not valid at character 21: it must be an object of texts',
    ],
    ['a list of tags', { tags: [SECRET] }, 'it must be an object of texts'],
    ['a config that is no object', { config: [SECRET] }, 'config is not valid at character 23: it must be an object'],
    ['a good event with a bad option', { event: { topic: 'a' }, mode: SECRET }, 'option mode has a value at character'],
  ])('with %s changes nothing, and says why without a quote', async (_what, value, reason) => {
    const test = createPipelineUnderTest({ config: { mode: 'metadata' } });
    await test.write('stdout', command(value));
    test.end();
    expect([listEvents(test), describeJob(test, 'tags'), describeJob(test, 'config')]).toEqual([
      [],
      undefined,
      undefined,
    ]);
    expect(readLog(test.stored())).toEqual([expect.stringContaining(reason)]);
    expect(test.text()).not.toContain(SECRET);
  });

  it('has at most 100 topics in a job', async () => {
    const test = createPipelineUnderTest();
    for (let i = 0; i < 102; i += 1) await test.write('stdout', command({ event: { topic: `t${i % 101}` } }));
    test.end();
    expect(new Set(listEvents(test).map(([topic]) => topic)).size).toBe(100);
    expect(readLog(test.stored()).join('\n')).toContain('the job has events of 100 topics; there may not be more');
  });
});
