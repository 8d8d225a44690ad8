import { PanelPlugin, type SelectFieldConfigSettings } from '@grafana/data';
import { commonOptionsBuilder } from '@grafana/ui';
import { JoblensPanel } from './JoblensPanel.js';
import { DEFAULT_OPTIONS, type PanelOptions, type ViewName } from './options.js';

/** Grafana types the default of a multi-select as one of its options; it is a list of them. */
type ViewChoice = ViewName | ViewName[];

export const plugin = new PanelPlugin<PanelOptions>(JoblensPanel)
  .useFieldConfig({
    // Grafana drops an override that hides a series unless the panel knows this option.
    useCustomConfig: (builder) => commonOptionsBuilder.addHideFrom(builder),
  })
  .setPanelOptions((builder) =>
    builder
      .addMultiSelect<ViewChoice, SelectFieldConfigSettings<ViewChoice>>({
        path: 'views',
        name: 'Views',
        description: 'What the panel shows',
        defaultValue: [...DEFAULT_OPTIONS.views],
        settings: {
          options: [
            { value: 'graph', label: 'Graph' },
            { value: 'table', label: 'Table' },
            { value: 'log', label: 'Log' },
          ],
        },
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
      })
      .addTextInput({
        path: 'x',
        name: 'X axis',
        description: 'auto, time, or the name of a column. Viewers can choose another for themselves.',
        defaultValue: DEFAULT_OPTIONS.x,
      })
      .addBooleanSwitch({ path: 'newestFirst', name: 'Table: newest first', defaultValue: DEFAULT_OPTIONS.newestFirst })
      .addNumberInput({
        path: 'pageSize',
        name: 'Table: rows a page',
        defaultValue: DEFAULT_OPTIONS.pageSize,
        settings: { min: 1, max: 10_000, integer: true },
      })
      .addSelect({
        path: 'logOrder',
        name: 'Log: order',
        defaultValue: DEFAULT_OPTIONS.logOrder,
        settings: {
          options: [
            { value: 'asc', label: 'Newest last' },
            { value: 'desc', label: 'Newest first' },
          ],
        },
      })
      .addBooleanSwitch({ path: 'follow', name: 'Log: follow new lines', defaultValue: DEFAULT_OPTIONS.follow })
  );
