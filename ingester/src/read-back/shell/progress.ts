import { formatCount } from '@joblens/core/words/counts';
import type { Host } from '../../host/host.js';

const REDRAW_MS = 200;

/** A line on stderr that says how far long work is, while stderr is a terminal. */
export interface Progress {
  show(done: number): void;
  /** Removes it. */
  end(): void;
}

export function createProgress(
  { clock, writeStderr, isTerminal, stderrFd }: Host,
  total: number,
  unit: string
): Progress {
  const isShown = isTerminal(stderrFd);
  let drawnMs = clock.monotonicMs();
  let isDrawn = false;
  return {
    show(done) {
      if (!isShown || clock.monotonicMs() - drawnMs < REDRAW_MS) return;
      drawnMs = clock.monotonicMs();
      isDrawn = true;
      const percent = total > 0 ? `${Math.min(99, Math.floor((100 * done) / total))} %, ` : '';
      writeStderr(`\r\x1b[K${percent}${formatCount(done)} of ${formatCount(Math.max(done, total))} ${unit}`);
    },
    end() {
      if (isDrawn) writeStderr('\r\x1b[K');
    },
  };
}
