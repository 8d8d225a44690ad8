/* eslint-disable @typescript-eslint/no-deprecated -- Grafana itself fills its registry from these */
import {
  EventBusSrv,
  locationUtil,
  setTimeZoneResolver,
  standardTransformers,
  standardTransformersRegistry,
  type DataSourceInstanceSettings,
  type DataSourceJsonData,
  type DataSourcePluginMeta,
} from '@grafana/data';
import {
  config,
  FakeEchoSrv,
  locationService,
  setAppEvents,
  setBackendSrv,
  setDataSourceSrv,
  setEchoSrv,
  setLocationSrv,
  setRunRequest,
  setTemplateSrv,
} from '@grafana/runtime';
import { getUrlState, sceneGraph } from '@grafana/scenes';
import { BackendService } from './backend-service.js';
import { DataSourceService } from './data-sources.js';
import { registerFieldConfig } from './field-config.js';
import { readPluginMeta, shareModules } from './plugin-loader.js';
import { registerPanels } from './plugin-registry.js';
import { runRequest } from './run-request.js';
import { TemplateService } from './template-service.js';

/**
 * Provides the services that Grafana offers to the scene library and to plugins. Call it once, before the first scene.
 */
export async function installServices(): Promise<void> {
  shareModules();
  setBackendSrv(new BackendService());
  setTemplateSrv(new TemplateService());
  setRunRequest(runRequest);
  setAppEvents(new EventBusSrv());
  setEchoSrv(new FakeEchoSrv());
  setLocationSrv(locationService);
  setTimeZoneResolver(() => 'browser');
  registerFieldConfig();
  registerTransformers();
  registerPanels();
  initializeLocationUtil();
  const settings = await createDataSourceSettings();
  config.datasources = { [settings.name]: settings };
  config.defaultDatasource = settings.name;
  setDataSourceSrv(new DataSourceService([settings]));
}

/**
 * The data source of provisioning/datasources/joblens.yaml, on the store behind this page. The session's cookie opens
 * it.
 */
async function createDataSourceSettings(): Promise<DataSourceInstanceSettings> {
  const meta = await readPluginMeta<DataSourcePluginMeta>('datasource');
  const jsonData: DataSourceJsonData & { database: string } = { database: 'joblens' };
  return {
    id: 1,
    uid: 'joblens',
    name: 'Joblens',
    type: meta.id,
    meta,
    url: '/api/datasources/proxy/uid/joblens',
    access: 'proxy',
    isDefault: true,
    readOnly: true,
    jsonData,
  };
}

function registerTransformers(): void {
  standardTransformersRegistry.setInit(() =>
    Object.values(standardTransformers).map((transformation) => ({
      id: transformation.id,
      name: transformation.name,
      transformation: () => Promise.resolve(transformation),
      editor: () => null,
      imageDark: '',
      imageLight: '',
    }))
  );
}

function initializeLocationUtil(): void {
  // Grafana's sanitiser decodes links twice, and drops `\n` from a job's id. The page's policy runs no script from a
  // link anyway.
  const linkConfig = { appUrl: config.appUrl, appSubUrl: config.appSubUrl, disableSanitizeHtml: true };
  locationUtil.initialize({
    config: linkConfig as unknown as Parameters<typeof locationUtil.initialize>[0]['config'],
    getTimeRangeForUrl: () => {
      const scene = window.__grafanaSceneContext;
      if (scene === undefined) return { from: 'now-6h', to: 'now' };
      const { from, to } = sceneGraph.getTimeRange(scene).state;
      return { from, to };
    },
    getVariablesUrlParams: () => {
      const scene = window.__grafanaSceneContext;
      return scene === undefined ? {} : getUrlState(sceneGraph.getVariables(scene));
    },
  });
}
