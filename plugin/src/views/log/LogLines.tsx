import { css } from '@emotion/css';
import { useStyles2, useTheme2 } from '@grafana/ui';
import { useVirtualizer } from '@tanstack/react-virtual';
import React, { useMemo, useRef } from 'react';
import type { LogOrder, PanelLogLine } from './log-model.js';
import { readTheme } from '../parts/panel-theme.js';
import { LogLine, type LogLineProps } from './LogLine.js';
import { parseCssColour, type LogTheme } from './sgr-colour.js';
import { useFollow } from './use-follow.js';

type SharedProps = Pick<LogLineProps, 'timeZone' | 'showTime' | 'timeFormat' | 'showTask' | 'isWrapped' | 'onHover'>;

interface LogLinesProps extends SharedProps {
  /** In the order to show. */
  readonly lines: readonly PanelLogLine[];
  readonly order: LogOrder;
  readonly width: number;
  readonly height: number;
  readonly hoveredId: string | undefined;
  readonly isFollowing: boolean;
  readonly onFollowing: (isFollowing: boolean) => void;
  /** Drawn over the newest edge, inside the scrolling part, so that the wheel works on it too. */
  readonly badge: React.ReactNode;
}

const LINE_HEIGHT_PX = 18;
const OVERSCAN_LINES = 20;

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

/** The scrolling part: only the lines in sight are in the document. */
export function LogLines(props: LogLinesProps): React.ReactElement {
  const { lines, order, width, height, hoveredId, isFollowing, onFollowing, badge, ...shared } = props;
  const styles = useStyles2(getStyles);
  const theme = useLogTheme();
  const container = useRef<HTMLDivElement>(null);
  const virtualizer = useVirtualizer<HTMLDivElement, HTMLDivElement>({
    count: lines.length,
    getScrollElement: () => container.current,
    estimateSize: () => LINE_HEIGHT_PX,
    getItemKey: (index) => lines[index]?.id ?? index,
    overscan: OVERSCAN_LINES,
    initialRect: { width, height },
    // The lines of a scroll may come one frame later; a flush within a layout effect is an error in React 17.
    useFlushSync: false,
  });
  const hands = useFollow({ lines, order, isFollowing, onFollowing, virtualizer, container });
  return (
    <div
      ref={container}
      className={styles.scroll}
      style={{ height }}
      tabIndex={0}
      role="log"
      aria-label="Lines"
      aria-live="off"
      data-following={isFollowing}
      onMouseLeave={() => shared.onHover(undefined)}
      {...hands}
    >
      {order === 'desc' && <div className={styles.badgeAbove}>{badge}</div>}
      <div className={styles.lines} style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map((item) => {
          const line = lines[item.index];
          if (line === undefined) return null;
          return (
            <div
              key={item.key}
              ref={virtualizer.measureElement}
              data-index={item.index}
              className={shared.isWrapped ? styles.wrapped : styles.place}
              style={{ transform: `translateY(${item.start}px)` }}
            >
              <LogLine {...shared} {...{ line, theme }} isHovered={line.id === hoveredId} />
            </div>
          );
        })}
      </div>
      {order === 'asc' && <div className={styles.badgeBelow}>{badge}</div>}
    </div>
  );
}

function getStyles(): Record<'scroll' | 'lines' | 'place' | 'wrapped' | 'badgeAbove' | 'badgeBelow', string> {
  const badge = { position: 'sticky', left: 0, zIndex: 1, height: 0, width: '100%' } as const;
  const place = { position: 'absolute', top: 0, left: 0 } as const;
  return {
    scroll: css({ overflow: 'auto', outlineOffset: -2, overscrollBehavior: 'contain', overflowAnchor: 'none' }),
    lines: css({ position: 'relative', minWidth: '100%' }),
    place: css({ ...place, minWidth: '100%' }),
    wrapped: css({ ...place, width: '100%' }),
    badgeAbove: css({ ...badge, top: 0, '& > *': { position: 'absolute', top: 8, right: 12 } }),
    badgeBelow: css({ ...badge, bottom: 0, '& > *': { position: 'absolute', bottom: 8, right: 12 } }),
  };
}
