import { PluginType, type PanelPlugin } from '@grafana/data';

/** Gives a substitute panel the description that a plugin.json would give it. */
export function withMeta<Options, FieldOptions extends object>(
  plugin: PanelPlugin<Options, FieldOptions>,
  { id, name, skipDataQuery = false }: { id: string; name: string; skipDataQuery?: boolean }
): PanelPlugin {
  plugin.meta = {
    id,
    name,
    type: PluginType.panel,
    module: '',
    baseUrl: '',
    sort: 0,
    skipDataQuery,
    info: {
      author: { name: 'Joblens' },
      description: '',
      links: [],
      logos: { small: '', large: '' },
      screenshots: [],
      updated: '',
      version: '',
    },
  };
  return plugin as unknown as PanelPlugin;
}
