import type { MetadataKind } from '@joblens/core/lines/metadata-kind';
import { fireEvent, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { createLogView, defineSizes, NS } from '../../testing/log-panel.js';

const LINE = 'Epoch 2/9, lm loss: 0.25 | 12 s';
const LINES = ['starting', 'Epoch 1/9, lm loss: 0.5 | 11 s', LINE].map((text, at) => ({
  text,
  timeNs: BigInt(at + 1) * NS,
}));

beforeAll(() => {
  defineSizes();
  // jsdom has no layout: each text is 10 pixels a character, and the mouse is in the last line.
  Object.assign(globalThis, { CSS: { escape: (text: string) => text.replace(/[^\w-]/g, String.raw`\$&`) } });
  Range.prototype.getClientRects = function getClientRects(this: Range) {
    const width = 10 * this.toString().length;
    return [new DOMRect(10 * this.startOffset, 0, width, 18)] as unknown as DOMRectList;
  };
  Object.assign(document, {
    caretRangeFromPoint: (x: number) => {
      const node = screen.getByText(LINE).firstChild;
      const range = document.createRange();
      if (node !== null) range.setStart(node, Math.min(LINE.length, Math.floor(x / 10)));
      return range;
    },
  });
});

function show(): { drawn: MetadataKind[] } {
  const drawn: MetadataKind[] = [];
  render(createLogView(LINES, { onDraw: (rule) => drawn.push(rule) }));
  return { drawn };
}

const xOf = (text: string): number => 10 * (LINE.indexOf(text) + 1);
const readOffers = (): string[] =>
  screen.queryAllByRole('button', { name: /^Draw / }).map((button) => button.textContent);

it('marks the number under the mouse, and draws it with two clicks', async () => {
  const { drawn } = show();
  const line = await screen.findByText(LINE);
  fireEvent.mouseMove(line, { clientX: xOf('lm'), clientY: 5 });
  expect(screen.queryByTestId('joblens-log-number')).toBeNull();
  fireEvent.mouseMove(line, { clientX: xOf('0.25'), clientY: 5 });
  expect(screen.getByTestId('joblens-log-number').style.width).toBe('40px');
  fireEvent.click(line, { clientX: xOf('0.25'), clientY: 5 });
  expect(readOffers()).toEqual(['Draw lm loss']);
  await userEvent.click(screen.getByText('Draw lm loss'));
  expect(drawn).toEqual([{ preset: 'epochs' }]);
  expect(readOffers()).toEqual([]);
});

it('offers nothing beside numbers', async () => {
  show();
  const line = await screen.findByText(LINE);
  fireEvent.click(line, { clientX: xOf('lm'), clientY: 5 });
  fireEvent.click(line, { clientX: xOf('12 s'), clientY: 500 });
  expect(readOffers()).toEqual([]);
});

it('offers the numbers of the selected line on a key', async () => {
  const { drawn } = show();
  await screen.findByText(LINE);
  const lines = screen.getByRole('log');
  lines.focus();
  await userEvent.keyboard('{ArrowDown}{ArrowDown}{ArrowDown}d');
  expect(readOffers().slice(0, 2)).toEqual(['Draw epoch', 'Draw lm loss']);
  expect(document.activeElement?.textContent).toBe('Draw epoch');
  await userEvent.keyboard('{Escape}');
  expect([readOffers(), document.activeElement]).toEqual([[], lines]);
  await userEvent.keyboard('d{Enter}');
  expect(drawn).toHaveLength(1);
});
