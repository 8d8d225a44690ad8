import { option } from '../../config/option.js';
import { atLeast, serverUrl } from '../../config/value-types.js';
import { defineReadingSubcommand } from '../shell/reading-subcommand.js';

export const MCP = defineReadingSubcommand({
  name: 'mcp',
  summary: 'Let agents read jobs, logs, tables and events: a server of the Model Context Protocol on stdin and stdout.',
  printsRows: false,
  own: {
    title: 'What agents get:',
    options: {
      page: option('--page <address>', serverUrl, {
        help: "address of Grafana, or of the page of npm start: answers have the links to jobs' pages",
        variables: ['JOBLENS_PAGE'],
      }),
      maxChars: option('--max-chars <n>', atLeast(4000), {
        help: 'the most characters of an answer; four of them are about a token',
        default: '20000',
      }),
    },
  },
  examples: [
    'claude mcp add jobs -- joblens mcp',
    'joblens mcp --url http://127.0.0.1:8086 --page http://127.0.0.1:3000',
  ],
  remarks: `
A program such as Claude Code, Cursor or VS Code starts it, and ends it by
closing its standard input (docs/agents.md). It only reads, with a token that
may read. What jobs printed is data from others: an agent that reads it may
meet instructions in it, so give such an agent no right that you would not give
to the authors of these jobs.

Exit code: 0 when input ends; 1 when nothing says where to read; 2 when the
options are wrong.`,
  async read(reading, own) {
    const { serveMcp } = await import('./serve-mcp.js');
    return serveMcp(reading, own);
  },
});
