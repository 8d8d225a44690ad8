import { type DataFrame, type Field, type FieldConfig, FieldType, toDataFrame } from '@grafana/data';
import type { ComparedFact, ComparedJob } from '@joblens/core/ask/comparison/compare-jobs';
import { findFact } from '@joblens/core/ask/comparison/find-fact';
import { isUsageKey } from '@joblens/core/ask/tables/job-usage';
import { createCustomMeta } from '../../frames/frame-meta.js';
import { createNotice } from '../../frames/notice.js';
import { STATE_MAPPINGS } from '../../frames/state-kind.js';
import { JOB_LINK } from '../events/event-frames.js';
import { createRangeFields, readJobRange, readStartedMs } from '../jobs/job-ranges.js';

interface CompareAnswer {
  readonly refId: string;
  readonly jobs: readonly ComparedJob[];
  readonly total: number;
  readonly facts: readonly ComparedFact[];
  /** What to show; none means what differs, and the main numbers. */
  readonly keys: readonly string[];
  readonly by: string | undefined;
  readonly nowMs: number;
  readonly executedQuery: string;
}

/** Numbers without being asked for: those of the main table come first. */
const SHOWN_RESULTS = 12;
const DEFAULT_GROUP = 'tag.group';

/** One row a job: who it is, its group, what it was given, and what came of it. */
export function createCompareFrame(answer: CompareAnswer): DataFrame {
  const { refId, jobs, total, facts, by, nowMs, executedQuery } = answer;
  const isCut = jobs.length < total;
  const group = findFact(facts, by ?? DEFAULT_GROUP);
  const records = jobs.map(({ record }) => record);
  const texts = (name: string, values: ReadonlyArray<string | undefined>, config: FieldConfig = {}): Field =>
    createField(name, FieldType.string, values, config);
  return toDataFrame({
    refId,
    name: 'compare',
    meta: {
      preferredVisualisationType: 'table',
      executedQueryString: executedQuery,
      custom: createCustomMeta({ kind: 'compare' }),
      notices: isCut ? [createNotice(`${jobs.length} of ${total} jobs.`)] : [],
    },
    fields: [
      texts(
        'job',
        records.map(({ job }) => job),
        { links: [JOB_LINK] }
      ),
      texts(
        'user',
        records.map(({ user }) => user)
      ),
      texts(
        'name',
        records.map(({ name }) => name)
      ),
      texts(
        'state',
        records.map(({ state }) => state),
        { mappings: [...STATE_MAPPINGS] }
      ),
      texts(
        'group',
        records.map((_record, at) => formatGroup(group?.values[at]))
      ),
      ...chooseFacts(answer, group).map((fact) => createFactField(fact, jobs.length)),
      createField(
        'started',
        FieldType.time,
        records.map((record) => readStartedMs(record) ?? undefined)
      ),
      ...createRangeFields(records.map((record) => readJobRange(record, nowMs))),
    ],
  });
}

/** What is asked for by name, or what differs of what the jobs were given, how long they took, and the main numbers. */
function chooseFacts({ facts, keys }: CompareAnswer, group: ComparedFact | undefined): readonly ComparedFact[] {
  if (keys.length > 0) return [...new Set(keys.flatMap((key) => findFact(facts, key) ?? []))];
  const given = facts.filter(
    (fact) => fact.differs && (fact.kind === 'config' || fact.kind === 'tag') && fact !== group
  );
  const took = facts.filter(({ kind, name }) => kind === 'outcome' && name === 'took_s');
  const results = facts.filter(({ kind, name }) => kind === 'result' && !isUsageKey(name));
  return [...given, ...results.slice(0, SHOWN_RESULTS), ...took];
}

/** Numbers where every job that has it has a number. */
function createFactField({ kind, name, values }: ComparedFact, count: number): Field {
  const isNumeric = values.every((value) => typeof value !== 'string');
  const unit = kind === 'outcome' && name === 'took_s' ? { unit: 's' } : {};
  const cells = Array.from({ length: count }, (_, at) => values[at]);
  if (isNumeric) return createField(name, FieldType.number, cells, unit);
  return createField(name, FieldType.string, cells.map(formatGroup));
}

function createField(
  name: string,
  type: FieldType,
  values: ReadonlyArray<string | number | undefined>,
  config: FieldConfig = {}
): Field {
  return { name, type, values: values.map((value) => value ?? null), config };
}

function formatGroup(value: string | number | undefined): string | undefined {
  return value === undefined ? undefined : String(value);
}
