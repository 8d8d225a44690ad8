import { useMemo, useState } from 'react';
import { compareLines, type LogOrder, type PanelLogLine } from '../model/log-model.js';
import { readPlainText } from '../model/search.js';

interface LineRange {
  readonly anchor: PanelLogLine;
  /** The line that the keys move. */
  readonly head: PanelLogLine;
}

interface SelectionInput {
  /** All loaded lines, oldest first. */
  readonly lines: readonly PanelLogLine[];
  /** The lines that are shown, in the order to show. */
  readonly shown: readonly PanelLogLine[];
  readonly order: LogOrder;
  /** The line that the first key selects. */
  readonly readStart: () => PanelLogLine | undefined;
  /** Scrolls to the line if it is out of sight. */
  readonly reveal: (line: PanelLogLine) => void;
}

export interface LineSelection {
  readonly head: PanelLogLine | undefined;
  /** Undefined when nothing is selected. */
  readonly isSelected: ((line: PanelLogLine) => boolean) | undefined;
  /** Selects the next line down (1) or up (-1), or adds it to the range. */
  readonly move: (step: 1 | -1, isExtending: boolean) => void;
  readonly clear: () => void;
  /** The selected lines without colours, with those that are folded; undefined when nothing is selected. */
  readonly readText: () => string | undefined;
  /** For those who hear the page. */
  readonly spoken: string;
}

/** Lines that are selected with the keyboard. */
export function useLineSelection(input: SelectionInput): LineSelection {
  const { lines, shown, order, readStart, reveal } = input;
  const [range, setRange] = useState<LineRange | undefined>(undefined);
  const isSelected = useMemo(() => range && createRangeTest(range), [range]);
  const move = (step: 1 | -1, isExtending: boolean): void => {
    const at = range === undefined ? -1 : shown.findIndex(({ id }) => id === range.head.id);
    // A line that is no longer there is left behind.
    const head = at < 0 ? readStart() : shown[at + step];
    if (head === undefined) return;
    setRange({ anchor: isExtending && at >= 0 && range !== undefined ? range.anchor : head, head });
    reveal(head);
  };
  const readText = (): string | undefined => {
    if (isSelected === undefined) return undefined;
    const texts = lines.filter(isSelected).map(readPlainText);
    return (order === 'asc' ? texts : texts.reverse()).join('\n');
  };
  const spoken = useMemo(() => {
    if (range === undefined || isSelected === undefined) return '';
    const count = lines.filter(isSelected).length;
    return `${readPlainText(range.head)}${count > 1 ? `; ${count} lines selected` : ''}`;
  }, [range, isSelected, lines]);
  return { head: range?.head, isSelected, move, clear: () => setRange(undefined), readText, spoken };
}

function createRangeTest({ anchor, head }: LineRange): (line: PanelLogLine) => boolean {
  const [first, last] = compareLines(anchor, head) <= 0 ? [anchor, head] : [head, anchor];
  return (line) => compareLines(first, line) <= 0 && compareLines(line, last) <= 0;
}
