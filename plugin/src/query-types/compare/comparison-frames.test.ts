import { chooseGroupFact, chooseResult, listGroupKeys } from '@joblens/core/ask/comparison/choose-groups';
import { compareGroups } from '@joblens/core/ask/comparison/compare-groups';
import { type ComparedJob, compareJobs } from '@joblens/core/ask/comparison/compare-jobs';
import type { JobRecord } from '@joblens/core/ask/jobs/jobs';
import { createTableStats, foldRow } from '@joblens/core/table/table-stats';
import { readJoblensMeta, toPlainFields } from '../../../test/frame-table.js';
import { createCompareFrame } from './compare-frames.js';
import { createDiffFrame } from './diff-frames.js';
import { createGroupsFrame } from './group-frames.js';

const NOW_MS = 1_700_000_100_000;
const START_MS = 1_700_000_000_000;

function createJob(job: string, parts: Partial<JobRecord>, loss: number): ComparedJob {
  const stats = createTableStats();
  for (const value of [1, loss]) foldRow(stats, new Map([['loss', value]]));
  const times = { startedMs: START_MS, endedMs: START_MS + 90_000 };
  const record = { job, user: 'ann', timeNs: 0n, values: new Map(), state: 'COMPLETED', ...times, ...parts };
  const table = { job, user: 'ann', series: 'loss', keys: ['loss'], stats, rows: 2, runs: [], timeNs: 0n };
  return { record, tables: [table] };
}

const JOBS: readonly ComparedJob[] = [
  createJob('a-(1)', { config: '{"lr": 0.1, "act": "relu", "n": 3}', tags: { group: 'base' } }, 0.5),
  createJob("it's 2", { config: '{"lr": 0.01, "act": "tanh", "n": 3}', tags: { group: 'low "lr"' } }, 0.25),
];
const FACTS = compareJobs(JOBS, { stat: 'last', nowMs: NOW_MS });

const createCompared = (parts: { readonly keys?: readonly string[]; readonly by?: string; readonly total?: number }) =>
  createCompareFrame({
    ...{ refId: 'A', jobs: JOBS, total: 2, facts: FACTS, keys: [], by: undefined, nowMs: NOW_MS, executedQuery: '' },
    ...parts,
  });

describe('Compare', () => {
  it('has a row a job: who it is, its group, what differs of what it was given, and what came of it', () => {
    const frame = createCompared({});
    expect(toPlainFields(frame).slice(0, -2)).toEqual([
      ['job', 'string', 'a-(1)', "it's 2"],
      ['user', 'string', 'ann', 'ann'],
      ['name', 'string', null, null],
      ['state', 'string', 'COMPLETED', 'COMPLETED'],
      ['group', 'string', 'base', 'low "lr"'],
      ['config.lr', 'number', 0.1, 0.01],
      ['config.act', 'string', 'relu', 'tanh'],
      ['loss', 'number', 0.5, 0.25],
      ['took_s', 'number', 90, 90],
      ['started', 'time', START_MS, START_MS],
    ]);
    expect(readJoblensMeta(frame)).toEqual({ kind: 'compare' });
  });

  it('shows the keys that are asked for, and groups by one', () => {
    const fields = toPlainFields(createCompared({ keys: ['loss', 'n', 'unknown'], by: 'lr' }));
    expect(fields.slice(4, -3)).toEqual([
      ['group', 'string', '0.1', '0.01'],
      ['loss', 'number', 0.5, 0.25],
      ['config.n', 'number', 3, 3],
    ]);
  });

  it('says how many jobs there are beyond its limit', () => {
    expect(createCompared({ total: 3 }).meta?.notices?.[0]?.text).toBe('2 of 3 jobs.');
  });
});

describe('Diff', () => {
  it('has a row a fact, what more often explains another result first, and a column a job', () => {
    const facts = FACTS.filter(({ differs }) => differs);
    const frame = createDiffFrame({ refId: 'A', jobs: JOBS, total: 2, facts, equal: 3, executedQuery: '' });
    expect(toPlainFields(frame)).toEqual([
      ['what', 'string', 'config.lr', 'config.act', 'tag.group', 'loss'],
      ['kind', 'string', 'config', 'config', 'tag', 'result'],
      ['risk', 'string', 'config', 'config', 'config', 'results'],
      ['differs', 'boolean', true, true, true, true],
      ['a-(1)', 'string', '0.1', 'relu', 'base', '0.5'],
      ["it's 2", 'string', '0.01', 'tanh', 'low "lr"', '0.25'],
    ]);
    expect(readJoblensMeta(frame)).toEqual({ kind: 'diff', jobs: 2, total: 2, equal: 3 });
  });
});

describe('Groups', () => {
  const SEEDED = ['base "a"', 'low-(b)'].flatMap((group, at) =>
    [1, 2, 3].map((seed) =>
      createJob(
        `${group} ${seed}`,
        { config: `{"lr": ${at === 0 ? 0.1 : 0.01}, "seed": ${seed}}`, tags: { group } },
        0.5 - 0.2 * at + 0.01 * seed
      )
    )
  );

  function createGroups(jobs: readonly ComparedJob[], direction?: 'lower' | 'higher') {
    const facts = compareJobs(jobs, { stat: 'last', nowMs: NOW_MS });
    const keys = listGroupKeys(facts);
    const by = chooseGroupFact(facts, keys, undefined);
    const results = facts.filter(({ kind }) => kind === 'result');
    const result = chooseResult(results, 'loss');
    const comparison = by && result && compareGroups(by, result, { facts, stat: 'last', direction });
    const found = { keys, by, result, results, comparison, isTold: direction !== undefined };
    return createGroupsFrame({ refId: 'A', jobs, total: jobs.length, ...found, executedQuery: '' });
  }

  it('has a row a group, the best first: its mean, how far it is from the best, and the same in words', () => {
    const frame = createGroups(SEEDED);
    const fields = new Map(toPlainFields(frame).map(([name, , ...values]) => [name, values]));
    expect(fields.get('group')).toEqual(['low-(b)', 'base "a"']);
    expect(fields.get('seeds')).toEqual([3, 3]);
    expect(fields.get('loss')).toEqual([expect.closeTo(0.32), expect.closeTo(0.52)]);
    expect(fields.get('from_best')).toEqual([null, expect.closeTo(0.2)]);
    expect(fields.get('verdict')?.[1]).toMatch(
      /^loss is lower with group=low-\(b\) than with group=base "a", by 0\.2 /
    );
    expect(readJoblensMeta(frame)).toMatchObject({
      ...{ by: 'tag.group', metric: 'loss', direction: 'lower', isTold: false },
      keys: [
        { name: 'tag.group', groups: 2, seeds: 3 },
        { name: 'config.lr', groups: 2, seeds: 3 },
      ],
    });
  });

  it('takes another word for what is better, and gives no verdict from one seed', () => {
    expect(toPlainFields(createGroups(SEEDED, 'higher'))[0]).toEqual(['group', 'string', 'base "a"', 'low-(b)']);
    const verdicts = toPlainFields(createGroups([0, 1, 3].flatMap((at) => SEEDED[at] ?? []))).at(-1);
    expect(verdicts?.[3]).toMatch(/^too few seeds to tell whether loss is lower with/);
  });

  it('is empty where nothing differs that several runs share', () => {
    const frame = createGroups(SEEDED.slice(0, 1));
    expect(frame.length).toBe(0);
    expect(readJoblensMeta(frame)).toMatchObject({ keys: [], metric: 'loss' });
  });
});
