import { findNamedNumbers, type NamedNumber } from '@joblens/core/lines/named-numbers';

/** A number of a line on the screen. */
export interface NumberPlace {
  readonly lineId: string;
  /** Holds the line's text. */
  readonly element: Element;
  readonly number: NamedNumber;
  /** In the window. */
  readonly rect: DOMRect;
}

interface Caret {
  readonly node: Node;
  readonly offset: number;
}

/** Standard since 2025; Safari and older browsers have the other one. */
interface CaretDocument {
  caretPositionFromPoint?(x: number, y: number): { readonly offsetNode: Node; readonly offset: number } | null;
  caretRangeFromPoint?(x: number, y: number): Range | null;
}

/** The number at this point of the window. Nothing in the document changes, so that selecting text is not disturbed. */
export function findNumberAt(x: number, y: number): NumberPlace | undefined {
  const caret = readCaret(x, y);
  const element = caret?.node.parentElement?.closest('[data-log-text]') ?? undefined;
  if (caret === undefined || element === undefined) return undefined;
  const lineId = element.closest<HTMLElement>('[data-line-id]')?.dataset['lineId'] ?? '';
  const column = createRange(element, caret)?.toString().length ?? 0;
  const number = findNamedNumbers(element.textContent).find(({ start, end }) => start <= column && column <= end);
  const range = number && createRange(element, findPlace(element, number.start), findPlace(element, number.end));
  const rect = range && findRect(range, x, y);
  return number && rect && { lineId, element, number, rect };
}

/** The nearest place may be far from the point, as right of the line's end: then there is none. */
function findRect(range: Range, x: number, y: number): DOMRect | undefined {
  return [...range.getClientRects()].find(
    ({ left, right, top, bottom }) => left <= x && x <= right && top <= y && y <= bottom
  );
}

function readCaret(x: number, y: number): Caret | undefined {
  const page: CaretDocument = document;
  const position = page.caretPositionFromPoint?.(x, y) ?? undefined;
  if (position !== undefined) return { node: position.offsetNode, offset: position.offset };
  const range = page.caretRangeFromPoint?.(x, y) ?? undefined;
  return range === undefined ? undefined : { node: range.startContainer, offset: range.startOffset };
}

/** From the element's start, or from another place in it. */
function createRange(element: Element, ...places: ReadonlyArray<Caret | undefined>): Range | undefined {
  const [first, last = first] = places;
  if (first === undefined || last === undefined) return undefined;
  const range = document.createRange();
  if (places.length === 1) range.setStart(element, 0);
  else range.setStart(first.node, first.offset);
  range.setEnd(last.node, last.offset);
  return range;
}

/** The place of a character in the element's texts. */
function findPlace(element: Element, column: number): Caret | undefined {
  const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  let left = column;
  for (let node = texts.nextNode(); node !== null; node = texts.nextNode()) {
    const length = node.textContent?.length ?? 0;
    if (left <= length) return { node, offset: left };
    left -= length;
  }
  return undefined;
}
