import fc from 'fast-check';
import { randomCases } from '../../../../test/random-cases.js';
import { parseJobState } from '../../pipeline/job-state.js';
import { createSecrets } from '../../secrets/secrets.js';
import { createFakeClock } from '../../testing/fake-clock.js';
import {
  createPipelineUnderTest,
  type PipelineOptions,
  type PipelineUnderTest,
} from '../../testing/pipeline-under-test.js';
import { readLog, storePoints } from '../../testing/stored-points.js';
import type { LogMode } from '../options/log-modes.js';

type Points = ReturnType<PipelineUnderTest['stored']>;

/** The clock of a test begins then. */
const NOW_S = 1_700_000_000;
const SECRET = 'hunter2-and-more';

const command = (value: unknown): string => `/LOGCOMMAND ${JSON.stringify(value)}\n`;

/** The stored spans: lane, id, name, part, start in seconds after NOW_S (µs), duration in ms, data. */
function listSpans(points: Points): unknown[][] {
  return points.flatMap(({ measurement, tags, fields, timeNs }) => {
    if (measurement !== 'job_span') return [];
    const lane = [tags.get('category') ?? '', tags.get('worker') ?? ''].join('/');
    const startS = Number(timeNs / 1000n) / 1e6 - NOW_S;
    const [id, name, part] = ['id', 'name', 'part'].map((key) => fields.get(key));
    return [[lane, id, name, part, Number(startS.toFixed(6)), fields.get('duration_ms'), fields.get('data')]];
  });
}

/** The spans of a job that prints commands, before it ends and after. */
async function log(
  commands: readonly unknown[],
  options: PipelineOptions = {}
): Promise<{ live: unknown[][]; ended: unknown[][]; notices: string[]; text: string }> {
  const test = createPipelineUnderTest(options);
  for (const value of commands) await test.write('stdout', command(value));
  const live = listSpans(test.stored());
  test.end();
  return { live, ended: listSpans(test.stored()), notices: readLog(test.stored()), text: test.text() };
}

