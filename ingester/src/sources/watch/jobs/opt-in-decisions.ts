import { join } from 'node:path';
import type { OptInSource } from '../../../config/settings.js';
import type { Reporter } from '../../../host/report.js';
import { KeptMap, type StatePlace } from '../../../queue/kept-map.js';
import type { OptIn } from '../../../rules/options/read-opt-in.js';
import { resolveOptIn } from '../../../session/resolve-opt-in.js';
import type { DiscoveredJob } from '../../file-discovery.js';
import type { Owner } from './owner.js';
import { UndecidedJobError } from './undecided-job-error.js';

/** How soon an opt-in is read again that could not be read. */
const RETRY_MS = 10_000;
/**
 * A user without a home folder may be one whose directory service is away: that is found out for so long before the
 * user counts as one who has not opted in.
 */
const HOMELESS_MS = 600_000;

interface OptInDecisionsOptions {
  /** Where to look: `--mode`, one file for all, or the file of each owner. */
  readonly optIn: OptInSource;
  readonly place: StatePlace;
  readonly report: Pick<Reporter, 'info' | 'warn' | 'debug'>;
  readonly monotonicMs: () => number;
  readonly resolve?: typeof resolveOptIn;
}

/** A job whose owner is asked for. */
interface AskedJob extends Pick<DiscoveredJob, 'id'> {
  readonly key: string;
  /** A scheduler lists it, beside those of all its users. */
  readonly isScheduled: boolean;
}

/** What was decided of a job; `unlogged` without a word in its log. */
type Decision = Exclude<OptIn, { kind: 'absent' }> | { readonly kind: 'unlogged' };

/**
 * Whether jobs are logged. It is decided once for each job, when it is first seen, and holds over a restart, as long as
 * the same place is asked: `--mode` says anew what is wanted.
 */
export class OptInDecisions {
  readonly #options: OptInDecisionsOptions;
  /** Jobs that are not logged, and the place that was asked; `true` in a state of an older version. */
  readonly #unlogged: KeptMap<string | true>;
  /** When the opt-in is asked for again, of owners for whom it could not be read. */
  readonly #askAgainMs = new Map<number, { readonly atMs: number; readonly error: UndecidedJobError }>();
  /** Since when no home folder is known of owners. */
  readonly #homelessSinceMs = new Map<number, number>();
  readonly #said = new Set<string>();

  constructor(options: OptInDecisionsOptions) {
    this.#options = options;
    this.#unlogged = new KeptMap('watch:unlogged', options.place);
  }

  /** Throws an UndecidedJobError while nobody can tell what the owner wants. */
  async decide(job: AskedJob, owner: Owner): Promise<Decision> {
    if (this.#holds(job.key)) {
      this.#sayKept(job, owner);
      return { kind: 'unlogged' };
    }
    const optIn = await this.#ask(job, owner);
    if (optIn.kind === 'config') {
      this.forget(job.key);
      return optIn;
    }
    this.refuse(job.key);
    if (optIn.kind === 'invalid') return optIn;
    this.#sayAbsent(job, owner);
    return { kind: 'unlogged' };
  }

  /** Logs nothing of a job from here on. */
  refuse(key: string): void {
    this.#unlogged.set(key, this.#place);
    this.#unlogged.commit();
  }

  forget(key: string): void {
    this.#unlogged.delete(key);
    this.#unlogged.commit();
  }

  get #place(): string {
    const { optIn } = this.#options;
    if (optIn.kind === 'file') return optIn.isExplicit ? `file ${optIn.path}` : 'owner';
    return `mode ${optIn.mode}`;
  }

  #holds(key: string): boolean {
    const place = this.#unlogged.get(key);
    return place !== undefined && (place === true ? 'owner' : place) === this.#place;
  }

  async #ask({ id }: AskedJob, owner: Owner): Promise<OptIn> {
    const { monotonicMs } = this.#options;
    const waiting = this.#askAgainMs.get(owner.uid);
    if (waiting !== undefined && monotonicMs() < waiting.atMs) throw waiting.error;
    const optIn = await this.#read(owner);
    this.#askAgainMs.delete(owner.uid);
    if (optIn.kind !== 'invalid' || optIn.mayPass !== true) {
      // The next time that it cannot be read is news again.
      this.#said.delete(`unread ${owner.uid}`);
      if (optIn.kind === 'config') this.#said.delete(`absent ${owner.uid}`);
      return optIn;
    }
    const error = new UndecidedJobError(
      `${optIn.message}; it is read again, and the job is logged from its start then`
    );
    this.#askAgainMs.set(owner.uid, { atMs: monotonicMs() + RETRY_MS, error });
    this.#sayOnce('warn', `unread ${owner.uid}`, `job ${id}, and others of ${owner.name}: ${error.message}`);
    throw error;
  }

  #read(owner: Owner): Promise<OptIn> {
    const { optIn, resolve = resolveOptIn } = this.#options;
    if (optIn.kind !== 'file' || optIn.isExplicit) return resolve(optIn, owner.uid);
    const path = findOptInPath(owner);
    if (path === undefined) return Promise.resolve(this.#readHomeless(owner));
    this.#homelessSinceMs.delete(owner.uid);
    return resolve({ ...optIn, path }, owner.uid);
  }

  #readHomeless({ uid, name }: Owner): OptIn {
    const nowMs = this.#options.monotonicMs();
    const sinceMs = this.#homelessSinceMs.get(uid) ?? nowMs;
    this.#homelessSinceMs.set(uid, sinceMs);
    if (nowMs - sinceMs >= HOMELESS_MS) return { kind: 'absent' };
    const message = `the home folder of ${name}, where their opt-in is, is not known here; give --mode enabled to log all the same`;
    return { kind: 'invalid', message, mayPass: true };
  }

  #sayAbsent({ id, isScheduled }: AskedJob, owner: Owner): void {
    const { optIn, report } = this.#options;
    if (optIn.kind !== 'file') return;
    if (optIn.isExplicit) {
      this.#sayOnce('warn', 'file', `nothing is logged: there is no ${optIn.path}`);
      return;
    }
    const path = findOptInPath(owner) ?? 'home folder';
    const message = `nothing of ${owner.name}'s jobs is logged, such as ${id}: there is no ${path}`;
    if (isScheduled) report.debug(message);
    else this.#sayOnce('info', `absent ${owner.uid}`, `${message}; make it (empty is enough) or give --mode enabled`);
  }

  #sayKept({ id, isScheduled }: AskedJob, owner: Owner): void {
    const message = `nothing of job ${id} of ${owner.name} is logged, and others like it: there was no valid opt-in when it was first seen`;
    if (isScheduled) this.#options.report.debug(message);
    else this.#sayOnce('info', `kept ${owner.uid}`, `${message}; give --mode enabled to log it all the same`);
  }

  #sayOnce(level: 'info' | 'warn', about: string, message: string): void {
    if (this.#said.has(about)) return;
    this.#said.add(about);
    this.#options.report[level](message);
  }
}

function findOptInPath({ homeFolder }: Owner): string | undefined {
  return homeFolder === undefined ? undefined : join(homeFolder, '.logoptin');
}
