import { spawnSync } from 'node:child_process';
import { VERSION } from '../../ingester/src/host/version.js';
import { BINARY } from '../joblens-command.js';

/** Nothing answers there. */
const NOWHERE = 'http://127.0.0.1:1';

function serve(
  input: string,
  url = NOWHERE
): { readonly answers: unknown[]; readonly code: number | null; readonly stderr: string } {
  const env = { PATH: process.env['PATH'], HOME: '/nonexistent', ...(url !== '' && { INFLUX_HOST: url }) };
  const { stdout, stderr, status } = spawnSync(BINARY, ['mcp'], { input, env, encoding: 'utf8' });
  const lines = stdout.split('\n').filter((line) => line !== '');
  return { answers: lines.map((line) => JSON.parse(line) as unknown), code: status, stderr };
}

const ask = (id: number, method: string, params?: unknown): string =>
  `${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`;

describe('joblens mcp on standard input', () => {
  it.each([
    ['2024-11-05', '2024-11-05'],
    ['2025-11-25', '2025-11-25'],
    ['1999-01-01', '2025-11-25'],
    [undefined, '2025-11-25'],
  ])('speaks the version %s of the client, or else its newest', (wanted, protocolVersion) => {
    const { answers } = serve(ask(1, 'initialize', { protocolVersion: wanted, capabilities: {} }));
    expect(answers).toMatchObject([{ id: 1, result: { protocolVersion, serverInfo: { version: VERSION } } }]);
  });

  it('ends when input ends, with an answer to all that was asked, the last line without its end, too', () => {
    const { answers, code, stderr } = serve(
      `\r\n${ask(1, 'ping')}x\n${ask(2, 'tools/call', { name: 'find_jobs' }).trim()}`
    );
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(answers).toHaveLength(3);
    expect(answers).toContainEqual({ jsonrpc: '2.0', id: 1, result: {} });
    expect(answers).toContainEqual(
      expect.objectContaining({ id: 2, result: expect.objectContaining({ isError: true }) as unknown })
    );
    expect(serve('')).toEqual({ answers: [], code: 0, stderr: '' });
  });

  it('refuses a line that is too long, and goes on', () => {
    const { answers } = serve(`"${'x'.repeat(3_000_000)}"\n${ask(1, 'ping')}`);
    expect(answers).toMatchObject([{ error: { code: -32_700 } }, { id: 1, result: {} }]);
  });

  it('says which tool may be meant', () => {
    const { answers } = serve(ask(1, 'tools/call', { name: 'find_job', arguments: {} }));
    expect(answers).toMatchObject([
      { error: { code: -32_602, message: expect.stringContaining('find_jobs?') as unknown } },
    ]);
  });

  it('exits with 1 where nothing says where to read', () => {
    const { code, stderr } = serve(ask(1, 'ping'), '');
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('set INFLUX_HOST') as unknown });
  });
});
