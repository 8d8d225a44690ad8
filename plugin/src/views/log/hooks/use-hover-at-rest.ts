import { useCallback, useRef } from 'react';
import type { PanelLogLine } from '../model/log-model.js';

type OnHover = (line: PanelLogLine | undefined) => void;

/**
 * Tells of the line under the mouse while the lines rest: one that passes by would have the other views drawn anew with
 * each frame. When scrolling ends, the browser tells of the mouse again.
 */
export function useHoverAtRest(onHover: OnHover, scrolling: { readonly isScrolling: boolean }): OnHover {
  const hoveredId = useRef<string | undefined>(undefined);
  return useCallback(
    (line) => {
      const isPassing = scrolling.isScrolling && line !== undefined;
      if (isPassing || line?.id === hoveredId.current) return;
      hoveredId.current = line?.id;
      onHover(line);
    },
    [onHover, scrolling]
  );
}
