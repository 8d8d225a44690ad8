import { PanelPlugin, type SelectFieldConfigSettings } from '@grafana/data';
import { commonOptionsBuilder } from '@grafana/ui';
import { VIEWS, type ViewName } from '../registry/registry.js';
import type { OptionsBuilder } from '../views/view.js';
import { JoblensPanel } from './JoblensPanel.js';
import { DEFAULT_OPTIONS, type PanelOptions, VIEW_NAMES } from './options.js';

/** Grafana types the default of a multi-select as one of its options; it is a list of them. */
type ViewChoice = ViewName | ViewName[];

export const plugin = new PanelPlugin<PanelOptions>(JoblensPanel)
  .useFieldConfig({
    // Grafana drops an override that hides a series unless the panel knows this option.
    useCustomConfig: (builder) => commonOptionsBuilder.addHideFrom(builder),
  })
  .setPanelOptions((builder) => {
    builder
      .addMultiSelect<ViewChoice, SelectFieldConfigSettings<ViewChoice>>({
        path: 'views',
        name: 'Views',
        description: 'The views that the panel shows',
        defaultValue: [...DEFAULT_OPTIONS.views],
        settings: { options: VIEW_NAMES.map((value) => ({ value, label: VIEWS[value].title })) },
      })
      .addSelect({
        path: 'layout',
        name: 'Layout',
        description: 'How several views share the panel',
        defaultValue: DEFAULT_OPTIONS.layout,
        settings: {
          options: [
            { value: 'auto', label: 'By height', description: 'Below each other where there is room, else tabs' },
            { value: 'tabs', label: 'Tabs' },
            { value: 'stack', label: 'Below each other' },
          ],
        },
      });
    // A view names its options in paths, so the builder's own type of options does not matter to it.
    for (const view of VIEW_NAMES) VIEWS[view].addOptions(builder as unknown as OptionsBuilder);
  });