describe('a span in the output', () => {
  it.each<LogMode>(['enabled', 'metadata', 'disabled'])('is stored whole in mode %s', async (mode) => {
    const span = {
      ...{ id: 'x-1 "(a)"', name: 'sum, b=c', category: 'com pute', worker: 'tcp://10.0.0.1:80' },
      ...{ start: NOW_S - 10, finish: '2023-11-14T22:13:12.5Z', data: { n: 1 } },
    };
    const { ended } = await log([{ span }, { span: { id: 7, start: NOW_S - 5.25, duration_s: 0.000001 } }], {
      config: { mode },
    });
    expect(ended).toEqual([
      ['com pute/tcp://10.0.0.1:80', 'x-1 "(a)"', 'sum, b=c', 'whole', -10, 2500, '{"n":1}'],
      ['/', '7', '7', 'whole', -5.25, 0.001, undefined],
    ]);
  });

  it('is open until its finish comes, which may tell more of it', async () => {
    const start = { id: 'a', name: 'load', category: 'io', start: NOW_S - 3, data: { path: 'x', n: 1 } };
    const finish = { id: 'a', category: 'io', worker: 'w1', finish: NOW_S - 1, data: { n: 2e300, bytes: 5 } };
    expect((await log([{ span: start }])).live).toEqual([
      ['io/', 'a', 'load', 'start', -3, undefined, '{"path":"x","n":1}'],
    ]);
    const { ended } = await log([{ span: start }, { span: finish }]);
    expect(ended).toEqual([['io/', 'a', 'load', 'whole', -3, 2000, '{"path":"x","n":2e+300,"bytes":5}']]);
  });

  it('is paired in either order, by category and id', async () => {
    const halves = [
      { span: { id: 'a', category: 'io', finish: NOW_S - 1 } },
      { span: { id: 'a', category: 'cpu', start: NOW_S - 2 } },
      { span: { id: 'a', category: 'io', worker: 'w', name: 'load', start: NOW_S - 3 } },
    ];
    expect((await log(halves)).ended).toEqual([
      ['io/w', 'a', 'load', 'whole', -3, 2000, undefined],
      ['cpu/', 'a', 'a', 'start', -2, undefined, undefined],
    ]);
  });

  it('keeps a finish without a start as what it is, once nothing more comes', async () => {
    const { live, ended } = await log([{ span: { id: 'a', finish: NOW_S - 1 } }]);
    expect([live, ended]).toEqual([[], [['/', 'a', 'a', 'finish', -1, undefined, undefined]]]);
  });

  it('writes only what is final where the store may keep either version', async () => {
    const start = { span: { id: 'a', start: NOW_S - 3 } };
    const whole = await log([start, { span: { id: 'a', finish: NOW_S - 1 } }], { rewrites: () => false });
    expect(whole.text.match(/^job_span,/gm)).toHaveLength(1);
    const open = await log([start], { rewrites: () => false });
    expect([open.live, open.ended.map(([, , , part]) => part)]).toEqual([[], ['start']]);
  });

  it('has the task of the job as its worker, unless it tells another', async () => {
    const { ended } = await log(
      [
        { span: { id: 'a', start: NOW_S, duration_s: 1 } },
        { span: { id: 'b', worker: 'w', start: NOW_S, duration_s: 1 } },
      ],
      { source: { job: '1', user: 'ann', task: '3' } }
    );
    expect(ended.map(([lane]) => lane).sort()).toEqual(['/3', '/w']);
  });

  it('shows no secret', async () => {
    const secrets = createSecrets([SECRET]);
    const span = { id: SECRET, name: `a ${SECRET}`, start: NOW_S, data: { pw: SECRET } };
    const { ended, text } = await log([{ span }], secrets === undefined ? {} : { secrets });
    expect(ended).toEqual([['/', '***', 'a ***', 'start', 0, undefined, '{"pw":"***"}']]);
    expect(text).not.toContain(SECRET);
  });

  it.each([
    ['no object', [SECRET], 'span is not valid at character 21: it must be an object'],
    ['more parts', { id: 1, start: NOW_S, [SECRET]: 1 }, 'it must be {"id": …, "name": …,'],
    ['no id', { start: NOW_S, name: SECRET }, 'it must have an id'],
    ['an id that is a list', { id: [SECRET], start: NOW_S }, 'its id must be a number or a text of at most 200'],
    ['a long category', { id: 1, start: NOW_S, category: 'x'.repeat(201) }, 'its category must be a number or a text'],
    ['no time', { id: 1, name: SECRET }, 'it must have a start or a finish'],
    ['a start that is no time', { id: 1, start: SECRET }, 'its start must be seconds since the epoch or an RFC 3339'],
    ['a finish that is no time', { id: 1, finish: true }, 'its finish must be seconds since the epoch or an RFC 3339'],
    ['two ends', { id: 1, start: NOW_S, finish: NOW_S, duration_s: 1 }, 'its duration_s goes with a start and without'],
    ['a negative duration', { id: 1, start: NOW_S, duration_s: -1 }, 'its duration_s must be a number of seconds'],
    ['a finish before its start', { id: 1, start: NOW_S, finish: NOW_S - 1 }, 'it finishes before it starts'],
    ['long data', { id: 1, start: NOW_S, data: SECRET + 'é'.repeat(33_000) }, 'its data is too long: as JSON'],
    ['a start before the job', { id: 1, start: NOW_S - 3601 }, 'the start of the span is more than an hour before'],
    ['a finish in the future', { id: 1, finish: NOW_S + 61 }, 'the finish of the span is in the future'],
  ])('with %s is refused with the reason, and nothing is quoted', async (_what, span, reason) => {
    const { ended, notices, text } = await log([{ span }], { config: { mode: 'metadata' } });
    expect([ended, notices]).toEqual([[], [expect.stringContaining(reason)]]);
    expect(text).not.toContain(SECRET);
  });

  it('is refused where its other half says that it ends before it starts', async () => {
    const { ended, notices } = await log([
      { span: { id: 'a', start: NOW_S } },
      { span: { id: 'a', finish: NOW_S - 1 } },
    ]);
    expect(ended).toEqual([['/', 'a', 'a', 'start', 0, undefined, undefined]]);
    expect(notices.at(-1)).toContain('the span finishes before it starts');
  });

  it('has no more lanes in a job than the store should have series', async () => {
    const spans = Array.from({ length: 4097 }, (_, i) => ({ span: { id: i, worker: i, start: NOW_S, duration_s: 0 } }));
    const test = createPipelineUnderTest();
    await test.write('stdout', spans.map(command).join(''));
    test.end();
    expect(listSpans(test.stored())).toHaveLength(4096);
    expect(readLog(test.stored()).at(-1)).toContain('spans of 4096 categories and workers; there may not be more');
  });

  it('forgets the oldest halves of too many, and says so', async () => {
    const test = createPipelineUnderTest();
    const print = (span: unknown): Promise<void> => test.write('stdout', command({ span }));
    const ids = Array.from({ length: 10_001 }, (_, i) => ({ span: { id: i, start: NOW_S - i / 1000 } }));
    await test.write('stdout', ids.map(command).join(''));
    await print({ id: 0, finish: NOW_S + 1 });
    await print({ id: 2, finish: NOW_S + 1 });
    test.end();
    const parts = listSpans(test.stored()).map(([, id, , part]) => `${String(id)} ${String(part)}`);
    expect(parts).toEqual(expect.arrayContaining(['0 start', '0 finish', '1 start', '2 whole', '3 start']));
    expect(readLog(test.stored()).filter((line) => line.startsWith('[notice]'))).toHaveLength(1);
  });

  it('is stored as without a restart, once each, wherever the ingester is killed', async () => {
    const half = fc.record({
      id: fc.constantFrom('a', 'b (1)', 'c'),
      category: fc.constantFrom('', 'io'),
      kind: fc.constantFrom('start', 'finish', 'whole'),
      dies: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(half, { maxLength: 20 }), async (steps) => {
        const spans = steps.map(({ id, category, kind, dies }, i) => {
          const times = { start: { start: NOW_S - 60 + i }, finish: { finish: NOW_S - 30 + i } };
          const whole = { ...times.start, duration_s: i };
          return { dies, text: command({ span: { id, category, ...(kind === 'whole' ? whole : times[kind]) } }) };
        });
        expect(await playSpans(spans)).toEqual(await playSpans(spans.map((span) => ({ ...span, dies: false }))));
      }),
      { numRuns: randomCases(100) }
    );
  });
});

