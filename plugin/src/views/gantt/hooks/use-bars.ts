import { useTheme2 } from '@grafana/ui';
import { useMemo } from 'react';
import { createKeyFilter } from '../../graph/model/panes/key-filter.js';
import { readTheme } from '../../parts/panel-theme.js';
import { type RowBox, stackRows } from '../model/boxes.js';
import { assignColours, type BarLook, chooseBarLooks } from '../model/colours.js';
import type { ChartColours } from '../model/paint-chart.js';
import { createRows, filterRows, type RowChoice } from '../model/rows.js';
import { createSaturation, type Saturation } from '../model/saturation.js';
import type { SpansModel } from '../model/spans.js';

/** What is drawn, before it is known of which part. */
export interface Bars {
  readonly boxes: readonly RowBox[];
  /** What the search finds, in the same places; undefined where nothing is searched. */
  readonly found: readonly RowBox[] | undefined;
  readonly foundCount: number;
  readonly saturation: Saturation;
}

interface BarsInput {
  readonly model: SpansModel;
  readonly rows: RowChoice;
  readonly search: string;
  readonly hasTitlesAbove: boolean;
}

/** Whether each name passes, by its place: names are fewer than spans. */
function listPassing({ names }: SpansModel, search: string): readonly boolean[] {
  const passes = createKeyFilter(search);
  return names.map(passes);
}

export function useBars({ model, rows: choice, search, hasTitlesAbove }: BarsInput): Bars {
  const rows = useMemo(() => createRows(model.spans, choice), [model, choice]);
  const boxes = useMemo(() => stackRows(rows, hasTitlesAbove), [rows, hasTitlesAbove]);
  const passing = useMemo(() => (search.trim() === '' ? undefined : listPassing(model, search)), [model, search]);
  const found = useMemo(() => {
    if (passing === undefined) return undefined;
    return stackRows(
      filterRows(rows, ({ nameAt }) => passing[nameAt] === true),
      hasTitlesAbove
    );
  }, [rows, passing, hasTitlesAbove]);
  const saturation = useMemo(() => {
    const { spans } = model;
    return createSaturation(passing === undefined ? spans : spans.filter(({ nameAt }) => passing[nameAt] === true));
  }, [model, passing]);
  const foundCount = found?.reduce((sum, { row }) => sum + row.spanCount, 0) ?? model.spans.length;
  return useMemo(() => ({ boxes, found, foundCount, saturation }), [boxes, found, foundCount, saturation]);
}

/** The look of each name. A name keeps its colour as long as the same jobs are shown. */
export function useLooks({ names }: SpansModel, jobKey: string): readonly BarLook[] {
  const grafanaTheme = useTheme2();
  // Other jobs, or a theme with other colours, begin anew.
  const known = useMemo(() => new Map<string, number>(), [jobKey, grafanaTheme]);
  return useMemo(() => {
    const { visualization, colors } = readTheme(grafanaTheme);
    const palette = visualization.palette.map((name) => visualization.getColorByName(name));
    const looks = chooseBarLooks(palette, colors.background.primary);
    return assignColours(names, looks.length, known).map((at) => looks[at] ?? { fill: 'grey', text: 'black' });
  }, [names, known, grafanaTheme]);
}

export function useChartColours(): ChartColours {
  const grafanaTheme = useTheme2();
  return useMemo(() => {
    const { colors, typography, isDark } = readTheme(grafanaTheme);
    return {
      background: colors.background.primary,
      text: colors.text.primary,
      weakText: colors.text.secondary,
      grid: isDark ? 'rgba(240, 250, 255, 0.09)' : 'rgba(0, 10, 23, 0.09)',
      saturation: colors.info.text,
      font: typography.fontFamily,
    };
  }, [grafanaTheme]);
}
