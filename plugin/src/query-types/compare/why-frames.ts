import { type DataFrame, type Field, FieldType, toDataFrame } from '@grafana/data';
import { formatAgainst, formatElsewhere, formatFirst } from '@joblens/core/report/format-why';
import type { WhyReport } from '@joblens/core/report/why-report';
import type { WhyMeta } from '../../frames/comparison-meta.js';
import { createCustomMeta } from '../../frames/frame-meta.js';

interface WhyAnswer {
  readonly refId: string;
  readonly report: WhyReport;
  readonly executedQuery: string;
}

/** One row a difference from the jobs that went well, the likeliest cause first. */
export function createWhyFrame({ refId, report, executedQuery }: WhyAnswer): DataFrame {
  const { job, user, differences } = report;
  const texts = (name: 'risk' | 'name' | 'text'): Field => ({
    ...{ name, type: FieldType.string, values: differences.map((one) => one[name]), config: {} },
  });
  const said = {
    ...{ first: formatFirst(report), elsewhere: formatElsewhere(report) },
    ...{ against: formatAgainst(report), good: report.against?.jobs[0] },
  };
  const meta: WhyMeta = { kind: 'why', job, user, ...dropUnknown(said) };
  return toDataFrame({
    refId,
    name: 'why',
    meta: {
      preferredVisualisationType: 'table',
      executedQueryString: executedQuery,
      custom: createCustomMeta(meta),
    },
    fields: [texts('name'), texts('text'), texts('risk')],
  });
}

function dropUnknown(said: Readonly<Record<string, string | undefined>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(said).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]))
  );
}
