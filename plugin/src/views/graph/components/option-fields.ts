import { identityOverrideProcessor } from '@grafana/data';
import type { FieldOptionsBuilder, OptionsBuilder } from '../../view.js';
import { DEFAULT_LINE_WIDTH, type StoredThresholdStyle } from '../model/plot/field-style.js';
import type { GraphOptions } from '../model/panes/settings.js';
import { RUN_CHOICES } from '../model/lines/run-groups.js';
import { MAX_SMOOTHING } from '../model/scales/smoothing.js';
import { type StoredStacking, StackingEditor } from './StackingEditor.js';
import { ThresholdStyleEditor } from './ThresholdStyleEditor.js';

/** The graph's part of the panel editor. Viewers can change each of these for themselves in the graph's header. */
export function addGraphOptions(builder: OptionsBuilder, defaults: GraphOptions): void {
  addChoices(builder, defaults);
  builder
    .addTextInput({
      path: 'x',
      name: 'X axis',
      description: 'auto, time, relative (time since the start), or the name of a column; may hold a variable: $x',
      defaultValue: defaults.x,
    })
    .addSliderInput({
      path: 'smoothing',
      name: 'Smoothing',
      description: 'The weight of an exponential moving average; 0 is none',
      defaultValue: defaults.smoothing,
      settings: { min: 0, max: MAX_SMOOTHING, step: 0.01 },
    })
    .addTextInput({
      path: 'keyFilter',
      name: 'Keys',
      description: 'Words, or a regular expression between slashes; may hold a variable. Empty: all keys.',
      defaultValue: defaults.keyFilter,
    });
}

function addChoices(builder: OptionsBuilder, defaults: GraphOptions): void {
  builder
    .addSelect({
      path: 'graphs',
      name: 'Graphs',
      description: 'Which lines share a graph',
      defaultValue: defaults.graphs,
      settings: {
        options: [
          {
            value: 'auto',
            label: 'Auto',
            description: 'One where every line can be read in it, else one for each key',
          },
          { value: 'one', label: 'One graph' },
          { value: 'unit', label: 'One for each unit' },
          { value: 'key', label: 'One for each key' },
        ],
      },
    })
    .addSelect({
      path: 'yScale',
      name: 'Y scale',
      defaultValue: defaults.yScale,
      settings: {
        options: [
          { value: 'auto', label: 'Auto', description: 'Logarithmic where most of a line would lie on the floor' },
          { value: 'linear', label: 'Linear' },
          { value: 'log', label: 'Logarithmic' },
          { value: 'share', label: 'Share', description: 'Each line from its lowest to its highest value' },
        ],
      },
    })
    .addSelect({
      path: 'legend',
      name: 'Legend',
      defaultValue: defaults.legend,
      settings: {
        options: [
          { value: 'auto', label: 'Auto', description: 'In the head of each graph, or below a single one' },
          { value: 'list', label: 'List' },
          { value: 'table', label: 'Table', description: 'With the last, lowest and highest value' },
          { value: 'hidden', label: 'None' },
        ],
      },
    })
    .addSelect({
      path: 'runs',
      name: 'Runs',
      description: 'How jobs are drawn that a query groups',
      defaultValue: defaults.runs,
      settings: { options: RUN_CHOICES },
    });
}

/** The names and paths are those of Grafana's time series panel, so that overrides can be copied. */
export function addGraphFieldOptions(builder: FieldOptionsBuilder): void {
  builder
    .addSliderInput({
      path: 'lineWidth',
      name: 'Line width',
      defaultValue: DEFAULT_LINE_WIDTH,
      settings: { min: 0, max: 10, step: 0.5 },
    })
    .addSliderInput({
      path: 'fillOpacity',
      name: 'Fill opacity',
      defaultValue: 0,
      settings: { min: 0, max: 100, step: 1 },
    })
    .addRadio({
      path: 'showPoints',
      name: 'Show points',
      defaultValue: 'auto',
      settings: {
        options: [
          { value: 'auto', label: 'Auto' },
          { value: 'always', label: 'Always' },
          { value: 'never', label: 'Never' },
        ],
      },
    })
    .addRadio({
      path: 'lineInterpolation',
      name: 'Line interpolation',
      defaultValue: 'linear',
      settings: {
        options: [
          { value: 'linear', label: 'Linear' },
          { value: 'stepAfter', label: 'Steps', description: 'Each value holds until the next one' },
        ],
      },
    })
    .addCustomEditor<undefined, StoredStacking>({
      id: 'stacking',
      path: 'stacking',
      name: 'Stack series',
      defaultValue: { mode: 'none' },
      editor: StackingEditor,
      override: StackingEditor,
      process: identityOverrideProcessor,
      shouldApply: () => true,
    })
    // An override of Grafana's own holds an object, which no field of its builder edits.
    .addCustomEditor<undefined, StoredThresholdStyle>({
      id: 'thresholdsStyle',
      path: 'thresholdsStyle',
      name: 'Show thresholds',
      defaultValue: { mode: 'off' },
      editor: ThresholdStyleEditor,
      override: ThresholdStyleEditor,
      process: identityOverrideProcessor,
      shouldApply: () => true,
    });
}
