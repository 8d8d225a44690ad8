import type { BatchLimits, PointBatch } from '../queue/point-queue.js';
import { PointIsolation } from './isolate-points.js';
import { cutBatch, findPointEnd, joinPoints, splitPoints } from './point-bytes.js';
import { type NamedPoint, REQUEST_LIMITS, type Sink, SUCCESS, type WriteOutcome } from './sink.js';

/** When a request is refused for its size, later ones are smaller, but never smaller than this or the longest point. */
const MIN_REQUEST_BYTES = 128 * 1024;

/** Takes a rejected point, with its newline. */
type KeepAside = (point: Buffer, reason: string) => Promise<void>;

interface SplittingOptions {
  readonly limits?: BatchLimits | undefined;
  readonly monotonicMs: () => number;
}

/** Shared while one batch is settled. */
interface Settling {
  readonly signal: AbortSignal;
  /** The points that were kept aside so far. */
  readonly kept: Set<Buffer>;
  /** A point that waits behind the batch. */
  readonly later: () => Buffer | undefined;
}

/**
 * Cuts a batch into requests, and a rejected request down to the points that the store rejects. Points that the store
 * names are taken out and the others sent again; if it names none, the request is halved. Each rejected point is given
 * to `keepAside`, and the others are stored in order. The same happens to points at which the store fails for minutes
 * while it takes others. Sending a stored point again overwrites it with itself.
 */
export class SplittingSink implements Sink {
  readonly #sink: Sink;
  readonly #keepAside: KeepAside;
  readonly #maxPoints: number;
  #maxBytes: number;
  /** The requests of a batch that is written soon. */
  readonly #prepared = new WeakMap<PointBatch, readonly PointBatch[]>();
  /** The batch that was prepared last, and a copy of its first point. */
  #next: { readonly batch: PointBatch; readonly point: Buffer } | undefined;
  readonly #monotonicMs: () => number;

  constructor(sink: Sink, keepAside: KeepAside, { limits = REQUEST_LIMITS, monotonicMs }: SplittingOptions) {
    this.#monotonicMs = monotonicMs;
    this.#sink = sink;
    this.#keepAside = keepAside;
    this.#maxPoints = limits.maxPoints;
    this.#maxBytes = limits.maxBytes;
  }

