import { SINCE_EVER } from '@joblens/core/ask/reading/selection';
import { readLastValues } from '@joblens/core/ask/jobs/last-values';
import { JOBS } from '../jobs/jobs-subcommand.js';
import { formatFailure } from '../shell/failure.js';
import { listPrintedTables } from '../shell/job-tables.js';
import { cutText } from './answer.js';
import { formatNumbered, OF_ALL } from './log-tools.js';
import { readLastLines } from './numbered-lines.js';
import { findTables } from './table-tools.js';
import { ONE_JOB, refuse, type Tool } from './tool.js';
import { createToolReading } from './tool-reading.js';

const [LAST_LINES, MAX_VALUES] = [20, 100];

export const GET_JOB: Tool = {
  name: 'get_job',
  title: 'Look at a job',
  description:
    'A job in short: its state, how far it is, why it failed, its command and configuration; the last values of the ' +
    'numbers that it printed; the last lines of its log.',
  parameters: ONE_JOB,
  async call(context, given) {
    const found = await findTables(context.reading, given);
    if (!found.ok) return found.error;
    const { record, tables } = found.value;
    const { job, user } = record;
    const { reading, printed } = createToolReading(context, { offset: 0, limit: Infinity });
    const described = JOBS.prepareReading({ user: [user] }, reading.settings, [job]);
    if (!described.ok) return refuse(described.error);
    await described.value(reading);
    if (printed.failure !== undefined) return refuse(formatFailure(printed.failure));
    const { bounded } = printed;
    const values = [...readLastValues(listPrintedTables(tables))].slice(0, MAX_VALUES);
    if (values.length > 0) bounded.add(JSON.stringify({ last_values: Object.fromEntries(values) }));
    const selection = { job, user, streams: [], ...SINCE_EVER };
    const last = await readLastLines(context.reading, selection, LAST_LINES);
    if (!last.ok) return refuse(last.error);
    for (const each of last.value.lines) if (!bounded.add(formatNumbered(each, OF_ALL, '\t'))) break;
    const link = context.linkJob({ job, user });
    return {
      notes: [
        `The job, ${values.length > 0 ? 'the last values of its numbers, ' : ''}and the last lines of its log.`,
        tables.length > 0 ? 'list_tables has the least and greatest values.' : '',
        'read_log and search_log have the whole log; find_events says when its state changed.',
        link === undefined ? '' : `Page of the job: ${cutText(link, 500)}`,
      ],
      lines: bounded.lines,
    };
  },
};
