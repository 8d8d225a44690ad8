import { useEffect, useMemo, useRef, useState } from 'react';
import type { Ask } from '../../view.js';
import type { LogModel } from '../model/log-model.js';
import { readStreams } from '../model/log-source.js';

/** The model with both streams if the log has lines of both, even if all loaded lines are of one. */
export function useKnownStreams(model: LogModel, ask: Ask | undefined, rangeKey: string): LogModel {
  /** The range whose log is known to have both. */
  const [knownKey, setKnownKey] = useState<string | undefined>(undefined);
  const asking = useRef(ask);
  asking.current = ask;
  const isKnown = knownKey === rangeKey;
  const { hasBothStreams } = model;
  const isWanted = !isKnown && !hasBothStreams && model.isLimited && ask !== undefined;
  useEffect(() => {
    // Later refreshes may bring lines of one stream only.
    if (hasBothStreams) setKnownKey(rangeKey);
  }, [hasBothStreams, rangeKey]);
  useEffect(() => {
    if (!isWanted || asking.current === undefined) return undefined;
    const controller = new AbortController();
    readStreams(asking.current, controller.signal).then(
      (streams) => {
        if (streams.size > 1) setKnownKey(rangeKey);
      },
      // The loaded lines still say what they say.
      () => undefined
    );
    return () => controller.abort();
  }, [isWanted, rangeKey]);
  return useMemo(
    () => (isKnown && !hasBothStreams ? { ...model, hasBothStreams: true } : model),
    [model, isKnown, hasBothStreams]
  );
}
