import { COMPARE } from '../comparison/compare-subcommand.js';
import { DIFF } from '../comparison/diff-subcommand.js';
import { EVENTS } from '../events/events-subcommand.js';
import { JOBS } from '../jobs/jobs-subcommand.js';
import { createCommandTool } from './command-tool.js';
import { GET_JOB } from './job-tool.js';
import { READ_LOG, SEARCH_LOG } from './log-tools.js';
import { LIST_TABLES, READ_TABLE } from './table-tools.js';
import type { Tool } from './tool.js';
import { EXPLAIN_JOB } from './why-tool.js';

const TIMES = 'A time is 2h or 1d12h (ago), today, yesterday, 14:30 or ISO 8601 (UTC with Z).';

/** Everything that an agent may ask. */
export const TOOLS: readonly Tool[] = [
  createCommandTool({
    name: 'find_jobs',
    title: 'Find jobs',
    description: `Jobs that lived in a range of time, running ones first, then the newest, or how many are in which state. ${TIMES}`,
    subcommand: JOBS,
    options: ['--user', '--state', '--tag', '--config', '--after', '--before', '--text', '--by-state'],
    hasLimit: true,
    ifNone: 'Without "after", only jobs of the last 24 hours are found; "after": "7d" looks further back.',
  }),
  GET_JOB,
  EXPLAIN_JOB,
  READ_LOG,
  SEARCH_LOG,
  LIST_TABLES,
  READ_TABLE,
  createCommandTool({
    name: 'compare_jobs',
    title: 'Compare jobs',
    description: `Jobs side by side, one a row: the configuration and tags that differ, and what came of it. Name jobs, or give a tag; without both, the experiments that there are. ${TIMES}`,
    subcommand: COMPARE,
    jobs: {
      type: 'texts',
      description: 'ids of jobs, whenever they ran; "ID of user NAME" where several users have one',
    },
    options: ['--tag', '--user', '--after', '--before', '--key', '--stat', '--sort', '--by'],
    ifNone: 'No job has this tag in that time; "after": "90d" looks further back.',
  }),
  createCommandTool({
    name: 'diff_jobs',
    title: 'Say what differs between jobs',
    description:
      'What differs between two jobs or more, one fact a row, what more often explains another result first: ' +
      'configuration, tags, command, machine, outcome, numbers.',
    subcommand: DIFF,
    jobs: {
      type: 'texts',
      description: 'ids of two jobs or more; "ID of user NAME" where several users have one',
      isRequired: true,
    },
    options: ['--all', '--only', '--stat', '--user'],
    ifNone: 'Nothing differs.',
  }),
  createCommandTool({
    name: 'find_events',
    title: 'Find events',
    description: `What happened to jobs, newest first: changes of state, errors in the output (topic signal), and events that they logged. ${TIMES}`,
    subcommand: EVENTS,
    options: [
      ...['--job', '--user', '--tag', '--topic', '--from-state', '--to-state'],
      ...['--text', '--after', '--before', '--order', '--topics'],
    ],
    hasLimit: true,
    ifNone: 'Without "job" and "after", only events of the last 24 hours are found; "after": "7d" looks further back.',
  }),
];
