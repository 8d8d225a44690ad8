import { readShares, type Share, sharesQuery } from '@joblens/core/ask/jobs/shares';
import type { SharedJob } from '@joblens/core/gateway/restrict';
import { SHARED_GROUP } from '@joblens/core/schema/share-point';
import type { Clock } from '../clock/clock.js';
import type { Reporter } from '../host/report.js';
import type { AskStore } from '../read-back/shell/ask-store.js';
import type { Shares } from './access-rules.js';

/** Shares may be this old; a request that finds them older waits for new ones. */
const FRESH_MS = 2000;
const MAX_AGE_MS = 5000;
/** At most this part of the time goes into asking for them. */
const MAX_BUSY_SHARE = 0.1;

interface SharedJobsOptions {
  readonly ask: AskStore;
  readonly clock: Pick<Clock, 'monotonicMs'>;
  readonly report: Reporter;
}

/** Who may see whose job, read from the store again as time passes and questions come. */
export class SharedJobs implements Shares {
  readonly #options: SharedJobsOptions;
  #byWhom: ReadonlyMap<string, readonly SharedJob[]> = new Map();
  #readMs = -Infinity;
  #tookMs = 0;
  #reading: Promise<void> | undefined;

  constructor(options: SharedJobsOptions) {
    this.#options = options;
  }

  async sharedWith(user: string, groups: readonly string[]): Promise<readonly SharedJob[]> {
    const ageMs = this.#options.clock.monotonicMs() - this.#readMs;
    const pauseMs = this.#tookMs / MAX_BUSY_SHARE;
    if (ageMs > Math.max(FRESH_MS, pauseMs)) this.#reading ??= this.#read().finally(() => (this.#reading = undefined));
    if (ageMs > Math.max(MAX_AGE_MS, 2 * pauseMs)) await this.#reading;
    const names = [user, ...groups.map((group) => SHARED_GROUP + group)];
    return names.flatMap((name) => this.#byWhom.get(name) ?? []);
  }

  /** What cannot be read is shared with nobody: who took a share back must be able to rely on it. */
  async #read(): Promise<void> {
    const { ask, clock, report } = this.#options;
    const beganMs = clock.monotonicMs();
    const answer = await ask([sharesQuery()]);
    this.#readMs = clock.monotonicMs();
    this.#tookMs = this.#readMs - beganMs;
    if (!answer.ok) report.warn(`cannot read what users share, so nothing is shared: ${answer.error}`);
    this.#byWhom = groupByWhom(answer.ok ? readShares(answer.value[0]) : []);
  }
}

function groupByWhom(shares: readonly Share[]): ReadonlyMap<string, readonly SharedJob[]> {
  const byWhom = new Map<string, SharedJob[]>();
  for (const { user, job, whom } of shares) {
    const known = byWhom.get(whom);
    if (known === undefined) byWhom.set(whom, [{ user, job }]);
    else known.push({ user, job });
  }
  return byWhom;
}
