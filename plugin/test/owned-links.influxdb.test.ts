import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type DataFrame, type DataQueryRequest, type DataSourceInstanceSettings, dateTime } from '@grafana/data';
import { formatPoint } from '@joblens/core/point/line-protocol';
import type { Point } from '@joblens/core/point/point';
import { createHeartbeatPoint, findSlotStartMs, HEARTBEAT_GRIDS } from '@joblens/core/schema/heartbeat-point';
import { createEventPoint, createJobPoint, createTagsPoint, STATE_TOPIC } from '@joblens/core/schema/job-point';
import { createLabelPoint } from '@joblens/core/schema/label-point';
import { createLogPoints } from '@joblens/core/schema/log-point';
import { createMetadataPoints } from '@joblens/core/schema/metadata-point';
import { createSpanPoint } from '@joblens/core/schema/span-point';
import { createSeriesName } from '@joblens/core/schema/series-name';
import { lastValueFrom } from 'rxjs';
import { JoblensDataSource } from '../src/datasource/datasource.js';
import type { JoblensOptions } from '../src/datasource/types.js';
import type { JoblensQuery } from '../src/query-types/parts/query-type.js';
import { listRuns, readRuns, toggleRun } from '../src/views/compare/model/runs.js';
import { createTables } from '../src/views/parts/components/tables.js';
import { createCompareHref, createJobHref } from '../src/views/parts/job-link.js';
import { readJobRows } from '../src/views/parts/job-rows.js';
import { createCellColumns } from '../src/views/table/model/cell.js';
import { createTemplates } from './fake-templates.js';
import { createProxyBackend, PROXY_URL } from './proxy-backend.js';
import { describeWith, type Influxdb, startInfluxdb } from './real-influxdb.js';

interface OwnedJob {
  readonly job: string;
  readonly user: string;
}

const USERS = ['ann', 'bob (x)'] as const;
const JOBS = ['train.1-a (b)', `it's "q" & a%20b`, '-x/../y of user z'];
const START_MS = Date.UTC(2026, 1, 3, 15);
const RANGE = { fromMs: START_MS - 60_000, toMs: START_MS + 120_000 };
const ROOT = join(__dirname, '../..');

/** What is in everything that a job of this user wrote, and in nothing else. */
const markOf = ({ job, user }: OwnedJob): string => `mark ${JOBS.indexOf(job)} ${USERS.indexOf(user as 'ann')} end`;

function createPoints(source: OwnedJob): readonly Point[] {
  const mark = markOf(source);
  const ns = (second: number): bigint => BigInt(START_MS + 1000 * second) * 1_000_000n;
  const description = { name: mark, state: 'FAILED', exitCode: 1, startedMs: START_MS, endedMs: START_MS + 30_000 };
  const signal = { name: mark, severity: 'error', message: mark, kind: 'output' };
  return [
    createJobPoint(source, { ...description, config: JSON.stringify({ [mark]: 1, lr: 2 }) }, ns(30)),
    createTagsPoint(source, { experiment: `of ${source.user}`, mark }, [], ns(1)),
    createLabelPoint(source, { key: 'experiment', value: `of ${source.user}` }, START_MS),
    ...HEARTBEAT_GRIDS.map((grid) => createHeartbeatPoint(source, grid, findSlotStartMs(START_MS, grid), {})),
    ...(['output', 'notice'] as const).flatMap((kind, at) =>
      createLogPoints(source, { stream: 'stderr', kind, line: mark, timeNs: ns(2 + at) })
    ),
    ...[4, 5].flatMap((second) =>
      createMetadataPoints(source, createSeriesName([mark]), new Map([[mark, second]]), ns(second))
    ),
    createEventPoint(source, { topic: mark, data: { mark } }, ns(6)),
    createEventPoint(source, { topic: 'signal', data: signal }, ns(7)),
    createEventPoint(source, { topic: STATE_TOPIC, fromState: 'RUNNING', toState: 'FAILED', data: { mark } }, ns(30)),
    createSpanPoint({ ...source, id: mark, name: mark, category: mark, startNs: ns(8), durationMs: 1000 }),
  ];
}

interface Dashboard {
  readonly templating: {
    readonly list: ReadonlyArray<{
      readonly name: string;
      readonly multi?: boolean;
      readonly current: { readonly value: string | string[] };
    }>;
  };
  readonly panels: ReadonlyArray<{ readonly targets?: readonly Target[] }>;
  readonly annotations: { readonly list: ReadonlyArray<{ readonly target?: Target }> };
  readonly links: ReadonlyArray<{ readonly url: string }>;
}
type Target = Partial<JoblensQuery> & { readonly event?: string };

interface Page {
  readonly dashboard: Dashboard;
  readonly values: Readonly<Record<string, string | string[]>>;
  readonly frames: readonly DataFrame[];
}

interface Addresses {
  readonly createJobAddress: (page: string, job: OwnedJob) => string;
}

