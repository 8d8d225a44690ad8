import type { PanelPlugin } from '@grafana/data';
import { setPluginImportUtils } from '@grafana/runtime';
import { importPanel } from './plugin-loader.js';
import { createStatPanel } from './panels/stat-panel.js';
import { createTablePanel } from './panels/table-panel.js';
import { createTextPanel } from './panels/text-panel.js';

/**
 * The panels that a dashboard can use here: ours, and substitutes for Grafana's own panels, which npm does not have.
 */
const IMPORTERS: Readonly<Record<string, () => Promise<PanelPlugin>>> = {
  'joblens-panel': importPanel,
  stat: () => Promise.resolve(createStatPanel()),
  table: () => Promise.resolve(createTablePanel()),
  text: () => Promise.resolve(createTextPanel()),
};

/** Tells @grafana/runtime how to get panels. Call it once. */
export function registerPanels(): void {
  const loading = new Map<string, Promise<PanelPlugin>>();
  const loaded = new Map<string, PanelPlugin>();

  async function load(id: string): Promise<PanelPlugin> {
    const importer = IMPORTERS[id];
    if (importer === undefined) throw new Error(`The panel type "${id}" exists only in Grafana, not on this page.`);
    const plugin = await importer();
    loaded.set(id, plugin);
    return plugin;
  }

  setPluginImportUtils({
    importPanelPlugin: (id) => {
      const known = loading.get(id) ?? load(id);
      loading.set(id, known);
      return known;
    },
    getPanelPluginFromCache: (id) => loaded.get(id),
  });
}
