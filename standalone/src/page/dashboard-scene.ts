/* eslint-disable @typescript-eslint/no-unsafe-enum-assignment, @typescript-eslint/no-unnecessary-type-assertion --
   the file format has Grafana's enums as numbers */
import type {
  AnnotationQuery,
  DashboardCursorSync,
  DataTransformerConfig,
  FieldConfigSource,
  VariableHide,
  VariableRefresh,
  VariableSort,
} from '@grafana/data';
import {
  behaviors,
  ConstantVariable,
  CustomVariable,
  dataLayers,
  EmbeddedScene,
  IntervalVariable,
  QueryVariable,
  SceneControlsSpacer,
  SceneDataLayerSet,
  SceneDataTransformer,
  SceneGridItem,
  SceneGridLayout,
  SceneGridRow,
  SceneQueryRunner,
  SceneRefreshPicker,
  SceneTimePicker,
  SceneTimeRange,
  SceneVariableSet,
  TextBoxVariable,
  VariableValueSelectors,
  VizPanel,
  type SceneDataProvider,
  type SceneDataQuery,
  type SceneVariable,
} from '@grafana/scenes';
import type { DataSourceRef } from '@grafana/schema';
import { AnnotationSwitches } from './annotation-switches.js';
import { DashboardLinks } from './dashboard-links.js';
import { FoldedControls } from './folded-controls.js';
import { itemKey } from './keep-fitted.js';
import type { AnnotationModel, DashboardModel, Json, PanelModel, RowModel, VariableModel } from './dashboard-json.js';

/** Makes the scene of one dashboard: its time range, variables, controls, and panels on the grid of 24 columns. */
export function createDashboardScene(dashboard: DashboardModel): EmbeddedScene {
  const layers = dashboard.annotations.map(createAnnotations);
  return new EmbeddedScene({
    key: `dashboard-${dashboard.uid}`,
    $timeRange: new SceneTimeRange({
      from: dashboard.from,
      to: dashboard.to,
      timeZone: dashboard.timeZone === '' ? undefined : dashboard.timeZone,
    }),
    $variables: new SceneVariableSet({ variables: dashboard.variables.map(createVariable).filter(isPresent) }),
    ...(layers.length === 0 ? {} : { $data: new SceneDataLayerSet({ layers }) }),
    $behaviors: [
      new behaviors.CursorSync({ key: 'cursor-sync', sync: dashboard.cursorSync as DashboardCursorSync }),
      new behaviors.SceneQueryController(),
    ],
    controls: [
      new FoldedControls({
        controls: [
          new VariableValueSelectors({}),
          ...(layers.length === 0 ? [] : [new AnnotationSwitches({})]),
          new SceneControlsSpacer(),
          ...(dashboard.links.length === 0 ? [] : [new DashboardLinks({ links: dashboard.links })]),
        ],
      }),
      new SceneTimePicker({ isOnCanvas: true }),
      new SceneRefreshPicker({
        refresh: dashboard.refresh,
        isOnCanvas: true,
        // Without its text, the button has no name that a screen reader could say.
        withText: true,
        ...(dashboard.refreshIntervals === undefined ? {} : { intervals: [...dashboard.refreshIntervals] }),
      }),
    ],
    body: new SceneGridLayout({
      isDraggable: false,
      isResizable: false,
      isLazy: false,
      children: [...dashboard.panels.map(createGridItem), ...dashboard.rows.map(createRow)],
    }),
  });
}

function createAnnotations(
  { name, isEnabled, isHidden, query }: AnnotationModel,
  index: number
): dataLayers.AnnotationsDataLayer {
  return new dataLayers.AnnotationsDataLayer({
    key: `annotation-${index}`,
    ...{ name, isEnabled, isHidden },
    query: { ...structuredClone(query), enable: isEnabled } as unknown as AnnotationQuery,
  });
}

function createGridItem(panel: PanelModel): SceneGridItem {
  const { x, y, w, h } = panel.position;
  return new SceneGridItem({ key: itemKey(panel.id), x, y, width: w, height: h, body: createPanel(panel) });
}

function createRow(row: RowModel, index: number): SceneGridRow {
  return new SceneGridRow({
    key: `row-${index}`,
    title: row.title,
    y: row.y,
    x: 0,
    isCollapsible: true,
    isCollapsed: row.isCollapsed,
    children: row.panels.map(createGridItem),
  });
}

function createPanel(panel: PanelModel): VizPanel {
  return new VizPanel({
    key: `panel-${panel.id}`,
    pluginId: panel.type,
    title: panel.title,
    description: panel.description,
    hoverHeader: panel.title === '',
    displayMode: panel.isTransparent ? 'transparent' : 'default',
    options: structuredClone(panel.options),
    fieldConfig: structuredClone(panel.fieldConfig) as unknown as FieldConfigSource<object>,
    $data: createData(panel),
  });
}

function createData(panel: PanelModel): SceneDataProvider | undefined {
  if (panel.targets.length === 0) return undefined;
  const runner = new SceneQueryRunner({
    datasource: toDataSourceRef(panel.datasource),
    queries: structuredClone(panel.targets) as unknown as SceneDataQuery[],
    maxDataPoints: panel.maxDataPoints,
    maxDataPointsFromWidth: true,
    minInterval: panel.minInterval,
  });
  if (panel.transformations.length === 0) return runner;
  return new SceneDataTransformer({
    $data: runner,
    transformations: structuredClone(panel.transformations) as unknown as DataTransformerConfig[],
  });
}

function createVariable(variable: VariableModel): SceneVariable | undefined {
  const common = {
    name: variable.name,
    label: variable.label,
    hide: variable.hide as VariableHide,
    skipUrlSync: variable.skipUrlSync,
  };
  const value = copyTexts(variable.value);
  const choice = {
    ...common,
    value,
    text: copyTexts(variable.text),
    isMulti: variable.isMulti,
    includeAll: variable.includeAll,
    defaultToAll: variable.includeAll,
    allValue: variable.allValue,
  };
  const query = typeof variable.query === 'string' ? variable.query : '';
  switch (variable.type) {
    case 'query':
      return new QueryVariable({
        ...choice,
        datasource: toDataSourceRef(variable.datasource) ?? null,
        query: copyQuery(variable),
        regex: variable.regex,
        refresh: variable.refresh as VariableRefresh,
        sort: variable.sort as VariableSort,
      });
    case 'custom':
      return new CustomVariable({ ...choice, query });
    case 'textbox':
      return new TextBoxVariable({ ...common, value: typeof value === 'string' && value !== '' ? value : query });
    case 'constant':
      return new ConstantVariable({ ...common, value: query });
    case 'interval':
      return new IntervalVariable({
        ...common,
        intervals: query.split(','),
        value: typeof value === 'string' ? value : '',
      });
    default:
      return undefined;
  }
}

function copyTexts(value: string | readonly string[]): string | string[] {
  return typeof value === 'string' ? value : [...value];
}

function copyQuery({ query, name }: VariableModel): string | SceneDataQuery {
  return typeof query === 'string' ? query : { refId: name, ...structuredClone(query) };
}

function toDataSourceRef(json: Json | undefined): DataSourceRef | undefined {
  if (json === undefined) return undefined;
  const { type, uid } = json;
  return { ...(typeof type === 'string' ? { type } : {}), ...(typeof uid === 'string' ? { uid } : {}) };
}

function isPresent<T>(value: T | undefined): value is T {
  return value !== undefined;
}