  async write(batch: PointBatch, signal: AbortSignal): Promise<WriteOutcome> {
    const requests = this.#prepared.get(batch) ?? this.#cut(batch);
    if (this.#next?.batch === batch) this.#next = undefined;
    for (const [i, request] of requests.entries()) {
      // Meanwhile the store may have asked for smaller requests.
      for (const part of this.#cut(request)) {
        const next = requests[i + 1];
        const later = (): Buffer | undefined => (next === undefined ? this.#next?.point : firstPoint(next));
        const settled = this.#settle(part, { signal, kept: new Set(), later });
        // Compresses it during the present request, so that the store does not wait.
        if (next !== undefined) this.#sink.prepare?.(next);
        const outcome = await settled;
        if (outcome.kind !== 'success') return outcome;
      }
    }
    return SUCCESS;
  }

  prepare(batch: PointBatch): void {
    const requests = this.#cut(batch);
    this.#prepared.set(batch, requests);
    // The batch may be gone when the point is needed.
    this.#next = { batch, point: Buffer.from(firstPoint(batch)) };
    const [first] = requests;
    if (first !== undefined) this.#sink.prepare?.(first);
  }

  #cut(batch: PointBatch): PointBatch[] {
    return cutBatch(batch, { maxPoints: this.#maxPoints, maxBytes: this.#maxBytes });
  }

  close(): Promise<void> {
    return this.#sink.close();
  }

  /** `known`: the points of the batch, if they were found before. Kept points are recognized by identity. */
  async #settle(batch: PointBatch, context: Settling, known?: readonly Buffer[]): Promise<WriteOutcome> {
    const outcome = await this.#sink.write(batch, context.signal);
    if (outcome.kind === 'success') return outcome;
    const points = known ?? splitPoints(batch);
    if (outcome.kind === 'retryable') return this.#isolate(outcome, points, context);
    const { hint, message } = outcome;
    if (points.length <= 1 || hint?.kind === 'all') {
      for (const point of points) await this.#keep(point, message, context);
      return SUCCESS;
    }
    if (hint?.kind === 'points') return this.#takeOut(points, hint.points, context);
    if (hint?.kind === 'suspects') return this.#probe(points, hint.indexes, context);
    if (hint?.kind === 'size') this.#limitBytes(batch.bytes.length >> 1);
    return this.#halve(points, context);
  }

  /**
   * Called when the store has failed at the batch for so long that the points may be the reason. Finds out which ones
   * are, and settles them all.
   */
  async #isolate(outcome: WriteOutcome, points: readonly Buffer[], context: Settling): Promise<WriteOutcome> {
    const { signal, later, kept } = context;
    const attempt = this.#sink.attempt?.bind(this.#sink);
    let last = outcome;
    let rest = points;
    while (attempt !== undefined && last.kind === 'retryable' && last.mayLieInPoints === true && !signal.aborted) {
      const isolation = new PointIsolation({
        attempt: (some) => attempt(joinPoints(some), signal),
        keepAside: (point, reason) => this.#keep(point, reason, context),
        ...{ later, monotonicMs: this.#monotonicMs },
      });
      if (await isolation.settle(rest)) {
        // The store takes all of them, but not at once.
        if (kept.size === 0) this.#limitBytes(isolation.mostBytes);
        return SUCCESS;
      }
      rest = points.filter((point) => !kept.has(point));
      last = await this.#sink.write(joinPoints(rest), signal);
    }
    return last.kind === 'rejected' ? this.#halve(rest, context) : last;
  }

  #limitBytes(bytes: number): void {
    this.#maxBytes = Math.min(this.#maxBytes, Math.max(MIN_REQUEST_BYTES, bytes));
  }

  async #keep(point: Buffer, reason: string, { kept }: Settling): Promise<void> {
    if (kept.has(point)) return;
    kept.add(point);
    await this.#keepAside(point, reason);
  }

  async #takeOut(points: readonly Buffer[], named: readonly NamedPoint[], context: Settling): Promise<WriteOutcome> {
    for (const { index, reason } of named) {
      const point = points[index];
      if (point !== undefined) await this.#keep(point, reason, context);
    }
    return this.#settleRest(points, context);
  }

  /** Finds the bad points by sending only the suspects. All others are then sent once more, to keep their order. */
  async #probe(points: readonly Buffer[], indexes: readonly number[], context: Settling): Promise<WriteOutcome> {
    const suspects = indexes.flatMap((index) => points.slice(index, index + 1));
    const outcome = await this.#settle(joinPoints(suspects), context, suspects);
    return outcome.kind === 'success' ? this.#settleRest(points, context) : outcome;
  }

  /** Sends the points that are not kept aside; in halves if no new ones were. */
  async #settleRest(points: readonly Buffer[], context: Settling): Promise<WriteOutcome> {
    const rest = points.filter((point) => !context.kept.has(point));
    if (rest.length === points.length) return this.#halve(points, context);
    return rest.length === 0 ? SUCCESS : this.#settle(joinPoints(rest), context, rest);
  }

  async #halve(points: readonly Buffer[], context: Settling): Promise<WriteOutcome> {
    const middle = points.length >> 1;
    for (const half of [points.slice(0, middle), points.slice(middle)]) {
      const outcome = await this.#settle(joinPoints(half), context, half);
      if (outcome.kind !== 'success') return outcome;
    }
    return SUCCESS;
  }
}

function firstPoint({ bytes }: PointBatch): Buffer {
  return bytes.subarray(0, findPointEnd(bytes, 0));
}
