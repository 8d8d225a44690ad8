import {
  applyFieldOverrides,
  createTheme,
  type DataFrame,
  type DataQueryRequest,
  type DataSourceInstanceSettings,
  dateTime,
  EventBusSrv,
  getFieldDisplayName,
  type ScopedVars,
} from '@grafana/data';
import type { ResultSeries, ResultValue } from '@joblens/core/influxql/response';
import { formatRfc3339Nano } from '@joblens/core/point/timestamp';
import { cleanup, render } from '@testing-library/react';
import React from 'react';
import { lastValueFrom, of } from 'rxjs';
import { JoblensDataSource } from '../src/datasource/datasource.js';
import type { JoblensOptions } from '../src/datasource/types.js';
import type { JoblensQuery } from '../src/query-types/parts/query-type.js';
import { VIEWS } from '../src/registry/registry.js';
import { createHoverHub } from '../src/views/parts/hover.js';
import { defineSizes } from '../src/views/testing/log-panel.js';
import type { View, ViewProps } from '../src/views/view.js';
import { createBackend, createResults } from './fake-backend.js';
import { createTemplates } from './fake-templates.js';

const NOW_MS = 1_700_000_000_000;
const START_MS = NOW_MS - 3_600_000;
const toTime = (timeMs: number): string => formatRfc3339Nano(BigInt(timeMs) * 1_000_000n);

/** What anybody may write into a store as the name or the text of anything. */
const TEXTS: Readonly<Record<string, string>> = {
  'a tag of HTML': '<img src=x onerror="window.hacked = 1"><script>window.hacked = 1</script>',
  'a variable': '$secret ${secret} [[secret]] ${__org.name} ${__user.login} ${__value.raw} ${__data.fields.user}',
  'an address that runs': 'javascript:window.hacked=1//',
  'a path out': '../../../../etc/passwd?orgId=2&var-job=b#x',
  controls: '\u001b]0;owned\u0007\u001b[2J\u0000\u009b31m\r\n\t\u2028',
  'a turn of direction': '\u202egnp.exe\u2066\u200f',
  'a lone surrogate': 'a\ud800b\udc00',
  'a very long text': 'ab漢a\u0301 '.repeat(4000),
  'no text': '',
  'a name of objects': '__proto__',
  'a method of objects': 'constructor',
  'another one': 'toString',
  'a text that is no number': 'NaN',
  'JSON of any kind': '{"__proto__":{"polluted":1},"constructor":null,"a":[[[{}]]]}',
  'JSON that is nested too deep': `${'[{"a":'.repeat(3000)}1`,
  'quotes and escapes': `'"\\\`\\n%00%s{{x}}`,
};

const NUMBERS: ReadonlySet<string> = new Set(
  ...[
    [
      ...'progress remaining_s nodes exit_code requested_cpus requested_gpus requested_memory time_limit_s used_memory submitted started ended part rows first count wait_s runtime_s node_s cpu_s gpu_s cpus gpus number'.split(
        ' '
      ),
    ],
  ]
);

interface Writer {
  /** One row, or one series, has each of these. */
  readonly texts: readonly string[];
  /** Where a number belongs, it writes one. */
  readonly isTyped: boolean;
}

