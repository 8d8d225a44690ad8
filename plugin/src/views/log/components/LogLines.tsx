import { css } from '@emotion/css';
import { useStyles2, useTheme2 } from '@grafana/ui';
import { useVirtualizer, type VirtualItem, type Virtualizer } from '@tanstack/react-virtual';
import React, { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { KEY_SHORTCUTS, KEYS_EXPLAINED, type LogKeys } from '../hooks/log-keys.js';
import type { LogDocumentState } from '../model/log-document.js';
import type { LogOrder, PanelLogLine } from '../model/log-model.js';
import { readTimeNs } from '../model/log-window.js';
import { readTheme } from '../../parts/panel-theme.js';
import { LogLine, type LogLineProps } from './LogLine.js';
import { LogStatus } from './LogStatus.js';
import { NumberOffers } from './NumberOffers.js';
import { parseCssColour, type LogTheme } from '../model/sgr-colour.js';
import { readSight } from '../model/sight.js';
import type { LogRow } from '../model/traces.js';
import { useFollow } from '../hooks/use-follow.js';
import { useHoverAtRest } from '../hooks/use-hover-at-rest.js';
import type { NumberOffer } from '../hooks/use-number-offer.js';

type SharedProps = Pick<
  LogLineProps,
  | 'timeZone'
  | 'showTime'
  | 'timeFormat'
  | 'showTask'
  | 'ownerForm'
  | 'isWrapped'
  | 'pattern'
  | 'onHover'
  | 'onSelect'
  | 'onToggle'
>;

interface LogLinesProps extends SharedProps {
  /** In the order to show. */
  readonly rows: readonly LogRow[];
  readonly order: LogOrder;
  readonly width: number;
  readonly height: number;
  readonly hoveredId: string | undefined;
  readonly currentId: string | undefined;
  readonly linkedNs: bigint | undefined;
  /** Selected with the keyboard; undefined: none is. */
  readonly isSelected: ((line: PanelLogLine) => boolean) | undefined;
  /** What is said to those who hear the page. */
  readonly spoken: string;
  readonly keys: LogKeys;
  /** Undefined: no number can be drawn. */
  readonly numbers: NumberOffer | undefined;
  readonly isFollowing: boolean;
  /** No more lines are expected. */
  readonly isEnded: boolean;
  readonly onFollowing: (isFollowing: boolean) => void;
  readonly target:
    { readonly id: string; readonly align: 'start' | 'center' | 'end'; readonly token: number } | undefined;
  /** Is set to what gives the line at the upper edge. */
  readonly readTop: React.MutableRefObject<() => PanelLogLine | undefined>;
  /** Is set to what gives the lines wholly in sight. */
  readonly readSight: React.MutableRefObject<() => readonly PanelLogLine[]>;
  /** Is set to what scrolls to a line that is out of sight. */
  readonly reveal: React.MutableRefObject<(line: PanelLogLine) => void>;
  /** Lines beyond the loaded ones can be had. */
  readonly canLoad: boolean;
  readonly state: LogDocumentState;
  readonly onOlder: () => void;
  readonly onNewer: () => void;
  readonly onStop: () => void;
  readonly onResume: () => void;
  /** Drawn over the newest edge, inside the scrolling part, so that the wheel works on it too. */
  readonly badge: React.ReactNode;
}

const LINE_HEIGHT_PX = 18;
const OVERSCAN_LINES = 20;
/** More lines are loaded when fewer than these are left on the way to the window's edge. */
const EDGE_LINES = 250;

function useLogTheme(): LogTheme {
  const grafanaTheme = useTheme2();
  return useMemo(() => {
    const { isDark, colors } = readTheme(grafanaTheme);
    return {
      isDark,
      foreground: parseCssColour(colors.text.primary) ?? (isDark ? [204, 204, 220] : [36, 41, 46]),
      background: parseCssColour(colors.background.primary) ?? (isDark ? [24, 27, 31] : [255, 255, 255]),
    };
  }, [grafanaTheme]);
}

/** Scrolls to each new target once its line is there. */
function useTarget(
  target: LogLinesProps['target'],
  scrollToLine: (id: string, align: 'start' | 'center' | 'end') => boolean
): void {
  const done = useRef(0);
  useLayoutEffect(() => {
    if (target === undefined || target.token === done.current) return;
    if (scrollToLine(target.id, target.align)) done.current = target.token;
  });
}

/** Has more lines loaded while the viewer comes near an edge of the window. */
function useEdges(
  { canLoad, state, order, onOlder, onNewer, rows }: LogLinesProps,
  first: number | undefined,
  last: number | undefined
): void {
  const { window, loading, error } = state;
  const isIdle = canLoad && loading === undefined && error === undefined;
  const isNearTop = first === undefined || first < EDGE_LINES;
  const isNearBottom = last === undefined || last >= rows.length - EDGE_LINES;
  const [isNearOlder, isNearNewer] = order === 'asc' ? [isNearTop, isNearBottom] : [isNearBottom, isNearTop];
  // A window that is shown whole has one edge at a time loaded, the older one first.
  const wantsOlder = isIdle && isNearOlder && window.hasOlder;
  const wantsNewer = isIdle && isNearNewer && window.hasNewer && !wantsOlder;
  useEffect(() => {
    if (wantsOlder) onOlder();
    if (wantsNewer) onNewer();
  });
}

/** Forgets the heights of lines when these are wrapped or no longer are. */
function useMeasuredAnew(virtualizer: Virtualizer<HTMLDivElement, HTMLDivElement>, isWrapped: boolean): void {
  const measured = useRef(isWrapped);
  useLayoutEffect(() => {
    if (measured.current !== isWrapped) virtualizer.measure();
    measured.current = isWrapped;
  }, [virtualizer, isWrapped]);
}

let helpTexts = 0;

/** React 17 has no `useId`. */
function useHelpId(): string {
  const [id] = useState(() => `joblens-log-keys-${(helpTexts += 1)}`);
  return id;
}

function createMouseProps({ numbers }: LogLinesProps, onHover: LogLinesProps['onHover']) {
  const onMouseLeave = (): void => {
    onHover(undefined);
    numbers?.onMouseLeave();
  };
  return { onMouseLeave, onMouseMove: numbers?.onMouseMove, onClick: numbers?.onClick };
}

/** The scrolling part: only the lines in sight are in the document. */
export function LogLines(props: LogLinesProps): React.ReactElement {
  const { rows, order, width, height, isFollowing, onFollowing, badge, readTop, state, keys, numbers } = props;
  const helpId = useHelpId();
  const styles = useStyles2(getStyles);
  const container = useRef<HTMLDivElement>(null);
  const lines = useMemo(() => rows.map(({ line }) => line), [rows]);
  // A new function has the places of all lines computed anew.
  const getItemKey = useCallback((index: number) => lines[index]?.id ?? index, [lines]);
  const virtualizer = useVirtualizer<HTMLDivElement, HTMLDivElement>({
    count: rows.length,
    getScrollElement: () => container.current,
    estimateSize: () => LINE_HEIGHT_PX,
    getItemKey,
    overscan: OVERSCAN_LINES,
    initialRect: { width, height },
    // A log that opens at its end must not first load what is before its beginning.
    initialOffset: isFollowing && order === 'asc' ? rows.length * LINE_HEIGHT_PX : 0,
    // The lines of a scroll may come one frame later; a flush within a layout effect is an error in React 17.
    useFlushSync: false,
  });
  useMeasuredAnew(virtualizer, props.isWrapped);
  const onHover = useHoverAtRest(props.onHover, virtualizer);
  const { hands, scrollToLine } = useFollow({ lines, order, isFollowing, onFollowing, virtualizer, container });
  useTarget(props.target, scrollToLine);
  const items = virtualizer.getVirtualItems();
  // The element's own scrollTop would have the browser lay out the page at once.
  readTop.current = () => lines[virtualizer.getVirtualItemForOffset(virtualizer.scrollOffset ?? 0)?.index ?? -1];
  props.readSight.current = () => readSight(virtualizer, lines);
  props.reveal.current = ({ id }) => scrollToLine(id, 'auto');
  useEdges(props, items[0]?.index, items[items.length - 1]?.index);
  const shownBadge = isAllInSight(props, virtualizer) ? undefined : badge;
  return (
    <div className={styles.frame}>
      <div
        ref={container}
        className={styles.scroll}
        tabIndex={0}
        role="log"
        aria-label="Lines"
        aria-live="off"
        aria-busy={state.loading !== undefined}
        aria-describedby={helpId}
        aria-keyshortcuts={KEY_SHORTCUTS}
        data-following={isFollowing && !props.isEnded}
        {...createMouseProps(props, onHover)}
        {...hands}
        onKeyDown={(event) => {
          hands.onKeyDown();
          keys.onKeyDown(event);
        }}
        onCopy={keys.onCopy}
      >
        {order === 'desc' && <div className={styles.badgeAbove}>{shownBadge}</div>}
        <div className={styles.lines} style={{ height: virtualizer.getTotalSize() }} data-log-lines>
          <Rows {...props} {...{ items, onHover }} measure={props.isWrapped ? virtualizer.measureElement : undefined} />
          {numbers !== undefined && <NumberOffers numbers={numbers} onLeave={() => container.current?.focus()} />}
        </div>
        {order === 'asc' && <div className={styles.badgeBelow}>{shownBadge}</div>}
      </div>
      <LogStatus {...props} />
      <Heard {...{ helpId, spoken: props.spoken }} />
    </div>
  );
}

/** Whether there is no other place to go to, nor will be. */
function isAllInSight(
  { isEnded, state, height }: LogLinesProps,
  virtualizer: Virtualizer<HTMLDivElement, HTMLDivElement>
): boolean {
  const { hasOlder, hasNewer } = state.window;
  return isEnded && !hasOlder && !hasNewer && virtualizer.getTotalSize() <= (virtualizer.scrollRect?.height ?? height);
}

/** For those who hear the page: which keys there are, and what they have done. */
function Heard({ helpId, spoken }: { readonly helpId: string; readonly spoken: string }): React.ReactElement {
  const styles = useStyles2(getStyles);
  return (
    <>
      <span id={helpId} className={styles.heard}>
        {KEYS_EXPLAINED}
      </span>
      <span aria-live="polite" className={styles.heard} data-testid="joblens-log-spoken">
        {spoken}
      </span>
    </>
  );
}

interface RowsProps extends LogLinesProps {
  readonly items: readonly VirtualItem[];
  /** Undefined: all lines have the same height. */
  readonly measure: ((element: HTMLDivElement | null) => void) | undefined;
}

function Rows({ items, measure, rows, ...props }: RowsProps): React.ReactElement {
  const { hoveredId, currentId, linkedNs, isSelected } = props;
  const { timeZone, showTime, timeFormat, showTask, ownerForm, isWrapped, pattern, onHover, onSelect, onToggle } =
    props;
  const shared = {
    timeZone,
    showTime,
    timeFormat,
    showTask,
    ownerForm,
    isWrapped,
    pattern,
    onHover,
    onSelect,
    onToggle,
  };
  const styles = useStyles2(getStyles);
  const theme = useLogTheme();
  return (
    <>
      {items.map((item) => {
        const row = rows[item.index];
        if (row === undefined) return null;
        const { line, fold } = row;
        return (
          <div
            key={item.key}
            ref={measure}
            data-index={item.index}
            className={isWrapped ? styles.wrapped : styles.place}
            style={{ transform: `translateY(${item.start}px)` }}
          >
            <LogLine
              {...shared}
              {...{ line, theme }}
              foldCount={fold?.count}
              isOpen={fold?.isOpen === true}
              isHovered={line.id === hoveredId}
              isSelected={isSelected?.(line) === true}
              isCurrent={line.id === currentId}
              isLinked={linkedNs !== undefined && readTimeNs(line) === linkedNs}
            />
          </div>
        );
      })}
    </>
  );
}

type StyleName = 'frame' | 'heard' | 'scroll' | 'lines' | 'place' | 'wrapped' | 'badgeAbove' | 'badgeBelow';

function getStyles(): Record<StyleName, string> {
  const badge = { position: 'sticky', left: 0, zIndex: 1, height: 0, width: '100%' } as const;
  const place = { position: 'absolute', top: 0, left: 0 } as const;
  return {
    frame: css({ position: 'relative', flex: '1 1 0', minHeight: 0 }),
    heard: css({
      position: 'absolute',
      width: 1,
      height: 1,
      overflow: 'hidden',
      clipPath: 'inset(50%)',
      whiteSpace: 'nowrap',
    }),
    scroll: css({
      height: '100%',
      overflow: 'auto',
      outlineOffset: -2,
      overscrollBehavior: 'contain',
      overflowAnchor: 'none',
    }),
    lines: css({ position: 'relative', minWidth: '100%' }),
    place: css({ ...place, minWidth: '100%' }),
    wrapped: css({ ...place, width: '100%' }),
    badgeAbove: css({ ...badge, top: 0, '& > *': { position: 'absolute', top: 8, right: 12 } }),
    badgeBelow: css({ ...badge, bottom: 0, '& > *': { position: 'absolute', bottom: 8, right: 12 } }),
  };
}
