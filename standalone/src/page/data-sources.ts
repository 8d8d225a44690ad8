import type { DataSourceApi, DataSourceInstanceSettings, ScopedVars } from '@grafana/data';
import type { DataSourceRef } from '@grafana/schema';
import { getTemplateSrv, type DataSourceSrv } from '@grafana/runtime';
import { importDataSource } from './plugin-loader.js';

/** The data sources of this page. There is one. */
export class DataSourceService implements DataSourceSrv {
  readonly #instances = new Map<string, Promise<DataSourceApi>>();
  readonly #settings: readonly DataSourceInstanceSettings[];

  constructor(settings: readonly DataSourceInstanceSettings[]) {
    this.#settings = settings;
  }

  get(ref?: DataSourceRef | string | null, scopedVars?: ScopedVars): Promise<DataSourceApi> {
    const settings = this.getInstanceSettings(ref, scopedVars);
    if (settings === undefined) {
      return Promise.reject(new Error(`There is no data source ${describe(ref)} here, only "Joblens" (uid joblens).`));
    }
    const known = this.#instances.get(settings.uid);
    if (known !== undefined) return known;
    const instance = importDataSource(settings);
    this.#instances.set(settings.uid, instance);
    return instance;
  }

  getInstanceSettings(
    ref?: DataSourceRef | string | null,
    scopedVars?: ScopedVars
  ): DataSourceInstanceSettings | undefined {
    const asked = typeof ref === 'string' ? ref : (ref?.uid ?? ref?.type);
    if (asked === undefined || asked === 'default') return this.#settings[0];
    const name = getTemplateSrv().replace(asked, scopedVars);
    return this.#settings.find(({ uid, name: title, type }) => uid === name || title === name || type === name);
  }

  getList(): DataSourceInstanceSettings[] {
    return [...this.#settings];
  }

  reload(): Promise<void> {
    return Promise.resolve();
  }

  registerRuntimeDataSource(): void {
    return;
  }
}

function describe(ref: DataSourceRef | string | null | undefined): string {
  return typeof ref === 'string' ? `"${ref}"` : `"${ref?.uid ?? ref?.type ?? ''}"`;
}
