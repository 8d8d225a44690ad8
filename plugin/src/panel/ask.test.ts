import {
  createTheme,
  type DataFrame,
  type DataQueryRequest,
  type DataQueryResponse,
  type DataSourceApi,
  dateTime,
  FieldConfigOptionsRegistry,
  type FieldConfigPropertyItem,
  FieldType,
} from '@grafana/data';
import { type DataSourceSrv, setDataSourceSrv } from '@grafana/runtime';
import { firstValueFrom, NEVER, Observable, of } from 'rxjs';
import { readValues } from '../frames/field-values.js';
import type { JoblensQuery } from '../query-types/parts/query-type.js';
import type { Ask, AskChanges } from '../views/view.js';
import { createAsk } from './ask.js';

const OURS = { type: 'joblens-datasource', uid: 'joblens' };
const RANGE = { from: dateTime(1000), to: dateTime(9000) };
const SCOPED_VARS = { job: { value: '7', text: '7' } };

type Request = DataQueryRequest<JoblensQuery>;

/** A data source that answers every request alike, by its id, and notes what it was asked. */
function createSources(answer: (request: Request) => Observable<DataQueryResponse> | Promise<DataQueryResponse>) {
  const asked: Array<{ readonly uid: string | undefined; readonly request: Request }> = [];
  setDataSourceSrv({
    get: (ref: { readonly uid?: string } | undefined) =>
      Promise.resolve({
        query: (request: Request) => {
          asked.push({ uid: ref?.uid, request });
          return answer(request);
        },
      } as unknown as DataSourceApi),
  } as unknown as DataSourceSrv);
  return asked;
}

function answerWith(value: number): DataQueryResponse {
  return { data: [{ refId: 'A', fields: [{ name: 'loss', type: FieldType.number, values: [value], config: {} }] }] };
}

function createPanel(targets: readonly Partial<JoblensQuery>[], more: Partial<Parameters<typeof createAsk>[0]> = {}) {
  const request = Object.freeze({
    requestId: 'Q1',
    range: { ...RANGE, raw: RANGE },
    scopedVars: SCOPED_VARS,
    targets: targets.map((target, index) => Object.freeze({ refId: 'ABC'[index], datasource: OURS, ...target })),
  }) as unknown as DataQueryRequest;
  return {
    request,
    theme: createTheme(),
    fieldConfig: { defaults: {}, overrides: [] },
    replaceVariables: (text: string) => text,
    timeZone: 'utc',
    fieldConfigRegistry: undefined,
    ...more,
  };
}

function readFirstColumn({ fields: [first] }: DataFrame): readonly unknown[] {
  return first === undefined ? [] : readValues(first);
}

function require(ask: Ask | undefined): Ask {
  if (ask === undefined) throw new Error('nothing to ask');
  return ask;
}

const TARGETS = [
  { queryType: 'metadata', job: '$job' },
  { queryType: 'logs', job: '$job' },
];

it.each<[string, Parameters<typeof createAsk>[0]]>([
  ['a host that does not say what it asked', createPanel([], { request: undefined })],
  ['no query of the type', createPanel([{ queryType: 'logs' }])],
  ['a hidden query', createPanel([{ queryType: 'metadata', hide: true }])],
  ['another data source', createPanel([{ queryType: 'metadata', datasource: { type: 'influxdb', uid: 'i' } }])],
])('has nobody to ask with %s', (_name, panel) => {
  expect(createAsk(panel, 'metadata')).toBeUndefined();
});

it.each<[string, AskChanges, object, [number, number]]>([
  ['nothing', {}, { queryType: 'metadata', job: '$job' }, [1000, 9000]],
  ['a part', { query: { limit: 5 } }, { queryType: 'metadata', job: '$job', limit: 5 }, [1000, 9000]],
  ['the time range', { range: { from: 20, to: 30 } }, { queryType: 'metadata', job: '$job' }, [20, 30]],
])('asks the queries of the type alone, with %s changed', async (_name, changes, target, range) => {
  const asked = createSources(() => of(answerWith(1)));
  const ask = require(createAsk(createPanel(TARGETS), 'metadata'));
  const frames = await firstValueFrom(ask(changes));
  expect(frames.map(readFirstColumn)).toEqual([[1]]);
  expect(asked).toHaveLength(1);
  const [{ uid, request } = { uid: '', request: undefined }] = asked;
  expect(uid).toBe('joblens');
  expect(request?.targets).toEqual([{ refId: 'A', datasource: OURS, ...target }]);
  expect([request?.range.from.valueOf(), request?.range.to.valueOf()]).toEqual(range);
  expect(request?.scopedVars).toBe(SCOPED_VARS);
  expect(request?.requestId).not.toBe('Q1');
});

it('asks one query, and each data source of a mixed panel', async () => {
  const other = { ...OURS, uid: 'other' };
  const asked = createSources(({ targets }) => Promise.resolve(answerWith(targets.length)));
  const ask = require(
    createAsk(
      createPanel([{ queryType: 'logs' }, { queryType: 'logs', datasource: other }, { datasource: other }]),
      'logs'
    )
  );
  const frames = await firstValueFrom(ask({}));
  expect(frames.map(readFirstColumn)).toEqual([[1], [2]]);
  await firstValueFrom(ask({ refId: 'B' }));
  expect(asked.map(({ uid, request }) => [uid, request.targets.map(({ refId }) => refId).join('')])).toEqual([
    ['joblens', 'A'],
    ['other', 'BC'],
    ['other', 'B'],
  ]);
  expect(new Set(asked.map(({ request }) => request.requestId)).size).toBe(3);
});

it('gives the panel’s field options to the frames', async () => {
  createSources(() => of(answerWith(1)));
  const unit = { id: 'unit', path: 'unit', process: (value: unknown) => value, shouldApply: () => true };
  const panel = createPanel(TARGETS, {
    fieldConfig: { defaults: { unit: 'bytes' }, overrides: [] },
    fieldConfigRegistry: new FieldConfigOptionsRegistry(() => [unit as unknown as FieldConfigPropertyItem]),
  });
  const [frame] = await firstValueFrom(require(createAsk(panel, 'metadata'))({}));
  expect(frame?.fields[0]?.config.unit).toBe('bytes');
});

it.each<[string, DataQueryResponse]>([
  ['newer', { data: [], errors: [{ message: 'no such database' }] }],
  ['older', { data: [], error: { message: 'no such database' } }],
])('errors with the reason of the data source, as %s Grafana gives it', async (_name, answer) => {
  createSources(() => of(answer));
  await expect(firstValueFrom(require(createAsk(createPanel(TARGETS), 'metadata'))({}))).rejects.toThrow(
    'no such database'
  );
});

it('is cancelled when nobody waits any more', async () => {
  const cancelled = jest.fn();
  const started = new Promise<void>((resolve) => {
    createSources(
      () =>
        new Observable(() => {
          resolve();
          const inner = NEVER.subscribe();
          return () => {
            inner.unsubscribe();
            cancelled();
          };
        })
    );
  });
  const subscription = require(createAsk(createPanel(TARGETS), 'logs'))({}).subscribe();
  await started;
  expect(cancelled).not.toHaveBeenCalled();
  subscription.unsubscribe();
  expect(cancelled).toHaveBeenCalledTimes(1);
});
