import type { Difference } from '@joblens/core/ask/why/rank-differences';
import type { WhyReport } from '@joblens/core/report/why-report';
import { readWhyReport } from '../comparison/read-why-report.js';
import type { Column } from '../shell/column.js';
import { cutText } from './answer.js';
import { explainFailureToAgent } from './explain-failure.js';
import { ONE_JOB, readTextArgument, refuse, type Tool } from './tool.js';
import { createToolReading } from './tool-reading.js';

type WhyRow = { readonly end: Omit<WhyReport, 'differences'> } | { readonly difference: Difference };

const COLUMNS: ReadonlyArray<Column<WhyRow>> = [
  {
    name: 'end',
    value: (row) => ('end' in row ? row.end.kind : undefined),
    json: (row) => ('end' in row ? JSON.stringify(row.end) : undefined),
  },
  { name: 'risk', value: (row) => ('difference' in row ? row.difference.risk : undefined) },
  { name: 'name', value: (row) => ('difference' in row ? row.difference.name : undefined) },
  { name: 'text', value: (row) => ('difference' in row ? row.difference.text : undefined) },
];

export const EXPLAIN_JOB: Tool = {
  name: 'explain_job',
  title: 'Say why a job failed',
  description:
    'Why a job failed: the reason from its output, which of its processes failed first, and what is other than in the ' +
    'last jobs like it that went well, the likeliest cause first.',
  parameters: ONE_JOB,
  async call(context, given) {
    const [job = '', user] = [readTextArgument(given, 'job'), readTextArgument(given, 'user')];
    const why = await readWhyReport(context.reading, job, user);
    if (!why.ok) return refuse(await explainFailureToAgent(context.reading, why.error));
    const { differences, ...end } = why.value;
    const { reading, printed } = createToolReading(context, { offset: 0, limit: Infinity });
    await reading.createPrinter(COLUMNS).print([{ end }, ...differences.map((difference) => ({ difference }))]);
    const { lines, isFull } = printed.bounded;
    const link = context.linkJob({ job, user: end.user });
    return {
      notes: [
        `How it ended, then what differs, one fact a line, the likeliest cause first: ${differences.length} in all.`,
        isFull
          ? `There is room for the first ${lines.length - 1} only; diff_jobs takes "only", for one kind of fact.`
          : '',
        'search_log shows the lines around the reason.',
        link === undefined ? '' : `Page of the job: ${cutText(link, 500)}`,
      ],
      lines,
    };
  },
};
