import {
  type DataQueryRequest,
  type DataQueryResponse,
  type DataSourceInstanceSettings,
  dateTime,
} from '@grafana/data';
import type { BackendSrvRequest } from '@grafana/runtime';
import { Observable } from 'rxjs';
import { createResults } from '../../test/fake-backend.js';
import { createTemplates } from '../../test/fake-templates.js';
import type { JoblensQuery } from '../query-types/parts/query-type.js';
import { QUERY_TYPES } from '../registry/registry.js';
import { JoblensDataSource } from './datasource.js';
import type { JoblensOptions } from './types.js';

const FROM_MS = 1_700_000_000_000;
const REFRESH_MS = 10_000;

/** A store that answers when it is told to, with nothing, and counts the questions that were left. */
function createSlowStore() {
  const open = new Set<() => void>();
  let left = 0;
  const fetch = <T>(request: BackendSrvRequest) =>
    new Observable<T>((subscriber) => {
      const q = new URLSearchParams(request.url.split('?')[1] ?? String(request.data)).get('q') ?? '';
      const answer = (): void => {
        open.delete(answer);
        const { data } = createResults(...q.split('; ').map(() => []));
        subscriber.next({ status: 200, config: request, data } as T);
        subscriber.complete();
      };
      open.add(answer);
      return () => {
        if (open.delete(answer)) left += 1;
      };
    });
  return { fetch, listOpen: () => [...open], countLeft: () => left };
}

type Store = ReturnType<typeof createSlowStore>;

function createPanel(store: Store, query: Partial<JoblensQuery>) {
  const settings = { url: '/ds', name: 'Joblens', jsonData: {} } as DataSourceInstanceSettings<JoblensOptions>;
  const dataSource = new JoblensDataSource(settings, { fetch: store.fetch }, createTemplates({ job: 'a-1 (x)' }));
  let refreshes = 0;
  return () => {
    const atMs = FROM_MS + refreshes * REFRESH_MS;
    refreshes += 1;
    jest.spyOn(Date, 'now').mockReturnValue(atMs);
    const range = { from: dateTime(atMs - 3_600_000), to: dateTime(atMs), raw: { from: 'now-1h', to: 'now' } };
    const targets = [{ refId: 'A', job: '$job', ...query }];
    const request = { targets, range, scopedVars: {}, requestId: `Q${String(refreshes)}` } as unknown;
    const answers: DataQueryResponse[] = [];
    const listening = dataSource
      .query(request as DataQueryRequest<JoblensQuery>)
      .subscribe((answer) => answers.push(answer));
    return { answers, listening };
  };
}

const settle = (): Promise<unknown> => new Promise((resolve) => setTimeout(resolve, 0));

afterEach(() => jest.restoreAllMocks());

const QUERIES = Object.entries(QUERY_TYPES)
  .map(([queryType]) => ({ queryType, rawQuery: 'SELECT "loss" FROM "job_metadata" WHERE $timeFilter', tag: 'a=b' }))
  .filter((query) => QUERY_TYPES[query.queryType as keyof typeof QUERY_TYPES].isRunnable?.(query as never) !== false);

it.each(QUERIES)('a store slower than the refreshes starves no panel of $queryType', async (query) => {
  const store = createSlowStore();
  const refresh = createPanel(store, query);
  let panel = refresh();
  for (let step = 0; step < 20 && !panel.listening.closed; step++) {
    await settle();
    const waiting = store.listOpen();
    panel.listening.unsubscribe();
    panel = refresh();
    await settle();
    // Only what was asked before the refresh is answered.
    waiting.forEach((answer) => answer());
  }
  expect(panel.listening.closed).toBe(true);
  expect(panel.answers.at(-1)?.errors).toBeUndefined();
  expect(store.countLeft()).toBe(0);
});
