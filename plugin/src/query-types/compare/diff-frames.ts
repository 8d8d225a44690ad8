import { type DataFrame, type Field, FieldType, toDataFrame } from '@grafana/data';
import type { ComparedFact, ComparedJob } from '@joblens/core/ask/comparison/compare-jobs';
import { formatFact, nameJobs } from '@joblens/core/ask/comparison/format-fact';
import type { DiffMeta } from '../../frames/comparison-meta.js';
import { createCustomMeta } from '../../frames/frame-meta.js';
import { createNotice } from '../../frames/notice.js';

interface DiffAnswer {
  readonly refId: string;
  readonly jobs: readonly ComparedJob[];
  readonly total: number;
  /** In the order of risk. */
  readonly facts: readonly ComparedFact[];
  /** The number of facts that are equal in all jobs, shown or not. */
  readonly equal: number;
  readonly executedQuery: string;
}

/** One row a fact, one column a job, named by its id. Numbers are texts with as many digits as tell them apart. */
export function createDiffFrame({ refId, jobs, total, facts, equal, executedQuery }: DiffAnswer): DataFrame {
  const meta: DiffMeta = { kind: 'diff', jobs: jobs.length, total, equal };
  const isCut = jobs.length < total;
  const texts = (name: string, read: (fact: ComparedFact) => string | null): Field => ({
    ...{ name, type: FieldType.string, values: facts.map(read), config: {} },
  });
  return toDataFrame({
    refId,
    name: 'diff',
    meta: {
      preferredVisualisationType: 'table',
      executedQueryString: executedQuery,
      custom: createCustomMeta(meta),
      notices: isCut ? [createNotice(`The first ${jobs.length} of ${total} jobs; a limit shows more.`)] : [],
    },
    fields: [
      texts('what', ({ name }) => name),
      texts('kind', ({ kind }) => kind),
      texts('risk', ({ risk }) => risk),
      { name: 'differs', type: FieldType.boolean, values: facts.map(({ differs }) => differs), config: {} },
      ...nameJobs(jobs.map(({ record }) => record)).map((name, at) =>
        texts(name, (fact) => (fact.values[at] === undefined ? null : formatFact(fact, at)))
      ),
    ],
  });
}
