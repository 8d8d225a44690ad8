import {
  AbstractLabelOperator,
  type DataFrame,
  type DataQueryResponse,
  type DataSourceInstanceSettings,
  EventBusSrv,
  LoadingState,
  type PanelProps,
  SupplementaryQueryType,
} from '@grafana/data';
import { setBackendSrv, setTemplateSrv } from '@grafana/runtime';
import type { ResultSeries } from '@joblens/core/influxql/response';
import { formatRfc3339Nano } from '@joblens/core/point/timestamp';
import { render, screen } from '@testing-library/react';
import React from 'react';
import { lastValueFrom, of, take, toArray } from 'rxjs';
import { JoblensDataSource } from '../src/datasource/datasource.js';
import { plugin as dataSourcePlugin } from '../src/datasource/module.js';
import { JoblensPanel } from '../src/panel/JoblensPanel.js';
import { DEFAULT_OPTIONS, type PanelOptions } from '../src/panel/options.js';
import { createLogFrame, createTableFrame } from '../src/views/testing/frames.js';
import { type Answer, createBackend, createResults } from './fake-backend.js';
import { createTemplates } from './fake-templates.js';
import * as host from './grafana-9.5-host.js';

// jsdom has no canvas.
jest.mock('../src/views/graph/components/Plot.js', () => ({ Plot: () => null }));

const FROM_MS = 1_700_000_000_000;
const RANGE = host.createRange(FROM_MS, FROM_MS + 60_000);
const at = (offsetNs: number): string => formatRfc3339Nano(BigInt(FROM_MS) * 1_000_000n + BigInt(offsetNs));

const LINES: ResultSeries = {
  name: 'job_log',
  columns: ['time', 'line', 'ansi', 'kind', 'part', 'stream', 'task', 'job', 'user'],
  values: [at(2000), at(1000)].map((time) => [time, 'hello', null, 'output', null, 'stdout', null, '7', 'ann']),
};
const JOBS: ResultSeries = { name: 'job', columns: ['key', 'value'], values: [['job', '7']] };
const HEARTBEATS: ResultSeries = {
  name: 'job_heartbeat',
  columns: ['time', 'job', 'user', 'state', 'started'],
  values: [[at(0), '7', 'ann', 'RUNNING', null]],
};

/** What Grafana 9.5 does when a dashboard needs the data source: no arguments but the settings. */
function open(answer: (q: string) => Answer): {
  sent: ReturnType<typeof createBackend>['sent'];
  source: JoblensDataSource;
} {
  const backend = createBackend(answer);
  setBackendSrv(backend as never);
  setTemplateSrv(createTemplates({ job: '7' }) as never);
  const settings = { url: '/ds', name: 'Joblens', uid: 'joblens', type: 'joblens-datasource', jsonData: {} };
  const source = host.instantiate(JoblensDataSource, settings as unknown as DataSourceInstanceSettings<never>);
  source.components = dataSourcePlugin.components as never;
  return { sent: backend.sent, source };
}

const logs = (): Answer => createResults([LINES]);

