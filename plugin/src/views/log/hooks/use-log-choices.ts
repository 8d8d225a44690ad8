import { useEffect, useMemo, useState } from 'react';
import type { StreamChoice } from '../../../frames/log-fields.js';
import { NO_METADATA } from '../../../frames/metadata-line.js';
import { createLevelFilter, type LineCondition } from '../../../frames/severity.js';
import { useRemembered } from '../../parts/hooks/remembered.js';
import { inferFirstStream, type LogModel, type LogOrder } from '../model/log-model.js';

/** The least severe lines that are shown. */
export type LevelChoice = 'all' | 'warning' | 'error';

const LEVELS: Readonly<Record<LevelChoice, readonly LineCondition[]>> = {
  all: [],
  warning: [createLevelFilter(['error', 'warning'])],
  error: [createLevelFilter(['error'])],
};

/** What the viewer chose; it starts as in the options, and at the stream that the log opens with. */
export function useLogChoices(initialOrder: LogOrder, model: LogModel) {
  const [order, setOrder] = useState(initialOrder);
  // A job with one stream shows that stream, whichever it is.
  const [stream, setStream] = useState<StreamChoice>(() => inferFirstStream(model));
  const [level, setLevel] = useState<LevelChoice>('all');
  const [showTime, setShowTime] = useState(true);
  const [isWrapped, setWrapped] = useState(true);
  const [isFolding, setFolding] = useState(true);
  const [hidesMetadata, setHidesMetadata] = useRemembered('log.hides-metadata', false);
  useEffect(() => setOrder(initialOrder), [initialOrder]);
  /** What each line must be to be shown. */
  const conditions = useMemo(() => [...LEVELS[level], ...(hidesMetadata ? [NO_METADATA] : [])], [level, hidesMetadata]);
  const actions = {
    ...{ onOrder: setOrder, onStream: setStream, onLevel: setLevel },
    ...{ onShowTime: setShowTime, onWrapped: setWrapped, onFolding: setFolding, onHidesMetadata: setHidesMetadata },
  };
  return { choices: { order, stream, level, showTime, isWrapped, isFolding, hidesMetadata }, conditions, actions };
}
