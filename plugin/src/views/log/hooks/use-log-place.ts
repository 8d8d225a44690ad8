import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { HoverHub } from '../../parts/hover.js';
import { useTurns } from '../../../answers/use-turns.js';
import type { LogDocument } from '../model/log-document.js';
import { readLinkedTime, setLinkedTime } from '../model/log-link.js';
import type { PanelLogLine } from '../model/log-model.js';
import { findLineAt, readTimeNs } from '../model/log-window.js';

/** A line to scroll to; each has a token of its own, so that one line can be asked for twice. */
interface ScrollTarget {
  readonly id: string;
  readonly align: 'start' | 'center' | 'end';
  readonly token: number;
}

interface PlaceInput {
  readonly document: LogDocument;
  readonly hub: HoverHub;
  readonly source: object;
  readonly isFollowing: boolean;
  readonly onFollowing: (isFollowing: boolean) => void;
}

export interface LogPlace {
  readonly target: ScrollTarget | undefined;
  /** The line that the page's address names. */
  readonly linkedNs: bigint | undefined;
  /** Is set by the lines to what gives the one at the upper edge. */
  readonly readTop: React.MutableRefObject<() => PanelLogLine | undefined>;
  /** Is set by the lines to what gives those wholly in sight, in the order shown. */
  readonly readSight: React.MutableRefObject<() => readonly PanelLogLine[]>;
  /** Is set by the lines to what scrolls to a shown line that is out of sight. */
  readonly reveal: React.MutableRefObject<(line: PanelLogLine) => void>;
  readonly goTo: (timeNs: bigint) => void;
  readonly goToFirst: () => void;
  readonly goToEnd: () => void;
  /** Puts the line into the page's address, and shows its time in the other views. */
  readonly select: (line: PanelLogLine) => void;
}

/** Moves through the log: to a time, to its ends, to the line of the address, to what is clicked in other views. */
export function useLogPlace({ document, hub, source, isFollowing, onFollowing }: PlaceInput): LogPlace {
  const [target, setTarget] = useState<ScrollTarget | undefined>(undefined);
  const [linkedNs, setLinkedNs] = useState(readLinkedTime);
  const tokens = useRef(0);
  const readTop = useRef<() => PanelLogLine | undefined>(() => undefined);
  const readSight = useRef<() => readonly PanelLogLine[]>(() => []);
  const reveal = useRef<(line: PanelLogLine) => void>(() => undefined);
  const startTurn = useTurns(document);
  const moves = useMemo(() => {
    const show = (line: PanelLogLine | undefined, align: ScrollTarget['align']): void => {
      tokens.current += 1;
      if (line !== undefined) setTarget({ id: line.id, align, token: tokens.current });
    };
    return {
      goTo: (timeNs: bigint): void => {
        onFollowing(false);
        const isNewest = startTurn();
        void document.goTo(timeNs).then(() => {
          const { lines } = document.state.window;
          if (isNewest()) show(lines[findLineAt(lines, timeNs)], 'center');
        });
      },
      goToFirst: (): void => {
        onFollowing(false);
        const isNewest = startTurn();
        void document.goToFirst().then(() => {
          if (isNewest()) show(document.state.window.lines[0], 'start');
        });
      },
      goToEnd: (): void => {
        startTurn();
        document.goToEnd();
        onFollowing(true);
      },
    };
  }, [document, onFollowing, startTurn]);
  const { goTo } = moves;
  const select = useCallback(
    (line: PanelLogLine): void => {
      const timeNs = readTimeNs(line);
      setLinkedNs(timeNs);
      setLinkedTime(timeNs);
      hub.select(source, timeNs);
    },
    [hub, source]
  );
  useEffect(() => hub.onSelect(source, goTo), [hub, source, goTo]);
  useKeptPlace({ isFollowing, linkedNs, readTop, goTo });
  return { target, linkedNs, readTop, readSight, reveal, select, ...moves };
}

/** Goes to the line of the address at first, and stays where the viewer reads when a filter makes another document. */
function useKeptPlace({
  isFollowing,
  linkedNs,
  readTop,
  goTo,
}: Pick<LogPlace, 'linkedNs' | 'readTop' | 'goTo'> & { readonly isFollowing: boolean }): void {
  const place = useRef<bigint | undefined>(linkedNs);
  const isAway = useRef(linkedNs !== undefined);
  useEffect(() => {
    if (isAway.current && place.current !== undefined) goTo(place.current);
  }, [goTo]);
  useEffect(() => {
    const top = readTop.current();
    place.current = linkedNs ?? (top === undefined ? place.current : readTimeNs(top));
    isAway.current = !isFollowing;
  });
}
