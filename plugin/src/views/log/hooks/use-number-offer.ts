import { findLineRules, type LineRule } from '@joblens/core/lines/find-line-rule';
import type { MetadataKind } from '@joblens/core/lines/metadata-kind';
import { findNamedNumbers } from '@joblens/core/lines/named-numbers';
import { type MouseEvent, useMemo, useState } from 'react';
import { compilePattern } from '../../../patterns/compile-pattern.js';
import type { PanelLogLine } from '../model/log-model.js';
import { findNumberAt } from '../model/number-at.js';
import { readPlainText } from '../model/search.js';

/** A place among the lines, in pixels from their upper left corner. */
export interface Box {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
  /** There is no room for an offer below it. */
  readonly isAtEnd: boolean;
}

interface Offer {
  readonly choices: readonly LineRule[];
  readonly box: Box;
  /** The keyboard asked for it. */
  readonly hasFocus: boolean;
}

export interface NumberOffer {
  /** The number under the mouse. */
  readonly hovered: Box | undefined;
  readonly offer: Offer | undefined;
  /** For the element that scrolls the lines. */
  readonly onMouseMove: (event: MouseEvent) => void;
  readonly onMouseLeave: () => void;
  readonly onClick: (event: MouseEvent) => void;
  /** Offers all numbers of a line. */
  readonly offerLine: (line: PanelLogLine) => void;
  readonly choose: (choice: LineRule) => void;
  readonly close: () => void;
}

const MAX_CHOICES = 8;
const OFFER_HEIGHT_PX = 40;

/** Offers to draw numbers of lines; undefined where nothing can be drawn. */
export function useNumberOffer(
  lines: readonly PanelLogLine[],
  onDraw: ((rule: MetadataKind) => void) | undefined
): NumberOffer | undefined {
  const [hovered, setHovered] = useState<Box | undefined>(undefined);
  const [offer, setOffer] = useState<Offer | undefined>(undefined);
  return useMemo(() => {
    if (onDraw === undefined) return undefined;
    const close = (): void => setOffer(undefined);
    return {
      ...{ hovered, offer, close },
      onMouseMove: ({ clientX, clientY, buttons }) => {
        const found = buttons === 0 ? findNumberAt(clientX, clientY) : undefined;
        const next = found && toBox(found.rect, found.element);
        setHovered((before) => (JSON.stringify(before) === JSON.stringify(next) ? before : next));
      },
      onMouseLeave: () => setHovered(undefined),
      onClick: ({ clientX, clientY }) => {
        // The mouse has selected text.
        const found = document.getSelection()?.isCollapsed === false ? undefined : findNumberAt(clientX, clientY);
        const line = lines.find(({ id }) => id === found?.lineId);
        const choices = found && line ? listChoices(lines, line, [found.number.start]) : [];
        const box = found && toBox(found.rect, found.element);
        setOffer(box !== undefined && choices.length > 0 ? { choices, box, hasFocus: false } : undefined);
      },
      offerLine: (line) => {
        const numbers = findNamedNumbers(readPlainText(line)).filter(({ isTotal }) => !isTotal);
        const starts = numbers.map(({ start }) => start);
        const element = document.querySelector(`[data-line-id="${CSS.escape(line.id)}"] [data-log-text]`);
        const choices = listChoices(lines, line, starts);
        if (element === null || choices.length === 0) return;
        setOffer({ choices, box: toBox(element.getBoundingClientRect(), element), hasFocus: true });
      },
      choose: ({ rule }) => {
        close();
        onDraw(rule);
      },
    };
  }, [lines, onDraw, hovered, offer]);
}

/** One choice for each name. */
function listChoices(
  lines: readonly PanelLogLine[],
  line: PanelLogLine,
  starts: readonly number[]
): readonly LineRule[] {
  const written = lines.filter(
    ({ kind, stream, task }) => kind === 'output' && stream === line.stream && task === line.task
  );
  const [texts, at] = [written.map(readPlainText), written.indexOf(line)];
  const choices = findLineRules({ lines: texts, at, columns: starts }, compilePattern);
  return [...new Map(choices.map((choice) => [choice.name, choice])).values()].slice(0, MAX_CHOICES);
}

function toBox(rect: DOMRect, element: Element): Box {
  const place = element.closest('[data-log-lines]');
  const origin = place?.getBoundingClientRect() ?? rect;
  const bottom = place?.parentElement?.getBoundingClientRect().bottom ?? Infinity;
  const { width, height } = rect;
  const isAtEnd = rect.bottom + OFFER_HEIGHT_PX > bottom;
  return { left: rect.left - origin.left, top: rect.top - origin.top, width, height, isAtEnd };
}
