import type { ResultSeries, StatementResult } from '@joblens/core/influxql/response';
import { formatRfc3339Nano } from '@joblens/core/point/timestamp';
import type { JobRecord } from '@joblens/core/ask/jobs/jobs';
import { lastValueFrom, of, toArray } from 'rxjs';
import { printAll } from '../parts/query-type.js';
import { describeFound } from './describe-found.js';
import type { InfluxdbClient } from '../../store/influxdb-client.js';

const DAY_NS = 86_400_000_000_000n;
const NOW_NS = 20_000n * DAY_NS;
const RANGE = { fromNs: NOW_NS - DAY_NS, toNs: NOW_NS };
const FOUND = [
  { job: 'new', user: 'ann', startedMs: Number(NOW_NS / 1_000_000n) - 1000, fromNs: NOW_NS, toNs: NOW_NS },
  { job: 'tagged', user: 'bob', fromNs: NOW_NS, toNs: NOW_NS },
];

/** A change of a job's description so many days ago. */
function createChange(job: string, user: string, daysAgo: bigint, fields: Record<string, string>): ResultSeries {
  const time = formatRfc3339Nano(NOW_NS - daysAgo * DAY_NS);
  return {
    name: 'job',
    tags: { job, user },
    columns: ['time', ...Object.keys(fields)],
    values: [[time, ...Object.values(fields)]],
  };
}

const NEWER = [
  createChange('new', 'ann', 0n, { name: 'train', state: 'RUNNING' }),
  createChange('tagged', 'bob', 0n, { state: 'RUNNING' }),
];
const OLDER = [createChange('tagged', 'bob', 90n, { name: 'sweep', state: 'PENDING', tags: '{"goal":"x"}' })];

function createClient(): { readonly client: InfluxdbClient; readonly asked: string[] } {
  const asked: string[] = [];
  const query: InfluxdbClient['query'] = (statements) => {
    const text = printAll(statements);
    asked.push(text);
    const series = (text.includes('time <') ? OLDER : NEWER).filter(({ tags }) =>
      text.includes(`'${tags?.['job'] ?? ''}'`)
    );
    return of<StatementResult[]>([{ statement_id: 0, series }]);
  };
  return { client: { query } as InfluxdbClient, asked };
}

const describe = ({ job, name, state, tags }: JobRecord): string =>
  `${job} ${name ?? '-'} ${String(state)} ${JSON.stringify(tags ?? {})}`;

const ask = (client: InfluxdbClient, monotonicMs: number, found = FOUND) =>
  lastValueFrom(describeFound(found, RANGE, { client, monotonicMs }).pipe(toArray()));

it('gives what was written since the jobs started first, then what is older', async () => {
  const { client, asked } = createClient();
  const answers = await ask(client, 0);
  expect(answers.map(({ isWhole, jobs }) => [isWhole, ...jobs.map(describe).sort()])).toEqual([
    [false, 'new train RUNNING {}', 'tagged - RUNNING {}'],
    [true, 'new train RUNNING {}', 'tagged sweep RUNNING {"goal":"x"}'],
  ]);
  expect(asked.map((text) => /time (?:>=|<) '[^']*'/.exec(text)?.[0])).toEqual([
    `time >= '2024-09-23T00:00:00Z'`,
    `time < '2024-09-23T00:00:00Z'`,
  ]);
});

it('asks for what is older once a minute, and for new jobs alone in between', async () => {
  const { client, asked } = createClient();
  await ask(client, 0);
  const refresh = await ask(client, 59_000);
  expect(refresh.map(({ isWhole, jobs }) => [isWhole, ...jobs.map(({ name }) => name).sort()])).toEqual([
    [true, 'sweep', 'train'],
  ]);
  await ask(client, 59_000, [...FOUND, { job: 'next', user: 'ann', fromNs: NOW_NS, toNs: NOW_NS }]);
  await ask(client, 60_000);
  const older = asked.filter((text) => text.includes('time <'));
  expect(older.map((text) => [...text.matchAll(/"job" = '(\w+)'/g)].map(([, job]) => job))).toEqual([
    ['new', 'tagged'],
    ['next'],
    ['new', 'tagged'],
  ]);
});

it('asks nothing where no job was found', async () => {
  const { client, asked } = createClient();
  expect(await ask(client, 0, [])).toEqual([{ jobs: [], isWhole: true }]);
  expect(asked).toEqual([]);
});