/** What is stored of a job whose ingester is killed after some of the commands, and goes on. */
async function playSpans(
  spans: ReadonlyArray<{ readonly text: string; readonly dies: boolean }>
): Promise<unknown[][]> {
  const clock = createFakeClock();
  let test = createPipelineUnderTest({ isResumable: true, clock });
  const [texts, values]: [string[], string[]] = [[], []];
  const collect = (): void => {
    texts.push(test.text());
    values.push(...test.records.flatMap(({ states }) => states.map(({ value }) => value)));
  };
  for (const { text, dies } of spans) {
    await test.write('stdout', text);
    test.pipeline.commit();
    if (!dies) continue;
    collect();
    const state = parseJobState(values);
    test = createPipelineUnderTest({ isResumable: true, clock, ...(state && { state }) });
  }
  test.end();
  collect();
  return listSpans(storePoints(texts.join('')));
}

describe('an event with a time of its own', () => {
  const timesOf = async (commands: readonly unknown[]): Promise<{ times: number[]; notices: string[] }> => {
    const test = createPipelineUnderTest();
    for (const value of commands) await test.write('stdout', command(value));
    test.end();
    const events = test.stored().filter(({ measurement }) => measurement === 'job_event');
    const times = events.map(({ timeNs }) => Number((Number(timeNs / 1000n) / 1e6 - NOW_S).toFixed(6)));
    return { times, notices: readLog(test.stored()).filter((line) => line.startsWith('[notice]')) };
  };

  it('is stored at it, also several at once', async () => {
    const events = [NOW_S - 10.123456, NOW_S - 10.123456, '2023-11-14T22:13:19.5Z', NOW_S - 10.123456];
    const { times } = await timesOf(events.map((time) => ({ event: { topic: 'a', time } })));
    expect(times).toEqual([-10.123456, -10.123456, -10.123456, -0.5]);
  });

  it('has the time that a transition of Dask tells, if the job lived then', async () => {
    const tell = (...data: unknown[]): unknown => ({ event: { topic: 'transitions', data } });
    const { times } = await timesOf([
      tell('inc-1', 'waiting', 'processing', {}, 'task-2', NOW_S - 7.5),
      tell('inc-1', 'processing', 'memory', {}, NOW_S - 6.5),
      tell('inc-1', 'memory', 'released', {}, 'task-3', 302.5),
      tell('inc-1', NOW_S - 5),
    ]);
    expect(times).toEqual([-7.5, -6.5, expect.closeTo(0, 4), expect.closeTo(0, 4)]);
  });

  it.each([
    ['before the life of the job', NOW_S - 3601, 'the time of the event is more than an hour before the job'],
    ['in the future', NOW_S + 61, 'the time of the event is in the future'],
    ['that is none', 'yesterday', 'its time must be seconds since the epoch or an RFC 3339 text'],
  ])('%s is refused with the reason', async (_what, time, reason) => {
    const { times, notices } = await timesOf([{ event: { topic: 'a', time } }]);
    expect([times, notices]).toEqual([[], [expect.stringContaining(reason)]]);
  });

  it('may be of the life of a job that began before its log', async () => {
    const test = createPipelineUnderTest();
    test.pipeline.describe({ startedMs: (NOW_S - 86_400) * 1000 });
    await test.write('stdout', command({ event: { topic: 'a', time: NOW_S - 86_400 - 3600 } }));
    test.end();
    expect(test.stored().filter(({ measurement }) => measurement === 'job_event')).toHaveLength(1);
  });
});