// The command belongs to another TypeScript project.
const { createJobAddress } = jest.requireActual<Addresses>('../../ingester/src/config/job-address');
const { createJobLink } = jest.requireActual<{ createJobLink: Addresses['createJobAddress'] }>(
  '../../ingester/src/read-back/mcp/job-page'
);

const encode = (text: string): string => encodeURIComponent(text);
const ALL = '$__all';

describeWith(['influxd'], 'each link to a job whose id another user has, too', () => {
  let influxdb: Influxdb;
  let url: string;
  beforeAll(async () => {
    influxdb = await startInfluxdb();
    ({ url } = influxdb);
    await fetch(`${url}/query`, { method: 'POST', body: new URLSearchParams({ q: 'CREATE DATABASE joblens' }) });
    const points = JOBS.flatMap((job) => USERS.flatMap((user) => createPoints({ job, user })));
    const written = await fetch(`${url}/write?db=joblens`, {
      method: 'POST',
      body: points.map(formatPoint).join('\n'),
    });
    expect(written.status).toBe(204);
  });
  afterAll(() => influxdb.stop());

  /** What all panels of a page show that is at this address. */
  async function open(href: string): Promise<Page> {
    const { pathname, searchParams } = new URL(href, 'http://grafana');
    const [, name = ''] = /^\/d\/joblens-(\w+)$/.exec(pathname) ?? [];
    const dashboard = JSON.parse(readFileSync(join(ROOT, 'dashboards', `${name}.json`), 'utf8')) as Dashboard;
    const values = Object.fromEntries(
      dashboard.templating.list.map(({ name: variable, multi = false, current }) => {
        const given = searchParams.getAll(`var-${variable}`);
        return [variable, given.length === 0 ? current.value : multi ? given : (given[0] ?? '')];
      })
    );
    const all = Object.keys(values).filter((variable) => [values[variable]].flat().includes(ALL));
    const settings = { url: PROXY_URL, name: 'Joblens', jsonData: { database: 'joblens' } };
    const dataSource = new JoblensDataSource(
      settings as DataSourceInstanceSettings<JoblensOptions>,
      createProxyBackend({ target: url }),
      createTemplates(values, all)
    );
    const range = { from: dateTime(RANGE.fromMs), to: dateTime(RANGE.toMs), raw: { from: '', to: '' } };
    const targets = [
      ...dashboard.panels.flatMap((panel) => panel.targets ?? []),
      ...dashboard.annotations.list.flatMap(({ target }) => target ?? []),
    ].filter(({ queryType }) => queryType !== undefined);
    const frames: DataFrame[] = [];
    for (const target of targets) {
      const request = { targets: [target], range, scopedVars: {}, requestId: 'Q1' };
      const response = await lastValueFrom(dataSource.query(request as unknown as DataQueryRequest<JoblensQuery>));
      expect(response.errors).toBeUndefined();
      frames.push(...(response.data as DataFrame[]));
    }
    return { dashboard, values, frames };
  }

  const listMarks = (frames: readonly DataFrame[]): readonly string[] =>
    [...new Set(JSON.stringify(frames).match(/mark \d \d end/g) ?? [])].sort();

  async function expectOnly(href: string, jobs: readonly OwnedJob[]): Promise<Page> {
    const page = await open(href);
    expect(listMarks(page.frames)).toEqual(jobs.map(markOf).sort());
    return page;
  }

  /** A link as Grafana fills it in: of a dashboard by its variables, of a field by the row. */
  function fillIn(link: string, read: (name: string) => string | string[]): string {
    return link.replace(/\$\{([\w.]+)(?::(\w+))?\}/g, (_, name: string, format?: string) => {
      const value = read(name);
      if (format === 'queryparam')
        return [value]
          .flat()
          .map((one) => `var-${name}=${encode(one)}`)
          .join('&');
      return format === 'percentencode' ? encode(String(value)) : String(value);
    });
  }

  const OWNED = JOBS.flatMap((job) => USERS.map((user): OwnedJob => ({ job, user })));
  const isOf = (wanted: OwnedJob) => (one: OwnedJob) => one.job === wanted.job && one.user === wanted.user;
  const other = ({ job, user }: OwnedJob): OwnedJob => {
    const at = JOBS.indexOf(job) + 1;
    return { job: JOBS[at % JOBS.length] ?? '', user: USERS.find((one) => one !== user) ?? '' };
  };

  describe.each(OWNED)('$job of $user', (owned) => {
    it('from the list of jobs, the shell, an agent and an alert', async () => {
      const { frames } = await open('/d/joblens-jobs');
      const row = readJobRows(frames).find(isOf(owned));
      expect(row).toBeDefined();
      const alerts = readFileSync(join(ROOT, 'provisioning/alerting/joblens.yaml'), 'utf8');
      const [, ofAlert = ''] = /externalURL \}\}(d\/joblens-job\S*.*)'/.exec(alerts) ?? [];
      const addresses = [
        ...(row === undefined ? [] : [createJobHref(row)]),
        createJobAddress('http://grafana', owned),
        createJobLink('http://grafana/', owned),
        `/${ofAlert}`.replace(/\{\{ \.Labels\.(job|user) \| urlquery \}\}/g, (_, name: 'job' | 'user') =>
          encode(owned[name])
        ),
      ];
      for (const address of addresses) await expectOnly(address, [owned]);
    });

    it('from the rows of events, failures and comparisons, in our panel and in Grafana’s own', async () => {
      const pages = [await open('/d/joblens-events'), await open('/d/joblens-cluster')];
      const compared = await open(`/d/joblens-compare?var-tag=${encode(`experiment=of ${owned.user}`)}`);
      const frames = [...pages, compared].flatMap((page) => page.frames);
      const hrefs: string[] = [];
      for (const frame of frames) {
        const read = (name: string): readonly unknown[] =>
          frame.fields.find((field) => field.name === name)?.values ?? [];
        const row = read('job').findIndex((job, at) => job === owned.job && read('user')[at] === owned.user);
        if (row < 0) continue;
        const links = frame.fields.find(({ name }) => name === 'job')?.config.links ?? [];
        for (const link of links) {
          hrefs.push(
            fillIn(link.url, (name) =>
              name === '__value.raw' ? owned.job : String(read(name.replace('__data.fields.', ''))[row])
            )
          );
        }
        const runs = readRuns([frame]);
        for (const table of runs === undefined ? createTables([frame]) : [runs]) {
          const cell = createCellColumns(table, [row], 'utc').find(({ name }) => name === table.jobColumn);
          const link = cell?.readLink(row);
          if (link !== undefined) hrefs.push(link.href);
        }
      }
      expect(hrefs.length).toBeGreaterThanOrEqual(6);
      for (const href of new Set(hrefs)) await expectOnly(href, [owned]);
    });

    it('from its page to every other', async () => {
      const { dashboard, values } = await expectOnly(createJobHref({ ...owned, from: '', to: '' }), [owned]);
      const followed: string[] = [];
      const follow = async (page: Pick<Page, 'dashboard' | 'values'>): Promise<void> => {
        for (const link of page.dashboard.links) {
          if (!link.url.includes('${') || followed.includes(link.url)) continue;
          followed.push(link.url);
          await follow(
            await expectOnly(
              fillIn(link.url, (name) => page.values[name] ?? ''),
              [owned]
            )
          );
        }
      };
      await follow({ dashboard, values });
      expect(followed).toHaveLength(4);
    });

    it('to the comparison: alone, with one of its user, with its double, with another job of another user', async () => {
      const [sibling, double] = [
        { ...other(owned), user: owned.user },
        { ...other(owned), job: owned.job },
      ];
      for (const jobs of [[owned], [owned, sibling], [owned, double], [owned, other(owned)]]) {
        await expectOnly(createCompareHref(jobs), jobs);
      }
    });

    it('chosen among the runs of an experiment', async () => {
      const page = `/d/joblens-compare?var-tag=${encode(`experiment=of ${owned.user}`)}`;
      const listAll = async (address: string) => {
        const table = readRuns((await open(address)).frames);
        return table === undefined ? [] : listRuns(table);
      };
      const runs = await listAll(page);
      const run = runs.find(isOf(owned));
      const names = run === undefined ? [] : toggleRun(new Set(), run, runs);
      const chosen = page + names.map((name) => `&var-jobs=${encode(name)}`).join('');
      // The runs themselves stay.
      expect(await listAll(chosen)).toEqual(runs);
      const others = USERS.filter((user) => user !== owned.user).flatMap((user) => JOBS.map((job) => ({ job, user })));
      const { frames } = await open(chosen);
      expect(listMarks(frames)).not.toEqual(
        expect.arrayContaining([expect.stringMatching(others.map(markOf).join('|'))])
      );
      const ofOne = frames.filter((frame) => frame.name !== 'compare');
      expect(listMarks(ofOne.filter((frame) => frame.fields.length > 0))).toEqual([markOf(owned)]);
    });
  });

  it('an address without a user shows the jobs of all, as ever', async () => {
    const [job = ''] = JOBS;
    const all = USERS.map((user) => ({ job, user }));
    await expectOnly(`/d/joblens-job?var-job=${encode(job)}`, all);
    const { frames } = await expectOnly(`/d/joblens-compare?var-jobs=${encode(job)}`, all);
    const table = readRuns(frames);
    const runs = table === undefined ? [] : listRuns(table);
    // Who takes one of them away keeps the other.
    const [first, second] = runs;
    expect(first && toggleRun(new Set([job]), first, runs)).toEqual([second?.name]);
    await expectOnly(`/d/joblens-compare?var-jobs=${encode(second?.name ?? '')}`, [second ?? { job, user: '' }]);
  });
});
