import { EventBusSrv } from '@grafana/data';
import { act, renderHook } from '@testing-library/react';
import { createHoverHub } from '../../parts/hover.js';
import type { LogDocument } from '../model/log-document.js';
import type { PanelLogLine } from '../model/log-model.js';
import { readTimeNs } from '../model/log-window.js';
import { useLogPlace } from './use-log-place.js';

function createLine(id: string, timeNs: bigint): PanelLogLine {
  const line = { id, timeMs: Number(timeNs / 1_000_000n), tsNs: String(timeNs), timeNs };
  return line as unknown as PanelLogLine;
}

const [FIRST_NS, MIDDLE_NS] = [1_000_000_000n, 2_000_000_000n];
const LINES = [createLine('first', FIRST_NS), createLine('middle', MIDDLE_NS)];

/** A log whose moves end when the test says so. */
function createDocument() {
  const moves: Array<() => void> = [];
  const move = (): Promise<void> => new Promise((resolve) => moves.push(resolve));
  const document = { goTo: move, goToFirst: move, goToEnd: () => undefined, state: { window: { lines: LINES } } };
  const end = (at: number): Promise<void> =>
    act(async () => {
      moves[at]?.();
      await Promise.resolve();
    });
  return { document: document as unknown as LogDocument, end };
}

function render(document: LogDocument) {
  const hub = createHoverHub(new EventBusSrv());
  const shared = { hub, source: {}, isFollowing: true, onFollowing: () => undefined };
  return renderHook((props: { document: LogDocument }) => useLogPlace({ ...shared, ...props }), {
    initialProps: { document },
  });
}

it('has lines with the times that they are made of', () => {
  expect(LINES.map(readTimeNs)).toEqual([FIRST_NS, MIDDLE_NS]);
});

describe('a move through the log', () => {
  it('scrolls to its line', async () => {
    const { document, end } = createDocument();
    const { result } = render(document);
    act(() => result.current.goTo(MIDDLE_NS));
    await end(0);
    expect(result.current.target).toMatchObject({ id: 'middle', align: 'center' });
  });

  it('that ends after a newer one scrolls nowhere', async () => {
    const { document, end } = createDocument();
    const { result } = render(document);
    act(() => result.current.goToFirst());
    act(() => result.current.goTo(MIDDLE_NS));
    await end(1);
    await end(0);
    expect(result.current.target).toMatchObject({ id: 'middle' });
  });

  it.each(['the end was asked for', 'another log is shown'])('scrolls nowhere when %s meanwhile', async (what) => {
    const { document, end } = createDocument();
    const { result, rerender } = render(document);
    act(() => result.current.goTo(MIDDLE_NS));
    if (what === 'the end was asked for') act(() => result.current.goToEnd());
    else rerender({ document: createDocument().document });
    await end(0);
    expect(result.current.target).toBeUndefined();
  });
});
