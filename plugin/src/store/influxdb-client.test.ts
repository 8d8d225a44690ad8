import { firstValueFrom, type Subscription } from 'rxjs';
import { createBackend, createResults } from '../../test/fake-backend.js';
import { createInfluxdbClient } from './influxdb-client.js';
import { StoreError } from './store-error.js';

function create(isTokenRoute = false) {
  const backend = createBackend(() => createResults([]));
  const client = createInfluxdbClient(backend, {
    url: '/api/datasources/proxy/uid/joblens',
    database: 'my db&x',
    isTokenRoute,
  });
  return { backend, client };
}

describe('createInfluxdbClient', () => {
  it.each([
    [false, '/api/datasources/proxy/uid/joblens/query'],
    [true, '/api/datasources/proxy/uid/joblens/token/query'],
  ])('with the token route %p asks at %s', async (isTokenRoute, path) => {
    const { backend, client } = create(isTokenRoute);
    await firstValueFrom(client.queryText(`SELECT "a b" FROM x`));
    const [sent] = backend.sent;
    expect(sent?.method).toBe('GET');
    expect(sent?.url.pathname).toBe(path);
    expect(Object.fromEntries(sent?.url.searchParams ?? [])).toEqual({ db: 'my db&x', q: `SELECT "a b" FROM x` });
  });

  it('sends a long query as a form', async () => {
    const { backend, client } = create();
    const text = `SELECT a FROM b WHERE c = '${'ü&='.repeat(900)}'`;
    await firstValueFrom(client.queryText(text));
    const [sent] = backend.sent;
    expect(sent?.method).toBe('POST');
    expect(sent?.request.headers).toEqual({ 'Content-Type': 'application/x-www-form-urlencoded' });
    expect(sent?.url.searchParams.get('db')).toBe('my db&x');
    expect(sent?.url.searchParams.has('q')).toBe(false);
    expect(sent?.q).toBe(text);
  });

  it('asks nothing for no statements', async () => {
    const { backend, client } = create();
    expect(await firstValueFrom(client.query([]))).toEqual([]);
    expect(backend.sent).toEqual([]);
  });

  it('aborts the request when nobody waits any more', () => {
    const { backend, client } = create();
    const waiting: Subscription = client.queryText('SHOW DATABASES').subscribe();
    waiting.unsubscribe();
    expect(backend.sent.map(({ isAborted }) => isAborted)).toEqual([true]);
  });

  it('asks once for what several ask at the same moment, and a moment later', async () => {
    const { backend, client } = create();
    const ask = (): Promise<unknown> => firstValueFrom(client.queryText('SHOW DATABASES'));
    const [first, second] = await Promise.all([ask(), ask()]);
    expect(second).toBe(first);
    expect(await ask()).toBe(first);
    expect(backend.sent).toHaveLength(1);
    await new Promise((resolve) => setTimeout(resolve, 600));
    await ask();
    expect(backend.sent).toHaveLength(2);
  });

  it('aborts a shared request only when the last one leaves, and then asks anew', async () => {
    const { backend, client } = create();
    const [first, second] = [1, 2].map(() => client.queryText('SHOW DATABASES').subscribe());
    first?.unsubscribe();
    const third = firstValueFrom(client.queryText('SHOW DATABASES'));
    second?.unsubscribe();
    await third;
    expect(backend.sent.map(({ isAborted }) => isAborted)).toEqual([false]);
    client.queryText('SHOW MEASUREMENTS').subscribe().unsubscribe();
    await firstValueFrom(client.queryText('SHOW MEASUREMENTS'));
    expect(backend.sent.map(({ isAborted }) => isAborted)).toEqual([false, true, false]);
  });

  it('tells an answer that was cut on its way from a store that cannot be reached', async () => {
    // As Grafana's backendSrv reports it: without a status.
    const backend = createBackend(() => ({ status: 0, data: { message: 'Unexpected error' } }));
    const client = createInfluxdbClient(backend, { url: '', database: 'd', isTokenRoute: false });
    await expect(firstValueFrom(client.queryText('a'))).rejects.toThrow(/did not come through to the browser/);
    // Once more: the next answer may come through.
    expect(backend.sent).toHaveLength(2);
  });

  it('has the second answer where the first one was cut', async () => {
    const answers = [{ status: 0 }, createResults([])];
    const backend = createBackend(() => answers.shift() ?? { status: 500 });
    const client = createInfluxdbClient(backend, { url: '', database: 'd', isTokenRoute: false });
    expect(await firstValueFrom(client.queryText('a'))).toEqual([{ statement_id: 0 }]);
  });

  it('asks again after an error', async () => {
    const backend = createBackend(() => ({ status: 502 }));
    const client = createInfluxdbClient(backend, { url: '', database: 'd', isTokenRoute: false });
    const ask = (): Promise<unknown> => firstValueFrom(client.queryText('a'));
    await expect(ask()).rejects.toThrow(/cannot be reached/);
    await expect(ask()).rejects.toThrow(/cannot be reached/);
    expect(backend.sent).toHaveLength(2);
  });

  it('gives the error of the statement that failed, not of those it kept from running', async () => {
    const backend = createBackend(() => ({
      data: {
        results: [
          { statement_id: 0, error: 'not executed' },
          { statement_id: 1, error: 'field is gone' },
        ],
      },
    }));
    const client = createInfluxdbClient(backend, { url: '', database: 'd', isTokenRoute: false });
    const failure: unknown = await firstValueFrom(client.queryText('a; b')).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(StoreError);
    expect(failure).toMatchObject({ kind: 'query', message: 'InfluxDB could not answer the query: field is gone' });
  });

  it('asks for the reason where InfluxDB 1.x only says that nothing was executed', async () => {
    const backend = createBackend((q) => {
      const error = q.includes(';') ? 'not executed' : 'database not found: d';
      return { data: { results: [{ statement_id: 0, error }] } };
    });
    const client = createInfluxdbClient(backend, { url: '', database: 'd', isTokenRoute: false });
    const statements = [{ kind: 'showDatabases' }, { kind: 'showMeasurements' }] as const;
    await expect(firstValueFrom(client.query(statements))).rejects.toMatchObject({ kind: 'databaseMissing' });
    expect(backend.sent.map(({ q }) => q)).toEqual(['SHOW DATABASES; SHOW MEASUREMENTS', 'SHOW DATABASES']);
  });
});
