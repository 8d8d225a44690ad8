import type { LogRowModel } from '@grafana/data';
import type { Statement } from '@joblens/core/influxql/nodes';
import { printStatement } from '@joblens/core/influxql/print';
import type { TableSummary } from '@joblens/core/ask/tables/tables';
import type { LogLine } from '@joblens/core/rows/join-log-parts';
import fc from 'fast-check';
import { of } from 'rxjs';
import { getLogContext } from '../../datasource/log-context.js';
import { formatLineId, LOG_FIELDS, parseLineId } from '../../frames/log-fields.js';
import { readFieldByName } from '../../frames/field-values.js';
import { createJobKey } from '../../frames/frame-meta.js';
import { createJobNamer, createJobPrefixer } from '../../frames/job-name.js';
import type { InfluxdbClient } from '../../store/influxdb-client.js';
import { downloadLog } from '../../views/log/model/download.js';
import { createLogModel, nameOwner } from '../../views/log/model/log-model.js';
import { createTables } from '../../views/parts/components/tables.js';
import { createLogsFrame } from '../logs/log-frames.js';
import { createMetadataFrame } from '../metadata/metadata-frames.js';

/** Few texts, so that many are alike, with the signs that parts of an id are joined by. */
const name = fc.constantFrom('7', 'a/b', 'a', 'b', 'b/7', '%2F', '7 of ann', 'ann');
const user = fc.oneof(name, fc.constant(''));
const owners = fc.uniqueArray(fc.record({ job: name, user }), {
  minLength: 1,
  maxLength: 5,
  selector: (one) => JSON.stringify(one),
});
const lines = owners.chain((some) =>
  fc.uniqueArray(
    fc.record({
      owner: fc.constantFrom(...some),
      task: fc.option(name, { nil: undefined }),
      stream: fc.constantFrom('stdout' as const, 'stderr' as const),
      timeNs: fc.bigInt({ min: 1n, max: 3n }),
    }),
    {
      minLength: 1,
      maxLength: 12,
      selector: ({ owner, ...rest }) => JSON.stringify([owner, rest.task, rest.stream, String(rest.timeNs)]),
    }
  )
);
type Draft = typeof lines extends fc.Arbitrary<infer T> ? T : never;

const toLines = (drafts: Draft): LogLine[] =>
  drafts
    .map(({ owner, task, ...line }, at) => ({
      ...{ ...line, ...owner, kind: 'output' as const, line: `line ${at}` },
      ...(task !== undefined && { task }),
    }))
    .sort((a, b) => Number(a.timeNs - b.timeNs));
const createFrame = (some: LogLine[], job: string) =>
  createLogsFrame({ refId: 'A', job, lines: some, isLimited: false, executedQuery: '' });

function readBlob(blob: Blob): Promise<string> {
  return new Promise((resolve) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result as string);
    reader.readAsText(blob);
  });
}

