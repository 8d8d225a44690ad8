import type { Virtualizer } from '@tanstack/react-virtual';
import { useCallback, useLayoutEffect, useMemo, useRef } from 'react';
import type { LogOrder, PanelLogLine } from '../model/log-model.js';
import { followAfterScroll } from '../model/follow.js';

type LogVirtualizer = Virtualizer<HTMLDivElement, HTMLDivElement>;

interface FollowInput {
  /** In the order to show. */
  readonly lines: readonly PanelLogLine[];
  readonly order: LogOrder;
  readonly isFollowing: boolean;
  readonly onFollowing: (isFollowing: boolean) => void;
  readonly virtualizer: LogVirtualizer;
  readonly container: React.RefObject<HTMLDivElement | null>;
}

/** For the scrolling element. */
interface HandProps {
  readonly onScroll: () => void;
  readonly onWheel: () => void;
  readonly onTouchMove: () => void;
  readonly onKeyDown: () => void;
  readonly onPointerDown: () => void;
  readonly onPointerUp: () => void;
  readonly onPointerLeave: () => void;
}

/** A scroll event this soon after a wheel, touch or key is the viewer's. */
const HAND_MS = 400;

/** The line at the upper edge, and how far it is scrolled beyond it. */
interface Anchor {
  readonly id: string;
  readonly offsetPx: number;
}

function readAnchor(
  virtualizer: LogVirtualizer,
  lines: readonly PanelLogLine[],
  scrollTop: number
): Anchor | undefined {
  const item = virtualizer.getVirtualItemForOffset(scrollTop);
  const line = item === undefined ? undefined : lines[item.index];
  return item === undefined || line === undefined ? undefined : { id: line.id, offsetPx: scrollTop - item.start };
}

/** Tells the viewer's own scrolling from the panel's. */
function useHands(): { readonly isByHand: () => boolean; readonly props: Omit<HandProps, 'onScroll'> } {
  const untilMs = useRef(0);
  return useMemo(() => {
    const touch = (): void => {
      untilMs.current = performance.now() + HAND_MS;
    };
    const hold = (): void => {
      untilMs.current = Infinity;
    };
    return {
      isByHand: () => performance.now() < untilMs.current,
      props: {
        onWheel: touch,
        onTouchMove: touch,
        onKeyDown: touch,
        onPointerDown: hold,
        onPointerUp: touch,
        onPointerLeave: () => {
          if (untilMs.current === Infinity) touch();
        },
      },
    };
  }, []);
}

interface Follow {
  readonly hands: HandProps;
  /** Says whether there is such a line. */
  readonly scrollToLine: (id: string, align: 'start' | 'center' | 'end' | 'auto') => boolean;
}

/** While following, keeps the newest line in sight; otherwise keeps the lines that the viewer reads in their place. */
export function useFollow(input: FollowInput): Follow {
  const { lines, order, isFollowing, onFollowing, virtualizer, container } = input;
  const anchor = useRef<Anchor | undefined>(undefined);
  const hands = useHands();
  const totalSize = virtualizer.getTotalSize();
  const heightPx = virtualizer.scrollRect?.height;

  // The end is further away once the newest lines are measured, and when the window becomes lower.
  useLayoutEffect(() => {
    if (!isFollowing || lines.length === 0) return;
    if (order === 'asc') virtualizer.scrollToIndex(lines.length - 1, { align: 'end' });
    else virtualizer.scrollToOffset(0);
  }, [isFollowing, lines, order, virtualizer, totalSize, heightPx]);

  const place = useRef({ isFollowing, virtualizer });
  place.current = { isFollowing, virtualizer };
  useLayoutEffect(() => {
    const { current } = anchor;
    if (place.current.isFollowing || current === undefined) return;
    const index = lines.findIndex((line) => line.id === current.id);
    const start = index < 0 ? undefined : place.current.virtualizer.getOffsetForIndex(index, 'start')?.[0];
    if (start !== undefined) place.current.virtualizer.scrollToOffset(start + current.offsetPx);
  }, [lines]);

  const notePlace = useCallback(() => {
    if (container.current !== null) anchor.current = readAnchor(virtualizer, lines, container.current.scrollTop);
  }, [container, virtualizer, lines]);

  const onScroll = useCallback(() => {
    const { current } = container;
    if (current === null) return;
    notePlace();
    onFollowing(followAfterScroll(isFollowing, hands.isByHand(), current, order));
  }, [container, notePlace, order, isFollowing, onFollowing, hands]);

  const scrollToLine: Follow['scrollToLine'] = (id, align) => {
    const index = lines.findIndex((line) => line.id === id);
    if (index < 0) return false;
    virtualizer.scrollToIndex(index, { align });
    // Other lines may be loaded before the browser tells of the scroll.
    notePlace();
    return true;
  };

  return { hands: { ...hands.props, onScroll }, scrollToLine };
}