/** The columns that a statement asks for, or some for a wildcard. */
function listColumns(statement: string): readonly string[] {
  const [, list = ''] = /^SELECT (.*?) FROM/s.exec(statement) ?? [];
  const names = list
    .split(/, (?=(?:[^"]*"[^"]*")*[^"]*$)/)
    .map((column) => /"((?:[^"\\]|\\.)*)"\)?$/.exec(column)?.[1] ?? column);
  return names.map((name) => name.replace(/\(.*/, ''));
}

/** The data of an event of Joblens, or of a transition of a task. */
function createData(text: string): string {
  const signal = { name: text, severity: text, message: text, place: text };
  const recommendations = Object.fromEntries([[text, { toString: 1, valueOf: text }]]);
  return JSON.stringify({ ...signal, key: 'k', start: text, finish: text, recommendations, stimulus_id: text });
}

/** Rows with these texts in every column, and series with them in every tag that a statement asks for. */
function answer(statement: string, { texts, isTyped }: Writer): ResultSeries[] {
  const [, name] = /FROM "(\w+)"/.exec(statement) ?? [];
  if (statement.startsWith('SHOW')) {
    const columns = statement.startsWith('SHOW TAG VALUES') ? ['key', 'value'] : ['name'];
    const values = texts.map((text) => columns.map((column) => (column === 'key' ? 'job' : text)));
    return [{ name: name ?? 'x', columns, values }];
  }
  if (name === undefined) return [];
  const columns = listColumns(statement);
  const createRow = (text: string, at: number): ResultSeries['values'][number] => {
    const createCell = (column: string): ResultValue => {
      if (column === 'keys') return JSON.stringify([text, 'n', '__proto__']);
      if (column === 'stats') return null;
      if (column === 'data' && isTyped) return createData(text);
      return isTyped && NUMBERS.has(column) ? START_MS : text;
    };
    return [toTime(NOW_MS - 1000 * (at + 1)), ...columns.map(createCell)];
  };
  const [, grouped = ''] = / GROUP BY (.*?)(?: ORDER| LIMIT| fill|$)/.exec(statement) ?? [];
  const tags = [...grouped.matchAll(/"(\w+)"/g)].flatMap(([, tag]) => tag ?? []);
  const rows = { name, columns: ['time', ...columns] };
  if (tags.length === 0) return [{ ...rows, values: texts.map(createRow) }];
  return texts.map((text, at) => ({
    ...{ ...rows, values: [createRow(text, at)] },
    // A literal would set the prototype.
    tags: Object.fromEntries(tags.map((tag) => [tag, text])),
  }));
}

/** A job of that name, or of another where it has none. */
const QUERIES: Readonly<Record<string, (name: string) => object>> = {
  'a job': (job) => ({ queryType: 'jobs', job: job || '7' }),
  'jobs of a range': () => ({ queryType: 'jobs' }),
  'a log': (job) => ({ queryType: 'logs', job: job || '7', stream: 'both' }),
  'the volume of a log': (job) => ({ queryType: 'volume', job: job || '7' }),
  tables: (job) => ({ queryType: 'metadata', job: job || '7' }),
  rows: (job) => ({ queryType: 'metadata', job: job || '7', limit: 10 }),
  events: () => ({ queryType: 'events', event: 'all' }),
  'events of a topic': (topic) => ({ queryType: 'events', event: 'all', topics: [topic || 't'] }),
  failures: () => ({ queryType: 'events', event: 'failures' }),
  'states of jobs': (job) => ({ queryType: 'events', event: 'states', job: job || '7' }),
  signals: (job) => ({ queryType: 'events', event: 'signals', job: job || '7' }),
  'lines with a text': (text) => ({ queryType: 'events', event: 'lines', text: text || 't', job: '7' }),
  'the story of a task': () => ({ queryType: 'story', taskKey: 'k' }),
  InfluxQL: () => ({ queryType: 'influxql', rawQuery: 'SELECT "line" FROM "job_log"' }),
};

/** Texts where these expect numbers may leave nothing to draw. */
const REPORTS = ['states', 'usage', 'waits', 'throughput', 'utilization', 'nodes'];

const SECRET = 'the secret of the dashboard';
const templates = createTemplates({ secret: SECRET });

async function ask(query: object, writer: Writer): Promise<DataFrame[]> {
  const backend = createBackend((q) => createResults(...q.split('; ').map((one) => answer(one, writer))));
  const settings = { url: '/ds', jsonData: {} } as DataSourceInstanceSettings<JoblensOptions>;
  const dataSource = new JoblensDataSource(settings, backend, createTemplates({}));
  const range = { from: dateTime(START_MS), to: dateTime(NOW_MS), raw: { from: 'now-1h', to: 'now' } };
  const request = { targets: [{ refId: 'A', ...query }], range, scopedVars: {}, maxDataPoints: 500 };
  const { data } = await lastValueFrom(dataSource.query(request as unknown as DataQueryRequest<JoblensQuery>));
  return data as DataFrame[];
}

/** As a panel of Grafana hands frames to what draws them. */
function prepare(data: DataFrame[]): DataFrame[] {
  return applyFieldOverrides({
    data,
    fieldConfig: { defaults: {}, overrides: [] },
    replaceVariables: (text: string, scopedVars?: ScopedVars) => templates.replace(text, scopedVars),
    theme: createTheme(),
    timeZone: 'utc',
  });
}

const hub = createHoverHub(new EventBusSrv());
const range = { from: dateTime(START_MS), to: dateTime(NOW_MS) };
const PLACE = {
  ...{ width: 900, height: 500, timeZone: 'utc', timeRange: { ...range, raw: range }, onTimeRange: () => undefined },
  ...{ annotations: [], jobKey: JSON.stringify(['["7","ann"]']), source: 'x', hub, ask: () => of([]) },
  replaceVariables: (text: string) => text,
} as ViewProps;

/** Draws the frames in every view, and returns what could run or lead away. */
function draw(frames: DataFrame[]): readonly string[] {
  return Object.values<View>(VIEWS).flatMap((view) => {
    const open = view.open(frames);
    if (open.isEmpty) return [];
    const { container } = render(<>{open.draw(PLACE, {})}</>);
    const elements = [...container.ownerDocument.body.querySelectorAll('*')];
    const bad = elements.flatMap((element) => [
      ...(/^(?:script|img|iframe|object|embed)$/i.test(element.tagName) ? [element.outerHTML] : []),
      ...element.getAttributeNames().filter((name) => name.startsWith('on')),
      ...[element.getAttribute('href') ?? '#'].filter((href) => !/^(?:\/d\/[\w-]+(?:\?|$)|#|blob:)/.test(href)),
    ]);
    const shown = container.ownerDocument.body.innerHTML.includes(SECRET) ? [SECRET] : [];
    cleanup();
    return [...bad, ...shown];
  });
}

beforeAll(() => {
  defineSizes();
  const compute = window.getComputedStyle.bind(window);
  jest.spyOn(window, 'getComputedStyle').mockImplementation((element) => compute(element));
});

/** Where the links of a frame lead. */
function listLinks({ fields, length }: DataFrame): readonly string[] {
  const rows = Array.from({ length }, (_, row) => row);
  return fields
    .flatMap(({ getLinks }) => rows.flatMap((valueRowIndex) => getLinks?.({ valueRowIndex }) ?? []))
    .map(({ href }) => href);
}

/** The number of rows that were drawn. */
async function check(query: object, texts: readonly string[], writers = [true, false]): Promise<number> {
  let rows = 0;
  for (const isTyped of writers) {
    const prepared = prepare(await ask(query, { texts, isTyped }));
    for (const frame of prepared) {
      rows += frame.length;
      const names = frame.fields.map((field) => getFieldDisplayName(field, frame, prepared));
      expect(`${names.join()}${String(frame.name)}`).not.toContain(SECRET);
      for (const href of listLinks(frame)) expect(href).toMatch(/^\/d\/joblens-/);
    }
    expect(draw(prepared)).toEqual([]);
  }
  expect(window).not.toHaveProperty('hacked');
  expect({}).not.toHaveProperty('polluted');
  return rows;
}

it.each(Object.entries(QUERIES))('%s with any texts draws them as data', async (_name, create) => {
  expect(await check(create(TEXTS['a path out'] ?? ''), Object.values(TEXTS))).toBeGreaterThan(0);
});

it.each(REPORTS)('the report %s of any texts fails at none', async (report) => {
  await check({ queryType: 'analytics', report }, Object.values(TEXTS));
});

it.each(Object.entries(TEXTS))('the page of a job with %s everywhere draws it as data', async (_name, text) => {
  // A variable is filled in where it is typed.
  const job = /^$|\$/.test(text) ? '7' : text;
  await check({ queryType: 'jobs', job }, [text], [true]);
  await check({ queryType: 'volume', job }, [text], [true]);
});
