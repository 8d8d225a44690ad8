import {
  booleanOverrideProcessor,
  dataLinksOverrideProcessor,
  displayNameOverrideProcessor,
  FieldType,
  identityOverrideProcessor,
  numberOverrideProcessor,
  standardEditorsRegistry,
  standardFieldConfigEditorRegistry,
  stringOverrideProcessor,
  thresholdsOverrideProcessor,
  ThresholdsMode,
  unitOverrideProcessor,
  valueMappingsOverrideProcessor,
  type Field,
  type FieldConfigPropertyItem,
} from '@grafana/data';

/** This page shows dashboards but does not edit them: an editor is requested, but never drawn. */
const NoEditor = (): null => null;

const EDITOR_IDS = [
  ...['boolean', 'color', 'dashboard-uid', 'fieldColor', 'field-name', 'links', 'mappings', 'multi-select', 'number'],
  ...['radio', 'select', 'slider', 'stats-picker', 'strings', 'text', 'thresholds', 'timezone', 'unit'],
];

type Process = FieldConfigPropertyItem['process'];

const isNumber = (field: Field): boolean => field.type === FieldType.number;
const isAny = (): boolean => true;

const PROPERTIES: readonly FieldConfigPropertyItem[] = [
  property('displayName', displayNameOverrideProcessor as Process, { settings: { expandTemplateVars: true } }),
  property('unit', unitOverrideProcessor as Process),
  property('min', numberOverrideProcessor as Process, { shouldApply: isNumber }),
  property('max', numberOverrideProcessor as Process, { shouldApply: isNumber }),
  property('fieldMinMax', booleanOverrideProcessor as Process, { shouldApply: isNumber }),
  property('decimals', numberOverrideProcessor as Process, { shouldApply: isNumber }),
  property('noValue', stringOverrideProcessor as Process),
  property('color', identityOverrideProcessor as Process),
  property('thresholds', thresholdsOverrideProcessor as Process, {
    defaultValue: {
      mode: ThresholdsMode.Absolute,
      steps: [
        { value: -Infinity, color: 'green' },
        { value: 80, color: 'red' },
      ],
    },
  }),
  property('mappings', valueMappingsOverrideProcessor as Process, { defaultValue: [] }),
  property('links', dataLinksOverrideProcessor as Process),
  property('filterable', booleanOverrideProcessor as Process),
];

/** Fills the registries that every panel reads. Without them, units, colours and links of a dashboard are lost. */
export function registerFieldConfig(): void {
  standardFieldConfigEditorRegistry.setInit(() => [...PROPERTIES]);
  standardEditorsRegistry.setInit(() => EDITOR_IDS.map((id) => ({ id, name: id, editor: NoEditor })));
}

function property(id: string, process: Process, more: Partial<FieldConfigPropertyItem> = {}): FieldConfigPropertyItem {
  return {
    id,
    path: id,
    name: id,
    description: '',
    category: ['Standard options'],
    editor: NoEditor,
    override: NoEditor,
    process,
    shouldApply: isAny,
    settings: {},
    ...more,
  };
}