describe('jobs of one id of several users', () => {
  it('each line has an id of its own, which tells whose it is', () => {
    fc.assert(
      fc.property(lines, (drafts) => {
        const all = toLines(drafts);
        expect(new Set(all.map(formatLineId)).size).toBe(all.length);
        for (const { timeNs, stream, task = '', job, user: of } of all) {
          expect(parseLineId(formatLineId({ timeNs, stream, task, job, user: of }))).toEqual({
            timeNs,
            stream,
            task,
            job,
            user: of,
          });
        }
        const ids = readFieldByName(createFrame(all, '7'), LOG_FIELDS.id);
        expect(new Set(ids).size).toBe(all.length);
      })
    );
  });

  it('the lines around one are of its job and user', async () => {
    const at = (job: string, of: string): LogLine => ({
      ...{ job, user: of, timeNs: 5n, stream: 'stdout', kind: 'output', line: 'x' },
    });
    const dataFrame = createFrame([at('a/b', "o'hara"), at('a/b', '')], 'a/b');
    const asked: string[] = [];
    const query = (statements: readonly Statement[]) => {
      asked.push(...statements.map(printStatement));
      return of([{ statement_id: 0 }]);
    };
    const client: Pick<InfluxdbClient, 'query'> = { query };
    for (const rowIndex of [0, 1]) {
      await getLogContext(client as InfluxdbClient, { dataFrame, rowIndex } as LogRowModel, {});
    }
    expect(asked).toEqual([
      expect.stringContaining(`"job" = 'a/b' AND "user" = 'o\\'hara'`),
      expect.stringMatching(/"job" = 'a\/b' AND \("user" = '␛0' OR "user" = ''\)/),
    ]);
  });

  it('an id of another kind has no place', () => {
    for (const id of ['', 'x', '1/stdout//7', '1/stdout//7/ann/more', 'x/stdout//7/ann'])
      expect(parseLineId(id)).toBeUndefined();
  });

  it('names have a user only where an id is not unique', () => {
    fc.assert(
      fc.property(owners, (jobs) => {
        const nameJob = createJobNamer(jobs);
        for (const job of jobs) {
          const isShared = jobs.filter((other) => other.job === job.job).length > 1;
          expect(nameJob(job)).toBe(isShared ? `${job.job} of ${job.user === '' ? 'nobody' : job.user}` : job.job);
        }
      })
    );
  });

  it('the frames of their tables have names of their own', () => {
    const jobs = [
      { job: '7', user: 'ann' },
      { job: '7', user: 'bob' },
    ];
    const prefixJob = createJobPrefixer(jobs);
    const frames = jobs.map((job) => {
      const table: TableSummary = { ...job, series: 'a', keys: ['a'], rows: 0, runs: [], timeNs: 1n };
      const parts = { refId: 'A', executedQuery: '', records: [], isLimited: false };
      return createMetadataFrame({ ...parts, table, keys: table.keys, jobPrefix: prefixJob(table) });
    });
    expect(frames.map((frame) => frame.name)).toEqual(['7 of ann: a', '7 of bob: a']);
    expect(createTables(frames).map(({ label }) => label)).toEqual(['ann · a', 'bob · a']);
    const [one, other] = frames.map((frame) => createJobKey([frame]));
    expect(one).not.toBe(other);
    expect(createJobPrefixer(jobs.slice(1))({ job: '7', user: 'bob' })).toBe('');
  });

  it('the log says whose a line is, where that tells it from another', () => {
    fc.assert(
      fc.property(lines, (drafts) => {
        const all = toLines(drafts);
        const model = createLogModel([createFrame(all, all[0]?.job ?? '')]);
        const found = model.lines.map((line) => JSON.stringify([line.job, line.user]));
        expect(found.toSorted()).toEqual(all.map((line) => JSON.stringify([line.job, line.user])).sort());
        const isOfSeveral = new Set(found).size > 1;
        expect(model.ownerForm === 'none').toBe(!isOfSeveral);
        const named = new Set(model.lines.map((line) => nameOwner(line, model.ownerForm)));
        if (model.ownerForm !== 'job and user') expect(named.size).toBe(new Set(found).size);
      })
    );
  });

  it('a download has a heading wherever the lines are of another one, and none where all are of one', async () => {
    const at = (job: string, of: string, timeNs: bigint): LogLine => ({
      ...{ job, user: of, timeNs, stream: 'stdout', kind: 'output' },
      line: `${of} ${timeNs}`,
    });
    const download = async (...pages: LogLine[][]): Promise<string> => {
      const slices = pages.map((page) => createLogModel([createFrame(page, '7')]).lines);
      let next = 0;
      const read = () => Promise.resolve({ lines: slices[next] ?? [], hasMore: (next += 1) < slices.length });
      const { signal } = new AbortController();
      const blob = await downloadLog({ source: { read }, form: 'plain', signal, onProgress: () => undefined });
      return readBlob(blob);
    };
    expect(await download([at('7', 'ann', 1n)], [at('7', 'ann', 2n)])).toBe('ann 1\nann 2\n');
    expect(await download([at('7', 'ann', 1n), at('7', 'ann', 2n)], [at('7', 'bob', 3n)], [at('7', 'ann', 4n)])).toBe(
      '==> 7 of ann <==\nann 1\nann 2\n==> 7 of bob <==\nbob 3\n==> 7 of ann <==\nann 4\n'
    );
  });
});