describe('as Grafana 9.5 calls it, the data source', () => {
  it('is made from its settings alone', () => {
    expect(open(logs).source.getRef()).toEqual({ type: 'joblens-datasource', uid: 'joblens' });
  });

  it('answers a panel, whose request has no filters and no app', async () => {
    const { sent, source } = open(logs);
    const [frame] = await host.readFrames(
      host.runPanelQueries(source, [{ refId: 'A', queryType: 'logs', job: '$job' }], RANGE)
    );
    expect(sent[0]?.q).toContain(`"job" = '7'`);
    expect(frame?.length).toBe(2);
  });

  it('takes its default for a query that was only added: metadata of nobody, until a job is named', async () => {
    const { sent, source } = open(() => createResults([]));
    await lastValueFrom(host.runPanelQueries(source, [{ refId: 'A' }], RANGE));
    expect(sent).toEqual([]);
    await lastValueFrom(host.runPanelQueries(source, [{ refId: 'A', queryType: 'metadata', job: '7' }], RANGE));
    expect(sent[0]?.q).toContain('"job_series"');
  });

  it.each([[{ refId: 'v', query: 'jobs' }], ['jobs']])('fills a variable saved as %p', async (saved) => {
    const { source } = open(() => createResults([HEARTBEATS]));
    expect(await host.updateVariable(source, saved, RANGE)).toEqual([{ text: '7', value: '7' }]);
  });

  it('runs in Explore, whose queries are frozen', async () => {
    const { source } = open(logs);
    const request = host.createExploreRequest([{ refId: 'A', queryType: 'logs', stream: 'both', key: 'Q-1' }], RANGE);
    const [frame] = await host.readFrames(host.runExplore(source, request));
    expect(host.createLogRow(frame as DataFrame, 0)).toMatchObject({ entry: 'hello', timeEpochNs: `${FROM_MS}001000` });
  });

  it('reports an error in the one place where 9.5 looks', async () => {
    const { source } = open(() => ({ status: 502 }));
    const answer = await lastValueFrom(
      host.runPanelQueries(source, [{ refId: 'A', queryType: 'logs', job: '7' }], RANGE)
    );
    expect((answer as DataQueryResponse & { error?: { message?: string } }).error?.message).toMatch(
      /cannot be reached/
    );
  });
});

describe('as Grafana 9.5 calls them, annotations', () => {
  const ended: ResultSeries = {
    name: 'job',
    tags: { job: '7', user: 'ann' },
    columns: ['time', 'name', 'state', 'started', 'ended'],
    values: [[at(0), 'train <b>', 'COMPLETED', FROM_MS, FROM_MS + 5000]],
  };

  it('are regions from the start of a job to its end, before anything is chosen', async () => {
    const { source } = open(() => createResults([ended], [], [], []));
    expect(await host.executeAnnotationQuery(source, { name: 'Jobs', enable: true }, RANGE)).toMatchObject([
      {
        time: FROM_MS,
        timeEnd: FROM_MS + 5000,
        text: 'Job 7 (train &lt;b&gt;): COMPLETED',
        tags: ['COMPLETED', 'ann'],
        id: '7/ann',
      },
    ]);
  });

  it.each([
    [{ queryType: 'events', event: 'notices', job: '$job' }, `"kind" = 'notice'`],
    [{ queryType: 'events', event: 'lines', text: 'a.b', limit: 2 }, String.raw`"line" =~ /a\.b/`],
  ])('are lines of a log: %p', async (target, condition) => {
    const { sent, source } = open(logs);
    const events = await host.executeAnnotationQuery(
      source,
      { name: 'x', target: { refId: 'Anno', ...target } },
      RANGE
    );
    expect(events.map(({ text, time }) => [text, time])).toEqual([
      ['hello', FROM_MS],
      ['hello', FROM_MS],
    ]);
    expect(sent[0]?.q).toContain(condition);
    expect(sent[0]?.q).toMatch(/LIMIT (?:101|3)$/);
  });

  it('made for the core data source run as InfluxQL', async () => {
    const { sent, source } = open(() => createResults([]));
    await host.executeAnnotationQuery(source, { name: 'x', query: 'SELECT a FROM b WHERE $timeFilter' }, RANGE);
    expect(sent[0]?.q).toMatch(/^SELECT a FROM b WHERE time >= /);
  });
});

