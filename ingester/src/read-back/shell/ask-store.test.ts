import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Statement } from '@joblens/core/influxql/nodes';
import { createAskStore } from './ask-store.js';

const STATEMENTS: readonly Statement[] = [{ kind: 'showDatabases' }, { kind: 'showMeasurements' }];
const MISSING = { statement_id: 0, error: 'database not found: joblens' };
const SKIPPED = { statement_id: 0, error: 'not executed' };

/** What the user is told when a store answers two statements, and the first one alone, with these results. */
async function askAndFail(both: readonly object[], firstAlone: readonly object[]): Promise<string | undefined> {
  const server = createServer((request, response) => {
    response.end(JSON.stringify({ results: request.url?.includes('MEASUREMENTS') === true ? both : firstAlone }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  try {
    const answer = await createAskStore({ url, bucket: 'joblens', api: 'auto', timeoutMs: 5000 })(STATEMENTS);
    return answer.ok ? undefined : /: InfluxDB says "(.*)";/.exec(answer.error)?.[1];
  } finally {
    await new Promise((resolve) => server.close(resolve));
  }
}

describe('a store that cannot answer', () => {
  it('is waited for as long as a question may take, and the user is told what to do', async () => {
    const server = createServer(() => undefined);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const answer = await createAskStore({ url, bucket: 'joblens', api: 'auto', timeoutMs: 50 })(STATEMENTS);
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    expect(answer).toEqual({ ok: false, error: `cannot ask ${url}: no answer in 0.05 s; ask for less, or try again` });
  });

  it.each([
    ['says why where InfluxDB 1.x only says that nothing was executed', [SKIPPED], [MISSING], MISSING.error],
    ['is quoted as it is where the first statement alone succeeds', [SKIPPED], [{}], SKIPPED.error],
    ['is quoted on what failed, not on what was left out', [SKIPPED, { error: 'field is gone' }], [], 'field is gone'],
  ] as const)('%s', async (_title, both, firstAlone, told) => {
    expect(await askAndFail(both, firstAlone)).toBe(told);
  });
});
