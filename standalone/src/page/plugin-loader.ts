import * as emotionCss from '@emotion/css';
import * as emotionReact from '@emotion/react';
import * as grafanaData from '@grafana/data';
import type {
  DataSourceApi,
  DataSourceInstanceSettings,
  DataSourcePlugin,
  PanelPlugin,
  PanelPluginMeta,
} from '@grafana/data';
import * as grafanaRuntime from '@grafana/runtime';
import * as grafanaUi from '@grafana/ui';
import * as i18next from 'i18next';
import lodash from 'lodash';
import moment from 'moment';
import React from 'react';
import ReactDOM from 'react-dom';
import * as jsxRuntime from 'react/jsx-runtime';
import * as rxjs from 'rxjs';
import * as rxjsOperators from 'rxjs/operators';
import 'systemjs/dist/system.js';
import 'systemjs/dist/extras/amd.js';

const BASE_URL = '/public/plugins/joblens-app';

/** The modules that Grafana provides to a plugin's bundle. Host and plugin share one copy of each. */
const SHARED: Readonly<Record<string, unknown>> = {
  '@emotion/css': emotionCss,
  '@emotion/react': emotionReact,
  '@grafana/data': grafanaData,
  '@grafana/runtime': grafanaRuntime,
  '@grafana/ui': grafanaUi,
  i18next,
  lodash,
  moment,
  react: React,
  'react-dom': ReactDOM,
  'react/jsx-runtime': jsxRuntime,
  rxjs,
  'rxjs/operators': rxjsOperators,
};

/** Registers the shared modules with SystemJS. Call it once, before the first import. */
export function shareModules(): void {
  const imports: Record<string, string> = {};
  for (const [name, module] of Object.entries(SHARED)) {
    const id = `joblens-shared:${name}`;
    // `__useDefault`: an AMD module that imports this one gets its default export.
    System.set(id, { __useDefault: true, default: module });
    imports[name] = id;
  }
  System.addImportMap({ imports });
}

/** Reads the plugin.json of one plugin of the bundle. */
export async function readPluginMeta<Meta>(folder: 'datasource' | 'panel'): Promise<Meta> {
  const response = await fetch(`${BASE_URL}/${folder}/plugin.json`);
  if (!response.ok) throw new Error(`Cannot read ${folder}/plugin.json: ${response.status} ${response.statusText}`);
  const meta = (await response.json()) as Meta;
  return { ...meta, module: `${BASE_URL}/${folder}/module.js`, baseUrl: `${BASE_URL}/${folder}` };
}

/** Loads the data source plugin, and makes the instance with these settings. */
export async function importDataSource(settings: DataSourceInstanceSettings): Promise<DataSourceApi> {
  const { plugin } = await importModule<{ plugin: DataSourcePlugin<DataSourceApi> }>('datasource');
  plugin.meta = settings.meta;
  const instance = new plugin.DataSourceClass(settings);
  instance.components = plugin.components;
  instance.meta = settings.meta;
  return instance;
}

/** Loads the panel plugin. */
export async function importPanel(): Promise<PanelPlugin> {
  const [{ plugin }, meta] = await Promise.all([
    importModule<{ plugin: PanelPlugin }>('panel'),
    readPluginMeta<PanelPluginMeta>('panel'),
  ]);
  plugin.meta = meta;
  return plugin;
}

async function importModule<Module>(folder: 'datasource' | 'panel'): Promise<Module> {
  const module = (await System.import(`${window.location.origin}${BASE_URL}/${folder}/module.js`)) as
    Module | { default: Module };
  return typeof module === 'object' && module !== null && 'default' in module && !('plugin' in module)
    ? module.default
    : (module as Module);
}
