import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { BINARY } from '../joblens-command.js';

/** What a tool answered: its notes, and the lines of data. */
export interface Called {
  readonly isError: boolean;
  readonly notes: string;
  readonly lines: readonly string[];
  /** The characters of the whole answer. */
  readonly chars: number;
}

export interface McpClient {
  readonly client: Client;
  call(name: string, given?: Record<string, unknown>): Promise<Called>;
  /** What the server said on stderr. */
  stderr(): string;
  close(): Promise<void>;
}

/** The official client, with a `joblens mcp` of its own that reads this store. */
export async function startMcpClient(url: string, options: readonly string[] = []): Promise<McpClient> {
  const transport = new StdioClientTransport({
    command: BINARY,
    args: ['mcp', '--url', url, '--bucket', 'joblens', ...options],
    env: { PATH: process.env['PATH'] ?? '', HOME: '/nonexistent', TZ: 'UTC' },
    stderr: 'pipe',
  });
  let said = '';
  transport.stderr?.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(transport);
  return {
    client,
    stderr: () => said,
    async call(name, given = {}) {
      const answer = await client.callTool({ name, arguments: given });
      const texts = answer.content.map((part) => (part.type === 'text' ? part.text : ''));
      const [notes = '', data] = texts;
      return {
        isError: answer.isError === true,
        notes,
        lines: data === undefined ? [] : data.split('\n'),
        chars: texts.reduce((sum, { length }) => sum + length, 0),
      };
    },
    close: () => client.close(),
  };
}
