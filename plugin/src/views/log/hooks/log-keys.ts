import type React from 'react';
import type { LogOrder, PanelLogLine } from '../model/log-model.js';
import type { LineSelection } from './use-line-selection.js';

interface LogKeysInput {
  readonly order: LogOrder;
  readonly selection: LineSelection;
  readonly onFirst: () => void;
  readonly onEnd: () => void;
  readonly onSearch: () => void;
  readonly onMatch: (direction: 'older' | 'newer') => void;
  readonly onLink: (line: PanelLogLine) => void;
  /** Offers to draw the numbers of a line. */
  readonly onNumbers: ((line: PanelLogLine) => void) | undefined;
}

/** For the element that scrolls the lines. */
export interface LogKeys {
  readonly onKeyDown: (event: React.KeyboardEvent) => void;
  readonly onCopy: (event: React.ClipboardEvent) => void;
}

/** As `aria-keyshortcuts` has them. */
export const KEY_SHORTCUTS = 'ArrowDown ArrowUp Shift+ArrowDown Shift+ArrowUp Home End Enter Escape d / n Shift+N';

export const KEYS_EXPLAINED =
  'Arrow keys select a line, with Shift several; Ctrl+C copies them, Enter puts the line into the address, d draws its numbers. ' +
  'Home and End go to the ends of the log. Slash searches, n and Shift+N go to the next and the previous match.';

type Action = (event: React.KeyboardEvent) => void;

function createActions(input: LogKeysInput): Readonly<Record<string, Action | undefined>> {
  const { order, selection, onFirst, onEnd, onSearch, onMatch, onLink, onNumbers } = input;
  const [toTop, toBottom] = order === 'asc' ? [onFirst, onEnd] : [onEnd, onFirst];
  const [down, up] = order === 'asc' ? (['newer', 'older'] as const) : (['older', 'newer'] as const);
  const { head } = selection;
  return {
    ArrowDown: ({ shiftKey }) => selection.move(1, shiftKey),
    ArrowUp: ({ shiftKey }) => selection.move(-1, shiftKey),
    Home: () => {
      selection.clear();
      toTop();
    },
    End: () => {
      selection.clear();
      toBottom();
    },
    '/': onSearch,
    n: () => onMatch(down),
    N: () => onMatch(up),
    ...(head !== undefined && { Enter: () => onLink(head), Escape: selection.clear, d: () => onNumbers?.(head) }),
  };
}

/** Keys that are pressed on a button do what the button does. */
const KEYS_OF_BUTTONS: ReadonlySet<string> = new Set(['Enter']);

export function createLogKeys(input: LogKeysInput): LogKeys {
  const actions = createActions(input);
  return {
    onKeyDown: (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.target !== event.currentTarget && KEYS_OF_BUTTONS.has(event.key)) return;
      const action = actions[event.key];
      if (action === undefined) return;
      event.preventDefault();
      action(event);
    },
    onCopy: (event) => {
      const text = input.selection.readText();
      // What the mouse has selected goes first.
      if (text === undefined || document.getSelection()?.isCollapsed === false) return;
      event.preventDefault();
      event.clipboardData.setData('text/plain', text);
    },
  };
}
