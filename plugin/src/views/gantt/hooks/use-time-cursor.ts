import { useCallback, useEffect, useMemo, useState } from 'react';
import { NS_PER_US } from '@joblens/core/numbers/time-units';
import type { HoverHub } from '../../parts/hover.js';
import { useFrame } from './use-frame.js';

export interface TimeCursor {
  /** The instant under the mouse, here or elsewhere. */
  readonly timeMs: number | undefined;
  /** Tells all others. */
  readonly point: (timeMs: number | undefined) => void;
  readonly select: (timeMs: number) => void;
}

/** The cursor that all views of time share. */
export function useTimeCursor(hub: HoverHub): TimeCursor {
  const [timeMs, setTimeMs] = useState<number | undefined>(undefined);
  const source = useMemo(() => ({}), []);
  const inFrame = useFrame();
  useEffect(() => hub.subscribe(source, (heard) => inFrame(() => setTimeMs(heard))), [hub, source, inFrame]);
  const point = useCallback(
    (next: number | undefined) => {
      setTimeMs(next);
      hub.publish(source, next);
    },
    [hub, source]
  );
  const select = useCallback(
    (selectedMs: number) => hub.select(source, BigInt(Math.round(selectedMs * 1000)) * NS_PER_US),
    [hub, source]
  );
  return { timeMs, point, select };
}
