/* eslint-disable @typescript-eslint/no-deprecated -- the oldest Grafana has no others */
import {
  applyFieldOverrides,
  CoreApp,
  createTheme,
  type DataFrame,
  type DataQueryRequest,
  type DataQueryResponse,
  type DataSourceApi,
  type DataSourceInstanceSettings,
  type DataSourceJsonData,
  type DataSourcePluginMeta,
  dateTime,
  EventBusSrv,
  type FieldConfigSource,
  LoadingState,
  locationUtil,
  type PanelData,
  type PanelPlugin,
  type PanelProps,
  toDataFrame,
} from '@grafana/data';
import { type DataSourceSrv, setAppEvents, setBackendSrv, setDataSourceSrv, setTemplateSrv } from '@grafana/runtime';
import { GlobalStyles, ThemeContext } from '@grafana/ui';
import React, { useEffect, useState } from 'react';
import { from } from 'rxjs';
import { BackendService } from '../../../standalone/src/page/backend-service.js';
import { registerFieldConfig } from '../../../standalone/src/page/field-config.js';
import {
  importDataSource,
  importPanel,
  readPluginMeta,
  shareModules,
} from '../../../standalone/src/page/plugin-loader.js';

/*
 * The least that a Grafana gives to a panel, on whatever React and @grafana packages this is bundled with: services, a
 * theme, the answers to queries with field options applied. It has no scenes, which the oldest Grafana does not have.
 */

const MINUTE_MS = 60_000;
const QUERY_TYPES = ['metadata', 'logs', 'jobs'];
const VIEWS = ['job', 'graph', 'table', 'log'];
const SIZE = { width: 1400, height: 1400 };
const THEME = createTheme({ colors: { mode: 'dark' } });
const fillIn = (text: string): string => text;

function installServices(): void {
  shareModules();
  setBackendSrv(new BackendService());
  const templates = { replace: (text = '') => text, getVariables: () => [], containsTemplate: () => false };
  setTemplateSrv({ ...templates, updateTimeRange: () => undefined });
  setAppEvents(new EventBusSrv());
  registerFieldConfig();
  const linkConfig = { appUrl: '', appSubUrl: '' } as Parameters<typeof locationUtil.initialize>[0]['config'];
  locationUtil.initialize({
    config: linkConfig,
    getTimeRangeForUrl: () => ({ from: 'now-15m', to: 'now' }),
    getVariablesUrlParams: () => ({}),
  });
}

async function createDataSource(): Promise<DataSourceApi> {
  const meta = await readPluginMeta<DataSourcePluginMeta>('datasource');
  const settings = {
    ...{ id: 1, uid: 'joblens', name: 'Joblens', type: meta.id, meta, access: 'proxy', readOnly: true },
    ...{ url: '/api/datasources/proxy/uid/joblens', jsonData: { database: 'joblens' } as DataSourceJsonData },
  } satisfies DataSourceInstanceSettings;
  const dataSource = await importDataSource(settings);
  const sources = { get: () => Promise.resolve(dataSource), getInstanceSettings: () => settings, getList: () => [] };
  setDataSourceSrv(sources as unknown as DataSourceSrv);
  return dataSource;
}

/** A page that shows all views of the job that its address names. */
export async function createHost(): Promise<React.ReactElement> {
  installServices();
  const [dataSource, plugin] = await Promise.all([createDataSource(), importPanel()]);
  return (
    <ThemeContext.Provider value={THEME}>
      <GlobalStyles />
      <Panel dataSource={dataSource} plugin={plugin} />
    </ThemeContext.Provider>
  );
}

function createRequest(nowMs: number): DataQueryRequest {
  const job = new URLSearchParams(window.location.search).get('var-job') ?? '';
  const ends = { from: dateTime(nowMs - 15 * MINUTE_MS), to: dateTime(nowMs + MINUTE_MS) };
  const datasource = { type: 'joblens-datasource', uid: 'joblens' };
  return {
    ...{ requestId: 'Q1', app: CoreApp.Dashboard, interval: '1s', intervalMs: 1000, maxDataPoints: 1000 },
    ...{ range: { ...ends, raw: ends }, scopedVars: {}, startTime: nowMs, timezone: 'utc' },
    targets: QUERY_TYPES.map((queryType) => ({ refId: queryType, queryType, datasource, job })),
  };
}

const FIELD_CONFIG: FieldConfigSource = { defaults: {}, overrides: [] };

function readAnswer({ data }: DataQueryResponse, request: DataQueryRequest, plugin: PanelPlugin): PanelData {
  const series: DataFrame[] = applyFieldOverrides({
    data: data.map((frame: DataFrame) => toDataFrame(frame)),
    ...{ fieldConfig: FIELD_CONFIG, replaceVariables: fillIn, theme: THEME, timeZone: 'utc' },
    fieldConfigRegistry: plugin.fieldConfigRegistry,
  });
  return { state: LoadingState.Done, series, request, timeRange: request.range };
}

interface HostedPanelProps {
  readonly dataSource: DataSourceApi;
  readonly plugin: PanelPlugin;
}

function Panel({ dataSource, plugin }: HostedPanelProps): React.ReactElement {
  const [data, setData] = useState<PanelData | undefined>(undefined);
  useEffect(() => {
    const request = createRequest(Date.now());
    const asked = from(dataSource.query(request)).subscribe((answer) => setData(readAnswer(answer, request, plugin)));
    return () => asked.unsubscribe();
  }, [dataSource, plugin]);
  const [events] = useState(() => new EventBusSrv());
  const View = plugin.panel;
  if (data === undefined || View === null) return <p>Loading …</p>;
  const props: PanelProps = {
    ...{ id: 1, title: '', transparent: false, renderCounter: 0, timeZone: 'utc', ...SIZE },
    ...{ data, timeRange: data.timeRange, eventBus: events, fieldConfig: FIELD_CONFIG, replaceVariables: fillIn },
    options: { ...plugin.defaults, views: VIEWS, layout: 'stack' },
    onOptionsChange: ignore,
    onFieldConfigChange: ignore,
    onChangeTimeRange: ignore,
  };
  return <View {...props} />;
}

function ignore(): void {
  return;
}
