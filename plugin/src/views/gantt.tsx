import React, { useCallback } from 'react';
import { GanttView } from './gantt/components/GanttView.js';
import { type GanttOptions, readGanttOptions, ROW_LABELS } from './gantt/model/settings.js';
import { ROW_CHOICES, type RowChoice } from './gantt/model/rows.js';
import { readSpans, type SpansModel } from './gantt/model/spans.js';
import type { Extent } from './graph/model/scales/scale.js';
import { EmptyState } from './parts/components/EmptyState.js';
import { useKeptState } from './parts/hooks/kept-state.js';
import { createView, type ViewProps } from './view.js';

interface GanttProps extends ViewProps {
  readonly model: SpansModel;
  readonly options: GanttOptions;
}

function Gantt({ model, options, onTimeRange, ...place }: GanttProps): React.ReactElement {
  const { ganttRows } = options;
  const [rows, onRows] = useKeptState<RowChoice>('gantt.rows', ganttRows, ganttRows);
  const [search, onSearch] = useKeptState('gantt.search', '', '');
  const onRange = useCallback(({ min, max }: Extent) => onTimeRange({ from: min, to: max }), [onTimeRange]);
  if (model.spans.length === 0) return <EmptyState title="No spans in this answer" hint={model.missing ?? ''} />;
  const { width, height, timeZone, timeRange, jobKey, hub } = place;
  return (
    <GanttView
      {...{ model, rows, onRows, search, onSearch, width, height, timeZone, timeRange, jobKey, hub }}
      onTimeRange={onRange}
    />
  );
}

/** What ran when, and for how long. */
export const gantt = createView<SpansModel, GanttOptions>({
  title: 'Gantt',
  heightShare: 4,
  needs: { queryType: 'spans', label: 'Spans' },
  isSeldom: true,
  drawn: 'frames with a time of start, and an end or a duration',
  emptiness: {
    title: 'No spans in this time range',
    hint: 'A job logs a span with `/LOGCOMMAND {"span": {"id": 1, "name": "load", "start": 1700000000, "duration_s": 2}}`.',
  },
  readOptions: readGanttOptions,
  addOptions: (builder, defaults) =>
    builder.addSelect({
      path: 'ganttRows',
      name: 'Gantt: rows by',
      defaultValue: defaults.ganttRows,
      settings: { options: ROW_CHOICES.map((value) => ({ value, label: ROW_LABELS[value] })) },
    }),
  createModel: readSpans,
  isEmpty: ({ spans, missing }) => spans.length === 0 && missing === undefined,
  Component: Gantt,
});
