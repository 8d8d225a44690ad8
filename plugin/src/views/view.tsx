import type {
  AbsoluteTimeRange,
  DataFrame,
  FieldConfigEditorBuilder,
  PanelOptionsEditorBuilder,
  TimeRange,
} from '@grafana/data';
import React from 'react';
import type { Observable } from 'rxjs';
import type { Emptiness, StoredThings } from './parts/components/EmptyState.js';
import type { HoverHub } from './parts/hover.js';

/** Changes to the panel's own queries, for a view that asks them once more. */
export interface AskChanges {
  /** Parts of the queries by name; `undefined` takes a part away. */
  readonly query?: Readonly<Record<string, unknown>>;
  /** In milliseconds. Default: the panel's time range. */
  readonly range?: AbsoluteTimeRange;
  /** Only the query with this id, which its frames carry. Default: all queries that the view draws. */
  readonly refId?: string;
}

/**
 * Asks the panel's own queries, as it last ran them, with changes: older lines, a page of a table, a part of a graph.
 * Only queries of the view's type are asked. The frames are those of all of them, with the panel's field options
 * applied, its transformations not. Each emission replaces the one before. Errors with an Error whose message says why.
 * Unsubscribing aborts the request. Nothing is written into the dashboard.
 */
export type Ask = (changes: AskChanges) => Observable<readonly DataFrame[]>;

/** Where a view is drawn, and what it shares with the others. */
export interface ViewProps {
  readonly width: number;
  readonly height: number;
  readonly timeZone: string;
  readonly timeRange: TimeRange;
  readonly onTimeRange: (range: AbsoluteTimeRange) => void;
  /** The dashboard's, one row each: `time`, `timeEnd`, `text`, `tags`, `color`. */
  readonly annotations: readonly DataFrame[];
  /** The jobs that are shown, as one string. */
  readonly jobKey: string;
  /** The data source that the view's queries ask, for what this browser remembers of its jobs. */
  readonly source: string;
  readonly hub: HoverHub;
  /** Fills in the dashboard's variables. */
  readonly replaceVariables: (text: string) => string;
  /**
   * Undefined where nobody can be asked: a snapshot, another data source, a host that does not say what it asked. A new
   * function with each refresh of the panel.
   */
  readonly ask: Ask | undefined;
}

export type OptionsBuilder = PanelOptionsEditorBuilder<object>;

/** Adds options that fields have beside Grafana's own, and that overrides can set. */
export type FieldOptionsBuilder = FieldConfigEditorBuilder<object>;

/** One view, as its file describes it. */
interface ViewParts<Model, Options extends object> {
  readonly title: string;
  /** The view's part of a stack's height, compared with the other views. */
  readonly heightShare: number;
  /** The type of the queries whose frames it draws, that type's label, and other types that it draws as well. */
  readonly needs: { readonly queryType: string; readonly label: string; readonly others?: readonly string[] };
  /** Said of an empty answer of which nothing else is known, so it claims no more. */
  readonly emptiness: Emptiness;
  /** What the view shows of a job, where that is more than the job itself. */
  readonly stored?: StoredThings;
  /** Few jobs have it: behind tabs, it has none while it is empty. */
  readonly isSeldom?: true;
  /** What frames of another data source have to be for the view to draw them. */
  readonly drawn: string;
  /** The stored options made whole: a dashboard written by hand may leave any of them out or hold nonsense. */
  readonly readOptions: (stored: Partial<Options>) => Options;
  /** The fields of the panel editor. A path is the option's name, unique among all views. */
  readonly addOptions: (builder: OptionsBuilder, defaults: Options) => void;
  readonly addFieldOptions?: (builder: FieldOptionsBuilder) => void;
  readonly createModel: (frames: readonly DataFrame[]) => Model;
  readonly isEmpty: (model: Model) => boolean;
  readonly Component: React.ComponentType<ViewProps & { readonly model: Model; readonly options: Options }>;
}

/** A view as the panel sees it, which knows neither its model nor its options. */
export interface View extends Pick<
  ViewParts<never, never>,
  'title' | 'heightShare' | 'needs' | 'emptiness' | 'stored' | 'isSeldom' | 'drawn'
> {
  readonly addOptions: (builder: OptionsBuilder) => void;
  readonly addFieldOptions: (builder: FieldOptionsBuilder) => void;
  /** Reads the frames of an answer. */
  readonly open: (frames: readonly DataFrame[]) => OpenView;
}

interface OpenView {
  readonly isEmpty: boolean;
  readonly draw: (props: ViewProps, storedOptions: object) => React.ReactElement;
}

export function createView<Model, Options extends object>(parts: ViewParts<Model, Options>): View {
  const { title, heightShare, needs, emptiness, drawn, readOptions, addOptions, createModel, isEmpty, Component } =
    parts;
  return {
    title,
    heightShare,
    needs,
    emptiness,
    drawn,
    ...(parts.stored !== undefined && { stored: parts.stored }),
    ...(parts.isSeldom !== undefined && { isSeldom: parts.isSeldom }),
    addOptions: (builder) => addOptions(builder, readOptions({})),
    addFieldOptions: (builder) => parts.addFieldOptions?.(builder),
    open: (frames) => {
      const model = createModel(frames);
      return {
        isEmpty: isEmpty(model),
        draw: (props, storedOptions) => <Component {...props} model={model} options={readOptions(storedOptions)} />,
      };
    },
  };
}
