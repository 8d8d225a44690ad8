import type { JobRecord } from '../jobs/jobs.js';
import { createTableStats, foldRow, parseTableStats, type TableStats } from '../../table/table-stats.js';
import { followX } from '../../axis/followed-x.js';
import { type ComparedFact, compareJobs, RESULT_STATS, RISKS } from './compare-jobs.js';
import { formatFact, nameJobs } from './format-fact.js';

const NOW_MS = 1_700_000_000_000;

function createRecord(job: string, parts: Partial<JobRecord>): JobRecord {
  return { job, user: 'ann', timeNs: 0n, values: new Map(), ...parts };
}

function compare(...records: readonly JobRecord[]): readonly ComparedFact[] {
  const jobs = records.map((record) => ({ record, tables: [] }));
  return compareJobs(jobs, { stat: 'last', nowMs: NOW_MS });
}

it('puts what more often explains another result first, and a seed is one wherever it was given', () => {
  const facts = compare(
    createRecord('a-(1)', { config: '{"lr": 0.1, "train": {"seed": 1}}', tags: { model: 'mlp' }, state: 'FAILED' }),
    createRecord('b 2', { config: '{"lr": 0.2, "train": {"seed": 2}}', host: 'n.1' })
  );
  expect(facts.map(({ name, risk }) => [name, risk])).toEqual([
    ['config.train.seed', 'seeds'],
    ['config.lr', 'config'],
    ['tag.model', 'config'],
    ['host', 'machine'],
    ['state', 'outcome'],
  ]);
  const ranks = facts.map(({ risk }) => RISKS.indexOf(risk));
  expect(ranks).toEqual(ranks.toSorted((a, b) => a - b));
});

it('says what differs, what is equal, and what one job lacks', () => {
  const facts = compare(
    createRecord('a', { config: '{"lr": 0.1, "name": "x, \\"y\\""}' }),
    createRecord('b', { config: '{"name": "x, \\"y\\""}' })
  );
  expect(facts.map(({ name, values, differs }) => [name, values, differs])).toEqual([
    ['config.lr', [0.1, undefined], true],
    ['config.name', ['x, "y"', 'x, "y"'], false],
  ]);
});

it('prints numbers with as many digits as tell them apart, and times and sizes as such', () => {
  expect(formatFact({ kind: 'result', name: 'loss', values: [0.123456, 0.123457] }, 0)).toBe('0.123456');
  expect(formatFact({ kind: 'outcome', name: 'took_s', values: [90] }, 0)).toBe('1m 30s');
  expect(formatFact({ kind: 'outcome', name: 'took_s', values: [3599.6, 1.2] }, 0)).toBe('1h');
  expect([0, 1].map((at) => formatFact({ kind: 'outcome', name: 'took_s', values: [1.836, 9.5] }, at))).toEqual([
    '2s',
    '10s',
  ]);
  expect([0, 2].map((at) => formatFact({ kind: 'outcome', name: 'took_s', values: [1.8, 'x', 1.9] }, at))).toEqual([
    '1.8s',
    '1.9s',
  ]);
  expect(formatFact({ kind: 'machine', name: 'asked_memory_bytes', values: [1024 ** 3] }, 0)).toBe('1 GB');
  expect(formatFact({ kind: 'result', name: 'loss', values: [undefined, 1] }, 0)).toBe('');
});

it('names jobs by their ids, and by their users where these are equal', () => {
  const jobs = [
    { job: '1', user: 'ann' },
    { job: '1', user: 'bob' },
    { job: '2', user: 'ann' },
  ];
  expect(nameJobs(jobs)).toEqual(['1 (ann)', '1 (bob)', '2']);
});

it('compares what a run was kept to be: code, seeds, packages, data and machine, each by its hash', () => {
  const hash = (digit: string): string => digit.repeat(64);
  const createManifest = (digit: string): string =>
    JSON.stringify({
      version: 1,
      command: { interpreter: `Python 3.1${digit}` },
      git: { commit: hash(digit).slice(24), dirty: digit === '1', branch: 'main' },
      packages: { count: 3, sha256: hash(digit) },
      seeds: { PYTHONHASHSEED: digit, seed: digit },
      inputs: [{ path: '/data/a (1).csv', bytes: 2048, sha256: hash(digit) }],
      machine: { cpus: 8 },
      environment: { OMP_NUM_THREADS: digit },
      texts: { patch: { sha256: hash(digit), lines: 1 }, packages: { sha256: hash(digit) } },
    });
  const create = (digit: string): JobRecord =>
    createRecord(`job ${digit}`, { manifest: createManifest(digit), config: `{"seed": ${digit}}` });
  const different = compare(create('1'), create('2')).filter(({ differs }) => differs);
  expect(different.map(({ name, risk, values: [value] }) => [risk, name, value])).toEqual([
    ['code', 'git.commit', '111111111111'],
    ['code', 'git.dirty', 'yes'],
    ['code', 'patch', '111111111111, 1 line'],
    ['seeds', 'seed.PYTHONHASHSEED', '1'],
    ['seeds', 'config.seed', 1],
    ['packages', 'interpreter', 'Python 3.11'],
    ['packages', 'packages', '111111111111, 3 packages'],
    ['data', 'input./data/a (1).csv', '111111111111, 2 KB'],
    ['machine', 'env.OMP_NUM_THREADS', '1'],
  ]);
});

describe('of each key, a comparison shows', () => {
  const show = (stats: TableStats | undefined): Record<string, unknown> => {
    const table = { job: 'a', user: 'ann', series: 's', keys: [], rows: 4, runs: [], timeNs: 0n };
    const jobs = [{ record: createRecord('a', {}), tables: [{ ...table, ...(stats && { stats }) }] }];
    const found = RESULT_STATS.map((stat) => {
      const fact = compareJobs(jobs, { stat, nowMs: NOW_MS }).find(({ name }) => name === 'val-loss (a)');
      return [stat, fact?.values[0]];
    });
    return Object.fromEntries(found) as Record<string, unknown>;
  };
  const fold = (...names: readonly string[]): TableStats => {
    const stats = createTableStats();
    [4, 1, 3, 2].forEach((loss, at) => {
      foldRow(stats, new Map(names.map((name, i) => [name, i === 0 ? loss : 10 * at])));
      followX(stats);
    });
    return stats;
  };

  it.each([
    ['its numbers, and X of the best', fold('val-loss (a)', 'step'), [2, 1, 4, 2.5, 10, 0]],
    ['the rows of the best, where X is time', fold('val-loss (a)'), [2, 1, 4, 2.5, 2, 1]],
  ])('%s', (_case, stats, numbers) => {
    expect(Object.values(show(stats))).toEqual(numbers);
  });

  it('what an older Joblens has kept, and makes nothing up', () => {
    const column = '"count":2,"numeric":2,"integer":2,"rising":false,"distinct":2,"min":1,"max":4,"last":3';
    const found = show(parseTableStats(`{"rows":2,"columns":[["val-loss (a)",{${column}}]]}`));
    expect(found).toEqual({ last: 3, min: 1, max: 4 });
  });
});