describe('as Grafana 9.5 calls them, ad hoc filters', () => {
  it('offer keys and values', async () => {
    const { sent, source } = open(() => createResults([JOBS]));
    expect(await host.listAdHocChoices(source, 'job')).toEqual({
      keys: ['job', 'user', 'task', 'stream', 'series'],
      values: ['7'],
    });
    expect(sent.map(({ q }) => /^SHOW TAG VALUES|"job_heartbeat"/.exec(q)?.[0])).toEqual([
      '"job_heartbeat"',
      'SHOW TAG VALUES',
    ]);
  });

  it('offer the jobs of the last week where they have heartbeats', async () => {
    const heartbeats = {
      name: 'job_heartbeat',
      columns: ['time', 'job', 'user'],
      values: [['2023-11-14T22:10:00Z', '9', 'ann']],
    };
    const { sent, source } = open(() => createResults([heartbeats]));
    expect(await host.listAdHocChoices(source, 'job')).toMatchObject({ values: ['9'] });
    expect(sent.map(({ q }) => q)).toEqual([expect.stringMatching(/time >= .* time < .* LIMIT 1000$/)]);
  });

  it("offer the values of the dashboard's range, which the template service knows", async () => {
    const { sent } = open(() => createResults([JOBS]));
    setTemplateSrv(createTemplates({ __from: '1700000000000', __to: '1700000060000' }) as never);
    const ranged = new JoblensDataSource({ url: '/ds', name: 'Joblens', jsonData: {} } as never);
    await host.listAdHocChoices(ranged, 'job');
    // Ten minutes earlier: a job that lives has a point at least so often.
    const range = `time >= '2023-11-14T22:03:20Z' AND time <= '2023-11-14T22:14:20Z'`;
    expect(sent.at(-1)?.q).toContain(range);
  });

  it('come from the template service, whose method needs its object', async () => {
    const { sent, source } = open(logs);
    const templates = {
      ...createTemplates({}),
      filters: [{ key: 'user', operator: '!=', value: "o'hara" }],
      getAdhocFilters(this: { filters: unknown }, name: string) {
        return name === 'Joblens' ? this.filters : [];
      },
    };
    setTemplateSrv(templates as never);
    const filtered = new JoblensDataSource({ url: '/ds', name: 'Joblens', jsonData: {} } as never);
    await lastValueFrom(host.runPanelQueries(filtered, [{ refId: 'A', queryType: 'logs', job: '7' }], RANGE));
    expect(source.name).toBe('Joblens');
    expect(sent[0]?.q).toContain(String.raw`AND "user" != 'o\'hara'`);
  });
});

