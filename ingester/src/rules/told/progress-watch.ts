import type { ProgressEstimate } from '@joblens/core/progress/pace';
import {
  createProgressEstimator,
  type ProgressEstimator,
  type ProgressState,
} from '@joblens/core/progress/progress-estimator';
import { type JsonValue, UNKNOWN_PROGRESS } from '@joblens/core/schema/job-point';
import { parseJsonObject } from '@joblens/core/json/bounded-json';
import type { RenderedRow } from '../../render/rendered-row.js';

/** In each window of time, so many lines are looked at: a job that prints more says nothing new in the others. */
const LINES_A_WINDOW = 32;
const WINDOW_MS = 250;
/** The end of many lines that came at once. */
const TAIL_BYTES = 4096;
const MAX_JSON_CHARS = 4096;
/** The state is kept so often: what a crash forgets of it comes again. */
const STATE_INTERVAL_MS = 10_000;
/** Finer steps are not shown. */
const FRACTIONS = 10_000;
const LF = 0x0a;

/** The state with which a ProgressWatch continues after a restart. */
export interface ProgressWatchState extends ProgressState {
  /** When the run began that it belongs to. */
  readonly startedMs?: number;
}

export interface ProgressWatchOptions {
  /** Its distances count, also after a restart (createSteadyTime). */
  readonly steadyMs: () => number;
  /** Called when there is a new estimate; its progress is UNKNOWN_PROGRESS when the last one no longer holds. */
  readonly onEstimate: (estimate: ProgressEstimate) => void;
  readonly state?: ProgressWatchState | undefined;
}

/** Lines that have come. */
interface Unseen {
  readonly isLogged: boolean;
  /** The last ones, at most as many as are looked at in a window. */
  readonly takeLines: () => readonly string[];
}

/** Looks at some of the lines of a job, at a cost that does not grow with their number, and estimates how far it is. */
export class ProgressWatch {
  readonly #options: ProgressWatchOptions;
  #estimator: ProgressEstimator;
  #startedMs: number | undefined;
  #windowMs = -Infinity;
  #left = 0;
  /** The newest lines, if they came when no more could be looked at. */
  #unseen: Unseen | undefined;
  #told: ProgressEstimate | undefined;
  #savedMs = -Infinity;
  #saved: ProgressWatchState | undefined;

  constructor(options: ProgressWatchOptions) {
    this.#options = options;
    this.#saved = options.state;
    this.#startedMs = options.state?.startedMs;
    this.#estimator = createProgressEstimator(options.state);
  }

  /** The state with which another watch continues, as of some seconds ago. */
  get state(): ProgressWatchState | undefined {
    const steadyMs = this.#options.steadyMs();
    if (steadyMs < this.#savedMs + STATE_INTERVAL_MS) return this.#saved;
    this.#savedMs = steadyMs;
    const { tracks, ...rest } = this.#estimator.state;
    const startedMs = this.#startedMs;
    this.#saved =
      tracks.length === 0 && rest.eta === undefined
        ? undefined
        : { tracks, ...rest, ...(startedMs !== undefined && { startedMs }) };
    return this.#saved;
  }

  /** Takes rendered rows, which may change again. Unless `isLogged`, only metadata lines are looked at. */
  noteRows(rows: readonly RenderedRow[], isLogged: boolean): void {
    if (rows.length === 0) return;
    const newest = rows.slice(-LINES_A_WINDOW).map(({ text }) => text);
    this.#note({ isLogged, takeLines: () => newest });
  }

  /** Takes complete lines, each ended by LF: the last ones are looked at, as in `noteRows`. */
  noteLines(bytes: Buffer, isLogged: boolean): void {
    if (bytes.length === 0) return;
    const start = Math.max(0, bytes.length - TAIL_BYTES);
    const from = start === 0 ? 0 : bytes.indexOf(LF, start) + 1;
    // The buffer is used again for other bytes.
    const tail = this.#mayLook ? bytes.subarray(from, -1) : Buffer.from(bytes.subarray(from, -1));
    this.#note({ isLogged, takeLines: () => tail.toString('utf8').split('\n') });
  }

  /** Whether `writeDue` has something to look at, now or later. */
  get isDirty(): boolean {
    return this.#unseen !== undefined;
  }

  /** Looks at the newest lines if they have not been looked at and may be now, or at once if `isEnd`. */
  writeDue(isEnd: boolean): void {
    // Whoever continues knows all that was read.
    if (isEnd) this.#savedMs = -Infinity;
    const unseen = this.#unseen;
    if (unseen === undefined || !(isEnd || this.#mayLook)) return;
    this.#lookAt(unseen);
  }

  /** Takes when the job started: another start is another run, of which nothing is known. */
  noteStart(startedMs: number): void {
    if (this.#startedMs !== undefined && startedMs !== this.#startedMs) {
      this.#estimator = createProgressEstimator();
      this.#told = undefined;
      this.#unseen = undefined;
    }
    this.#startedMs = startedMs;
  }

  /** Takes the config of the job, which may say how many epochs or steps there are in all. */
  noteConfig(json: string): void {
    const config = parseJsonObject(json) as Readonly<Record<string, JsonValue>> | undefined;
    if (config === undefined) return;
    this.#estimator.noteValues(new Map(Object.entries(config)), this.#options.steadyMs());
  }

  get #mayLook(): boolean {
    return this.#left > 0 || this.#options.steadyMs() >= this.#windowMs + WINDOW_MS;
  }

  #note(newest: Unseen): void {
    if (this.#mayLook) this.#lookAt(newest);
    else this.#unseen = newest;
  }

  #lookAt({ isLogged, takeLines }: Unseen): void {
    this.#unseen = undefined;
    if (this.#left <= 0) {
      this.#windowMs = this.#options.steadyMs();
      this.#left = LINES_A_WINDOW;
    }
    for (const line of takeLines().slice(-this.#left)) this.#look(line, isLogged);
    this.#tell();
  }

  #look(line: string, isLogged: boolean): void {
    this.#left -= 1;
    const steadyMs = this.#options.steadyMs();
    const values = parseValues(line);
    if (values !== undefined) this.#estimator.noteValues(values, steadyMs);
    else if (isLogged) this.#estimator.noteLine(line, steadyMs);
  }

  #tell(): void {
    const estimate = this.#estimator.estimate(this.#options.steadyMs());
    if (estimate === undefined) {
      this.#withdraw();
      return;
    }
    const progress = Math.floor(estimate.progress * FRACTIONS) / FRACTIONS;
    const remainingS = estimate.remainingS === undefined ? undefined : Math.round(estimate.remainingS);
    if (progress === this.#told?.progress && remainingS === this.#told.remainingS) return;
    this.#told = { progress, remainingS };
    this.#options.onEstimate(this.#told);
  }

  /** What was told was that of a part, since it began again or others went on after its end. */
  #withdraw(): void {
    if (this.#told === undefined || this.#told.progress === UNKNOWN_PROGRESS) return;
    this.#told = { progress: UNKNOWN_PROGRESS, remainingS: undefined };
    this.#options.onEstimate(this.#told);
  }
}

/** The values of a line that is a JSON object. */
function parseValues(line: string): ReadonlyMap<string, unknown> | undefined {
  if (!line.startsWith('{') || !line.endsWith('}') || line.length > MAX_JSON_CHARS) return undefined;
  try {
    return new Map(Object.entries(JSON.parse(line) as Record<string, unknown>));
  } catch {
    // A line that is no JSON is read as any other.
    return undefined;
  }
}
