import type { JobSource } from '@joblens/core/schema/measurements';
import { createSharePoint, MAX_SHARED_WITH } from '@joblens/core/schema/share-point';
import type { LogMode } from '../options/log-modes.js';
import type { PointWriter } from '../writing/point-writer.js';

/** The state with which a ShareLog continues after a restart. */
export interface ShareLogState {
  /** With whom the job was shared. */
  readonly shared: readonly string[];
  /** With whom it is to be shared once its mode allows it. */
  readonly waiting?: readonly string[];
}

interface ShareLogOptions {
  readonly source: JobSource;
  readonly points: PointWriter;
  readonly nextNs: () => bigint;
  readonly state?: ShareLogState | undefined;
}

/**
 * Writes with whom its user shares the job (docs/gateway.md). Each is written once, as an offer: `joblens unshare`
 * has the last word, also when another process of the job begins.
 */
export class ShareLog {
  readonly #options: ShareLogOptions;
  readonly #shared: Set<string>;
  readonly #waiting: Set<string>;

  constructor(options: ShareLogOptions) {
    this.#options = options;
    this.#shared = new Set(options.state?.shared);
    this.#waiting = new Set(options.state?.waiting);
  }

  /** Undefined until the job is to be shared. */
  get state(): ShareLogState | undefined {
    const [shared, waiting] = [[...this.#shared], [...this.#waiting]];
    if (shared.length + waiting.length === 0) return undefined;
    return { shared, ...(waiting.length > 0 && { waiting }) };
  }

  /** Why the job cannot be shared with these too; undefined if it can. */
  findRefusal(whom: readonly string[] = []): string | undefined {
    const all = new Set([...this.#shared, ...this.#waiting, ...whom]);
    return all.size > MAX_SHARED_WITH ? `a job is shared with at most ${MAX_SHARED_WITH} users and groups` : undefined;
  }

  /** Shares the job with these too. */
  share(whom: readonly string[], mode: LogMode): void {
    for (const name of whom) {
      const isRoom = this.#shared.size + this.#waiting.size < MAX_SHARED_WITH;
      if (isRoom && !this.#shared.has(name)) this.#waiting.add(name);
    }
    this.allow(mode);
  }

  /** Call it when the mode has changed: of a job in mode `disabled`, its name, user and state alone are stored. */
  allow(mode: LogMode): void {
    if (mode === 'disabled') return;
    const { source, points, nextNs } = this.#options;
    for (const name of this.#waiting) {
      points.addPoint(createSharePoint(source, name, 'offered', nextNs()));
      this.#shared.add(name);
    }
    this.#waiting.clear();
  }
}
