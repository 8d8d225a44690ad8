import type { Virtualizer } from '@tanstack/react-virtual';
import type { PanelLogLine } from './log-model.js';

type LogVirtualizer = Virtualizer<HTMLDivElement, HTMLDivElement>;

/** The lines that are wholly in sight; a line that fills the view, alone. */
export function readSight(virtualizer: LogVirtualizer, lines: readonly PanelLogLine[]): readonly PanelLogLine[] {
  const { scrollElement } = virtualizer;
  if (scrollElement === null) return [];
  const { scrollTop, clientHeight } = scrollElement;
  const whole = virtualizer
    .getVirtualItems()
    .filter(({ start, end }) => start >= scrollTop && end <= scrollTop + clientHeight);
  const top = virtualizer.getVirtualItemForOffset(scrollTop);
  const items = whole.length > 0 || top === undefined ? whole : [top];
  return items.flatMap(({ index }) => lines[index] ?? []);
}
