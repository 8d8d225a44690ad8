import { ROW_CHOICES, type RowChoice } from './rows.js';

/** The stored options of the view. */
export interface GanttOptions {
  readonly ganttRows: RowChoice;
}

export const ROW_LABELS: Readonly<Record<RowChoice, string>> = {
  lane: 'Worker and category',
  worker: 'Worker',
  category: 'Category',
  name: 'Name',
  job: 'Job',
};

/** The stored options made whole: a dashboard written by hand may hold nonsense. */
export function readGanttOptions({ ganttRows }: Partial<Record<keyof GanttOptions, unknown>>): GanttOptions {
  return { ganttRows: ROW_CHOICES.find((choice) => choice === ganttRows) ?? 'lane' };
}
