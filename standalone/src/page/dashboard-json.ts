// The part of the dashboard file format (schema version 38) that is used here. A field of an unexpected type counts as
// absent.
import { isObject } from '@joblens/core/json/is-object';

export type Json = Readonly<Record<string, unknown>>;

export interface GridPosition {
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
}

export interface PanelModel {
  readonly id: number;
  readonly type: string;
  readonly title: string;
  readonly description: string;
  readonly isTransparent: boolean;
  readonly position: GridPosition;
  readonly datasource: Json | undefined;
  readonly targets: readonly Json[];
  readonly transformations: readonly Json[];
  readonly fieldConfig: { readonly defaults: Json; readonly overrides: readonly Json[] };
  readonly options: Json;
  readonly maxDataPoints: number | undefined;
  readonly minInterval: string | undefined;
}

export interface RowModel {
  readonly title: string;
  readonly y: number;
  readonly isCollapsed: boolean;
  readonly panels: readonly PanelModel[];
}

export interface VariableModel {
  readonly type: string;
  readonly name: string;
  readonly label: string | undefined;
  readonly hide: number;
  readonly datasource: Json | undefined;
  readonly query: string | Json;
  readonly regex: string;
  readonly refresh: number;
  readonly sort: number;
  readonly isMulti: boolean;
  readonly includeAll: boolean;
  readonly allValue: string | undefined;
  readonly skipUrlSync: boolean;
  readonly value: string | readonly string[];
  readonly text: string | readonly string[];
}

export interface LinkModel {
  readonly title: string;
  readonly url: string;
  readonly tooltip: string;
  readonly keepTime: boolean;
  readonly includeVars: boolean;
  readonly isNewTab: boolean;
}

/** An annotation of a data source; those that Grafana keeps itself are not here. */
export interface AnnotationModel {
  readonly name: string;
  readonly isEnabled: boolean;
  readonly isHidden: boolean;
  /** As the file has it: Grafana's own form of an annotation. */
  readonly query: Json;
}

export interface DashboardModel {
  readonly uid: string;
  readonly title: string;
  readonly from: string;
  readonly to: string;
  readonly timeZone: string;
  readonly refresh: string;
  readonly refreshIntervals: readonly string[] | undefined;
  readonly cursorSync: number;
  /** Panels above the first row. */
  readonly panels: readonly PanelModel[];
  readonly rows: readonly RowModel[];
  readonly variables: readonly VariableModel[];
  readonly links: readonly LinkModel[];
  readonly annotations: readonly AnnotationModel[];
}

/** Reads a dashboard file. As in the file format, panels after an open row belong to that row. */
export function readDashboard(json: Json): DashboardModel {
  const time = record(json['time']);
  const { panels, rows } = readPanels(records(json['panels']));
  return {
    uid: text(json['uid'], ''),
    title: text(json['title'], 'Dashboard'),
    from: text(time['from'], 'now-6h'),
    to: text(time['to'], 'now'),
    timeZone: text(json['timezone'], ''),
    refresh: text(json['refresh'], ''),
    refreshIntervals: strings(record(json['timepicker'])['refresh_intervals']),
    cursorSync: number(json['graphTooltip'], 0),
    panels,
    rows,
    variables: records(record(json['templating'])['list']).map(readVariable),
    links: records(json['links'])
      .filter(({ type, url }) => type === 'link' && typeof url === 'string')
      .map(readLink),
    annotations: records(record(json['annotations'])['list'])
      .filter(({ builtIn, datasource }) => builtIn !== 1 && isObject(datasource))
      .map(readAnnotation),
  };
}

function readPanels(list: readonly Json[]): { panels: PanelModel[]; rows: RowModel[] } {
  const panels: PanelModel[] = [];
  const rows: (RowModel & { readonly panels: PanelModel[] })[] = [];
  for (const json of list) {
    const openRow = rows.at(-1);
    if (json['type'] !== 'row') (openRow === undefined ? panels : openRow.panels).push(readPanel(json));
    else {
      rows.push({
        title: text(json['title'], ''),
        y: readPosition(json['gridPos']).y,
        isCollapsed: json['collapsed'] === true,
        panels: records(json['panels']).map(readPanel),
      });
    }
  }
  return { panels, rows };
}

function readPanel(json: Json): PanelModel {
  const fieldConfig = record(json['fieldConfig']);
  return {
    id: number(json['id'], 0),
    type: text(json['type'], ''),
    title: text(json['title'], ''),
    description: text(json['description'], ''),
    isTransparent: json['transparent'] === true,
    position: readPosition(json['gridPos']),
    datasource: isObject(json['datasource']) ? json['datasource'] : undefined,
    targets: records(json['targets']),
    transformations: records(json['transformations']),
    fieldConfig: { defaults: record(fieldConfig['defaults']), overrides: records(fieldConfig['overrides']) },
    options: record(json['options']),
    maxDataPoints: typeof json['maxDataPoints'] === 'number' ? json['maxDataPoints'] : undefined,
    minInterval: typeof json['interval'] === 'string' ? json['interval'] : undefined,
  };
}

function readPosition(value: unknown): GridPosition {
  const json = record(value);
  return { x: number(json['x'], 0), y: number(json['y'], 0), w: number(json['w'], 12), h: number(json['h'], 8) };
}

function readVariable(json: Json): VariableModel {
  const current = record(json['current']);
  const value = textOrTexts(current['value']);
  return {
    type: text(json['type'], ''),
    name: text(json['name'], ''),
    label: typeof json['label'] === 'string' ? json['label'] : undefined,
    hide: number(json['hide'], 0),
    datasource: isObject(json['datasource']) ? json['datasource'] : undefined,
    query: isObject(json['query']) ? json['query'] : text(json['query'], ''),
    regex: text(json['regex'], ''),
    refresh: number(json['refresh'], 1),
    sort: number(json['sort'], 0),
    isMulti: json['multi'] === true,
    includeAll: json['includeAll'] === true,
    allValue: typeof json['allValue'] === 'string' && json['allValue'] !== '' ? json['allValue'] : undefined,
    skipUrlSync: json['skipUrlSync'] === true,
    value,
    text: current['text'] === undefined ? value : textOrTexts(current['text']),
  };
}

function readLink(json: Json): LinkModel {
  return {
    title: text(json['title'], ''),
    url: text(json['url'], ''),
    tooltip: text(json['tooltip'], ''),
    keepTime: json['keepTime'] === true,
    includeVars: json['includeVars'] === true,
    isNewTab: json['targetBlank'] === true,
  };
}

function readAnnotation(json: Json): AnnotationModel {
  return {
    name: text(json['name'], ''),
    isEnabled: json['enable'] !== false,
    isHidden: json['hide'] === true,
    query: json,
  };
}

function record(value: unknown): Json {
  return isObject(value) ? value : {};
}

function records(value: unknown): Json[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

function strings(value: unknown): string[] | undefined {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : undefined;
}

function text(value: unknown, fallback: string): string {
  return typeof value === 'string' ? value : fallback;
}

function number(value: unknown, fallback: number): number {
  return typeof value === 'number' && Number.isFinite(value) ? value : fallback;
}

function textOrTexts(value: unknown): string | string[] {
  return Array.isArray(value) ? value.map(String) : typeof value === 'string' ? value : '';
}
