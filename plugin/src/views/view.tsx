import type { AbsoluteTimeRange, DataFrame, PanelOptionsEditorBuilder, TimeRange } from '@grafana/data';
import React from 'react';
import type { Emptiness } from './parts/EmptyState.js';
import type { HoverHub } from './parts/hover.js';

/** Where a view is drawn, and what it shares with the others. */
export interface ViewProps {
  readonly width: number;
  readonly height: number;
  readonly timeZone: string;
  readonly timeRange: TimeRange;
  readonly onTimeRange: (range: AbsoluteTimeRange) => void;
  /** The jobs that are shown, as one string. */
  readonly jobKey: string;
  readonly hub: HoverHub;
}

export type OptionsBuilder = PanelOptionsEditorBuilder<object>;

/** One view, as its file describes it. */
interface ViewParts<Model, Options extends object> {
  readonly title: string;
  /** The view's part of a stack's height, compared with the other views. */
  readonly heightShare: number;
  /** The type of the queries whose frames it draws, and that type's label. */
  readonly needs: { readonly queryType: string; readonly label: string };
  /** Why there may be nothing to show although the query is right. */
  readonly emptiness: Emptiness;
  /** The stored options made whole: a dashboard written by hand may leave any of them out or hold nonsense. */
  readonly readOptions: (stored: Partial<Options>) => Options;
  /** The fields of the panel editor. A path is the option's name, unique among all views. */
  readonly addOptions: (builder: OptionsBuilder, defaults: Options) => void;
  readonly createModel: (frames: readonly DataFrame[]) => Model;
  readonly isEmpty: (model: Model) => boolean;
  readonly Component: React.ComponentType<ViewProps & { readonly model: Model; readonly options: Options }>;
}

/** A view as the panel sees it, which knows neither its model nor its options. */
export interface View extends Pick<ViewParts<never, never>, 'title' | 'heightShare' | 'needs' | 'emptiness'> {
  readonly addOptions: (builder: OptionsBuilder) => void;
  /** Reads the frames of an answer. */
  readonly open: (frames: readonly DataFrame[]) => OpenView;
}

interface OpenView {
  readonly isEmpty: boolean;
  readonly draw: (props: ViewProps, storedOptions: object) => React.ReactElement;
}

export function createView<Model, Options extends object>(parts: ViewParts<Model, Options>): View {
  const { title, heightShare, needs, emptiness, readOptions, addOptions, createModel, isEmpty, Component } = parts;
  return {
    title,
    heightShare,
    needs,
    emptiness,
    addOptions: (builder) => addOptions(builder, readOptions({})),
    open: (frames) => {
      const model = createModel(frames);
      return {
        isEmpty: isEmpty(model),
        draw: (props, storedOptions) => <Component {...props} model={model} options={readOptions(storedOptions)} />,
      };
    },
  };
}
