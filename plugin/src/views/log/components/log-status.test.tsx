import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import React from 'react';
import type { LogDocumentState } from '../model/log-document.js';
import { createTailWindow } from '../model/log-window.js';
import { LogStatus } from './LogStatus.js';

const WINDOW = { ...createTailWindow({ lines: [], hasMore: true, fromNs: 5n, toNs: 9n }), hasOlder: true };
const IDLE: LogDocumentState = { window: WINDOW, loading: undefined, error: undefined };

function renderStatus(state: Partial<LogDocumentState>) {
  const calls: string[] = [];
  const note = (name: string) => () => void calls.push(name);
  render(
    <LogStatus
      state={{ ...IDLE, ...state }}
      rows={[]}
      onOlder={note('older')}
      onNewer={note('newer')}
      onStop={note('stop')}
      onResume={note('resume')}
      timeZone="utc"
    />
  );
  return calls;
}

it.each<[string, Partial<LogDocumentState>, string, string]>([
  ['that goes on', { loading: 'older', reachedNs: 1_700_000_000_000_000_000n }, 'Stop', 'stop'],
  ['that was stopped', { isStopped: true, reachedNs: 1_700_000_000_000_000_000n }, 'Go on', 'resume'],
  ['that failed', { error: 'the store is away (503)' }, 'Try again', 'older'],
])(
  'has a button for a search %s, by keyboard and by pointer, as large as a finger hits',
  async (_name, state, text, call) => {
    const calls = renderStatus(state);
    const button = screen.getByRole('button', { name: text });
    await userEvent.click(button);
    button.focus();
    await userEvent.keyboard('{Enter}');
    expect(calls).toEqual([call, call]);
    expect(getComputedStyle(button)).toMatchObject({ minHeight: '24px', minWidth: '24px' });
  }
);