describe('as Grafana 9.5 calls it in Explore, the data source', () => {
  const query = { refId: 'A', queryType: 'logs', stream: 'both', datasource: { type: 'joblens-datasource' } };

  it('shows the lines around one, without that one', async () => {
    const { sent, source } = open(logs);
    const [frame] = await host.readFrames(host.runExplore(source, host.createExploreRequest([query], RANGE)));
    const row = host.createLogRow(frame as DataFrame, 1);
    const { after, before } = await host.getRowContexts(source, row, query, 5);
    const [, older, newer] = sent.map(({ q }) => q);
    expect(older).toMatch(/"job" = '7'.* ORDER BY time DESC LIMIT 7$/);
    expect(newer).toMatch(/time >= .* ORDER BY time ASC LIMIT 7$/);
    // The fake store answers alike: of its two lines, one is earlier than the row, and one is the row itself.
    expect(before).toEqual(['hello']);
    expect(after).toEqual([]);
  });

  it('shows as many lines before one as Grafana asks for, so that it offers more', async () => {
    const times = Array.from({ length: 40 }, (_, line) => at(1_000_000 * (40 - line)));
    const lines = times.map((time) => [time, `line at ${time}`, ...(LINES.values[0] ?? []).slice(2)]);
    // As the store answers: the newest first, so many as the statement says.
    const answer = (q: string): Answer =>
      createResults([{ ...LINES, values: lines.slice(0, Number(/LIMIT (\d+)$/.exec(q)?.[1] ?? 40)) }]);
    const { source } = open(answer);
    const [frame] = await host.readFrames(host.runExplore(source, host.createExploreRequest([query], RANGE)));
    // Asks for the newest line. The statement finds that line, too.
    const { before } = await host.getRowContexts(source, host.createLogRow(frame as DataFrame, 39), query, 10);
    expect(before).toEqual(lines.slice(1, 11).map(([, text]) => text));
  });

  it('gives the volume over the whole range, one series a stream', async () => {
    const counts: ResultSeries = {
      name: 'job_log',
      tags: { stream: 'stderr' },
      columns: ['time', 'rows', 'parts'],
      values: [[at(0), 5, 1]],
    };
    const { sent, source } = open(() => createResults([counts]));
    const request = host.createExploreRequest([query, { refId: 'B', queryType: 'jobs' }], RANGE);
    const answers = host.getSupplementaryQueryProvider(source, SupplementaryQueryType.LogsVolume, request);
    const answer = await lastValueFrom(answers ?? of(undefined));
    const [frame] = (answer?.data ?? []) as DataFrame[];
    expect(frame?.meta?.custom).toMatchObject({
      logsVolumeType: 'FullRange',
      absoluteRange: { from: FROM_MS, to: FROM_MS + 60_000 },
      targets: request.targets,
    });
    expect(frame?.fields.map(({ values }) => values as unknown[])).toEqual([[FROM_MS], [4]]);
    expect(sent).toHaveLength(1);
    expect(sent[0]?.q).toMatch(/GROUP BY time\(1s\), "stream" fill\(0\.0\)$/);
    // A named colour is one only as `fixedColor`: anywhere else the drawing fails.
    const config = frame?.fields[1]?.config;
    expect(config?.color).toEqual({ mode: 'fixed', fixedColor: 'orange' });
    expect(Object.keys(config?.custom as object).filter((name) => name.endsWith('Color'))).toEqual([]);
    expect(host.getSupplementaryQueryProvider(source, SupplementaryQueryType.LogsSample, request)).toBeUndefined();
  });

  it.each([
    ['ADD_FILTER', 'stream', 'stderr', `"stream" = 'stderr'`],
    ['ADD_FILTER_OUT', 'task', 'node/1', `"task" != 'node/1'`],
    [
      'ADD_FILTER_OUT',
      'severity',
      'debug',
      String.raw`"line" !~ /(?:)(?:(?:^|[\s[(<|:])(?:DEBUG|TRACE)(?:$|[\s\])>|:]))|`,
    ],
    ['ADD_STRING_FILTER', '', 'a+/b', String.raw`"line" =~ /a\+\/b/`],
  ])('filters by a click: %s %s', async (type, key, value, condition) => {
    const { sent, source } = open(logs);
    const filtered = host.modifyQuery(source, query, type, key, value);
    await lastValueFrom(host.runExplore(source, host.createExploreRequest([filtered as never], RANGE)));
    expect(sent[0]?.q).toContain(`AND ${condition}`);
    expect(host.modifyQuery(source, filtered as never, type, key, value)).toMatchObject({ filters: [] });
  });

  it('keeps asking while it is live, each answer in place of the one before, until nobody listens', async () => {
    const { sent, source } = open(logs);
    const answers = host.runExplore(source, host.createExploreRequest([query], RANGE, true));
    const received = await lastValueFrom(answers.pipe(take(2), toArray()));
    expect(received.map(({ key, state }) => [key, state])).toEqual([
      ['explore_left', 'Streaming'],
      ['explore_left', 'Streaming'],
    ]);
    expect(sent).toHaveLength(2);
    await new Promise((resolve) => setTimeout(resolve, 1200));
    expect(sent).toHaveLength(2);
  });

  it('takes over queries of the core data source', async () => {
    const { source } = open(logs);
    const built = {
      refId: 'B',
      measurement: 'job_metadata',
      policy: 'default',
      select: [
        [
          { type: 'field', params: ['loss::field'] },
          { type: 'mean', params: [] },
          { type: 'math', params: [' * 2'] },
          { type: 'alias', params: ['l "x"'] },
        ],
      ],
      tags: [
        { key: 'job', operator: '=', value: "it's" },
        { key: 'user', condition: 'OR', operator: '=~', value: '/^$user$/' },
      ],
      groupBy: [
        { type: 'time', params: ['$__interval'] },
        { type: 'tag', params: ['series::tag'] },
        { type: 'fill', params: ['null'] },
      ],
      limit: '10',
    };
    const written = { refId: 'A', rawQuery: true, query: 'SHOW DATABASES' };
    const imported = await host.importQueries(source, [written, built], { type: 'influxdb' });
    expect(imported).toMatchObject([
      { refId: 'A', queryType: 'influxql', rawQuery: 'SHOW DATABASES', datasource: { uid: 'joblens' } },
      {
        refId: 'B',
        queryType: 'influxql',
        rawQuery: [
          String.raw`SELECT mean("loss"::field) * 2 AS "l \"x\"" FROM "job_metadata"`,
          String.raw`WHERE ("job" = 'it\'s' OR "user" =~ /^$user$/) AND $timeFilter`,
          'GROUP BY time($__interval), "series"::tag fill(null) LIMIT 10',
        ].join(' '),
      },
    ]);
    expect(await host.importQueries(source, [written], { type: 'graphite' })).toEqual([]);
  });

  it('takes over queries by labels', async () => {
    const labelMatchers = [{ name: 'job', operator: AbstractLabelOperator.EqualRegEx, value: 'a.*' }];
    expect(await open(logs).source.importFromAbstractQueries([{ refId: 'A', labelMatchers }])).toEqual([
      { refId: 'A', queryType: 'logs', stream: 'both', filters: [{ key: 'job', operator: '=~', value: 'a.*' }] },
    ]);
  });
});

