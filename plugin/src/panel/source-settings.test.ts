import { dateTime, LoadingState, type PanelData } from '@grafana/data';
import { config, type DataSourceSrv, setDataSourceSrv } from '@grafana/runtime';
import { VIEWS } from '../registry/registry.js';
import { explainAnswer } from './empty.js';
import { findSettingsWay } from './source-settings.js';

const RANGE = { from: dateTime(0), to: dateTime(1), raw: { from: dateTime(0), to: dateTime(1) } };
const MISSING = 'InfluxDB has no database "joblens" (database not found): create it, or correct the database.';

/** The answer to a query of the data source that the variable names. */
function createFailure(message: string): PanelData {
  const targets = [{ refId: 'A', queryType: 'logs', datasource: { type: 'joblens-datasource', uid: '$source' } }];
  const error = { message };
  return { state: LoadingState.Error, series: [], timeRange: RANGE, error, request: { targets } as never };
}

function signIn(user: object | undefined): void {
  (config as { bootData?: unknown }).bootData = { user };
}

const fillIn = (text: string): string => text.replace('$source', 'a/b');

beforeAll(() => {
  const getInstanceSettings = (uid: unknown) => (uid === 'a/b' ? { uid } : undefined);
  setDataSourceSrv({ getInstanceSettings } as unknown as DataSourceSrv);
});

it.each([
  ['who may', { permissions: { 'datasources:write': true } }, true],
  ['who may not', { permissions: { 'datasources:read': true }, orgRole: 'Admin' }, false],
  ['who is an admin of a Grafana without permissions', { orgRole: 'Admin' }, true],
  ['who views such a Grafana', { orgRole: 'Viewer' }, false],
  ['of a page without users', undefined, false],
])('leads a viewer %s to the settings', (_name, user, isLed) => {
  signIn(user);
  const href = isLed ? '/datasources/edit/a%2Fb' : undefined;
  expect(findSettingsWay(createFailure(MISSING), fillIn)?.href).toBe(href);
});

it('leads nowhere when the data source is not known', () => {
  signIn({ orgRole: 'Admin' });
  expect(findSettingsWay(createFailure(MISSING), (text) => text)).toBeUndefined();
});

it.each([
  ['a missing database', MISSING, 'The database is missing', 1],
  ['a refused token', 'InfluxDB refused the token: enter one in the data source settings.', 'The query failed', 1],
  ['a wrong query', 'InfluxDB did not understand the query', 'The query failed', 0],
])('offers the settings as the way out of %s', (_name, message, title, ways) => {
  const settings = { label: 'Data source settings', href: '/datasources/edit/x' };
  const explained = explainAnswer(VIEWS.log, createFailure(message), settings);
  expect(explained?.title).toBe(title);
  expect(explained?.ways).toHaveLength(ways);
});
