import { useCallback, useEffect, useState } from 'react';
import type { StreamChoice } from '../../../frames/log-fields.js';
import { createSeverityPattern } from '../../../frames/severity.js';
import { useTurns } from '../../../answers/use-turns.js';
import type { Ask } from '../../view.js';
import type { PanelLogLine } from '../model/log-model.js';
import { createLogSource } from '../model/log-source.js';
import { readTimeNs } from '../model/log-window.js';
import type { LogPlace } from './use-log-place.js';

interface ErrorJumpInput {
  readonly ask: Ask | undefined;
  readonly place: Pick<LogPlace, 'goTo' | 'goToEnd' | 'select'>;
  readonly onStream: (stream: StreamChoice) => void;
}

/** Goes to the newest line that says an error, in either stream; to the end if there is none. */
export function useErrorJump({ ask, place, onStream }: ErrorJumpInput): () => void {
  const { goTo, goToEnd, select } = place;
  const [target, setTarget] = useState<PanelLogLine | undefined>(undefined);
  // Another document is another log, or another part of this one.
  const startTurn = useTurns(goTo);
  useEffect(() => {
    if (target === undefined) return;
    setTarget(undefined);
    // The line goes into the address too, and is marked.
    select(target);
    goTo(readTimeNs(target));
  }, [target, select, goTo]);
  return useCallback(() => {
    const errors = createLogSource(() => ask, { stream: undefined, patterns: [createSeverityPattern(['error'])] });
    const isNewest = startTurn();
    const giveUp = (): void => {
      if (isNewest()) goToEnd();
    };
    errors.read({ want: 'desc', limit: 1 }).then(({ lines }) => {
      if (!isNewest()) return;
      const line = lines[lines.length - 1];
      if (line === undefined) {
        goToEnd();
        return;
      }
      // Another stream is another document; the effect above goes to the line in that one.
      onStream('both');
      setTarget(line);
    }, giveUp);
  }, [ask, onStream, goToEnd, startTurn]);
}
