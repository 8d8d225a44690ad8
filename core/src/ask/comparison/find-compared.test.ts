import type { StatementResult } from '../../influxql/response.js';
import { printStatement } from '../../influxql/print.js';
import { type ComparisonRequest, readComparison } from './find-compared.js';

const TIME = '2026-11-27T00:00:00Z';
const STARTS = new Map([
  ['late', 3],
  ['early (1)', 1],
  ["mid's", 2],
]);

/** A store with three jobs of one label; each started at its second. */
function answer(statement: string): StatementResult {
  const jobs = [...STARTS];
  if (statement.includes('job_label')) {
    const values = jobs.map(([job]) => [TIME, job, 'ann']);
    return { statement_id: 0, series: [{ name: 'job_label', columns: ['time', 'job', 'user'], values }] };
  }
  if (statement.includes('job_series')) return { statement_id: 0 };
  const series = jobs
    .filter(([job]) => statement.includes(job.replace("'", "\\'")))
    .map(([job, second]) => ({
      ...{ name: 'job', tags: { job, user: 'ann' }, columns: ['time', 'state', 'started'] },
      values: [[TIME, 'COMPLETED', second * 1000]],
    }));
  return { statement_id: 0, series };
}

function read(request: Partial<ComparisonRequest>): { readonly names: readonly string[]; readonly rounds: number } {
  const whole = { job: [], tags: [], user: [], fromNs: 0n, toNs: 1n, limit: 10, ...request };
  const reading = readComparison(whole);
  let rounds = 0;
  for (let next = reading.next(); ; rounds += 1) {
    if (next.done === true) return { names: next.value.jobs.map(({ record }) => record.job), rounds };
    const asked = 'soFar' in next.value ? [] : next.value;
    next = reading.next(asked.map((ask) => answer(printStatement(ask.kind === 'apart' ? ask.statement : ask))));
  }
}

it('has the jobs of a tag in the order in which they ran, also where some are named, in two rounds', () => {
  const tags = [['experiment', 'a-(1)']] as const;
  expect(read({ tags })).toEqual({ names: ['early (1)', "mid's", 'late'], rounds: 2 });
  expect(read({ tags, job: [{ job: 'late' }] }).names).toEqual(['early (1)', "mid's", 'late']);
});

it('has named jobs in the order in which they are named', () => {
  expect(read({ job: [{ job: 'late' }, { job: 'early (1)' }] })).toEqual({ names: ['late', 'early (1)'], rounds: 2 });
});
