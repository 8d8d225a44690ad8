import {
  getFieldDisplayValues,
  PanelPlugin,
  VizOrientation,
  type FieldDisplay,
  type PanelProps,
  type ReduceDataOptions,
} from '@grafana/data';
import { BigValue, BigValueColorMode, BigValueGraphMode, BigValueTextMode, useTheme2, VizRepeater } from '@grafana/ui';
import * as React from 'react';
import { withMeta } from './meta.js';

interface StatOptions {
  readonly reduceOptions?: ReduceDataOptions;
  readonly colorMode?: BigValueColorMode;
  readonly textMode?: BigValueTextMode;
}

/** A substitute for Grafana's stat panel: one big value for each field or row. */
export function createStatPanel(): PanelPlugin {
  return withMeta(new PanelPlugin<StatOptions>(StatPanel).useFieldConfig(), { id: 'stat', name: 'Stat' });
}

function StatPanel(props: PanelProps<StatOptions>): React.JSX.Element {
  const { data, options, fieldConfig, replaceVariables, timeZone, width, height, renderCounter } = props;
  const theme = useTheme2();
  const getValues = (): FieldDisplay[] =>
    getFieldDisplayValues({
      fieldConfig,
      reduceOptions: { calcs: ['lastNotNull'], values: false, ...options.reduceOptions },
      replaceVariables,
      theme,
      data: data.series,
      timeZone,
    });
  return (
    <VizRepeater
      getValues={getValues}
      renderValue={({ value, width: valueWidth, height: valueHeight }) => (
        <BigValue
          value={value.display}
          width={valueWidth}
          height={valueHeight}
          theme={theme}
          colorMode={options.colorMode ?? BigValueColorMode.Value}
          graphMode={BigValueGraphMode.None}
          textMode={options.textMode ?? BigValueTextMode.Auto}
        />
      )}
      width={width}
      height={height}
      source={data}
      itemSpacing={4}
      renderCounter={renderCounter}
      autoGrid
      orientation={VizOrientation.Auto}
    />
  );
}
