import {
  FieldColorModeId,
  FieldConfigProperty,
  PanelPlugin,
  type PanelProps,
  type SelectFieldConfigSettings,
} from '@grafana/data';
import { commonOptionsBuilder } from '@grafana/ui';
import React from 'react';
import { VIEWS, type ViewName } from '../registry/registry.js';
import type { OptionsBuilder } from '../views/view.js';
import { JoblensPanel } from './JoblensPanel.js';
import { DEFAULT_OPTIONS, type PanelOptions, VIEW_NAMES } from './options.js';

/** Grafana types the default of a multi-select as one of its options; it is a list of them. */
type ViewChoice = ViewName | ViewName[];

function Panel(props: PanelProps<PanelOptions>): React.ReactElement {
  return React.createElement(JoblensPanel, { ...props, fieldConfigRegistry: plugin.fieldConfigRegistry });
}

export const plugin: PanelPlugin<PanelOptions> = new PanelPlugin<PanelOptions>(Panel)
  .useFieldConfig({
    standardOptions: {
      // Grafana's own default colours a line by its last value.
      [FieldConfigProperty.Color]: {
        settings: { byValueSupport: true, bySeriesSupport: true, preferThresholdsMode: false },
        defaultValue: { mode: FieldColorModeId.PaletteClassic },
      },
    },
    useCustomConfig: (builder) => {
      for (const view of VIEW_NAMES) VIEWS[view].addFieldOptions(builder);
      // Grafana drops an override that hides a series unless the panel knows this option.
      commonOptionsBuilder.addHideFrom(builder);
    },
  })
  // Without this, Grafana keeps the annotations for itself.
  .setDataSupport({ annotations: true, alertStates: false })
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
            { value: 'auto', label: 'By size', description: 'Below each other or side by side, else tabs' },
            { value: 'tabs', label: 'Tabs' },
            { value: 'stack', label: 'Below each other' },
            { value: 'columns', label: 'Side by side', description: 'Where each view has room' },
          ],
        },
      });
    // A view names its options in paths, so the builder's own type of options does not matter to it.
    for (const view of VIEW_NAMES) VIEWS[view].addOptions(builder as unknown as OptionsBuilder);
  });