describe('as Grafana 9.5 draws it, the panel', () => {
  const size = { clientHeight: 400, clientWidth: 800 };

  beforeAll(() => {
    for (const [name, value] of Object.entries(size))
      Object.defineProperty(HTMLElement.prototype, name, { configurable: true, get: () => value });
    Object.defineProperty(HTMLElement.prototype, 'offsetHeight', {
      configurable: true,
      get(this: HTMLElement) {
        return this.dataset['index'] === undefined ? size.clientHeight : 18;
      },
    });
  });

  /** dashboard/dashgrid/PanelStateWrapper.tsx: these props and no others. */
  function draw(frames: readonly DataFrame[], views: PanelOptions['views']): void {
    const props = {
      id: 1,
      data: { series: frames.map(host.toVectorFrame), state: LoadingState.Done, timeRange: RANGE },
      title: '',
      timeRange: RANGE,
      timeZone: 'utc',
      options: host.deepFreeze({ ...DEFAULT_OPTIONS, views }),
      fieldConfig: { defaults: {}, overrides: [] },
      transparent: false,
      ...{ width: size.clientWidth, height: size.clientHeight, renderCounter: 0 },
      replaceVariables: (text: string) => text,
      ...{ onOptionsChange: () => undefined, onFieldConfigChange: () => undefined, onChangeTimeRange: () => undefined },
      eventBus: new EventBusSrv(),
    };
    render(<JoblensPanel {...(props as unknown as PanelProps<PanelOptions>)} />);
  }

  it('shows a log of Vector values', async () => {
    draw([createLogFrame([{ text: 'hello' }])], ['log']);
    expect(await screen.findByText('hello')).toBeTruthy();
  });

  it('shows a table of Vector values', async () => {
    draw([createTableFrame({ rows: [{ epoch: 1, note: 'a cell' }] })], ['table']);
    expect(await screen.findByText('a cell')).toBeTruthy();
  });

  it('shows a graph of Vector values', async () => {
    draw(
      [
        createTableFrame({
          rows: [
            { epoch: 1, loss: 2 },
            { epoch: 2, loss: 1 },
          ],
        }),
      ],
      ['graph']
    );
    expect(await screen.findByRole('region', { name: 'Graph of loss against epoch' })).toBeTruthy();
  });
});
