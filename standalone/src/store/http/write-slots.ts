import type { FastifyReply } from 'fastify';

/** How many writes hold their bodies at once. Each may take 75 MB until its points are stored. */
const SLOTS = 8;

/** Admits some writes at once; the others wait with their bodies unread. */
export class WriteSlots {
  #free = SLOTS;
  readonly #waiting: (() => void)[] = [];

  /** Resolves when there is room. The room is free again when the reply is sent or its connection has gone. */
  async take(reply: FastifyReply): Promise<void> {
    if (this.#free > 0) this.#free -= 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    if (reply.raw.closed) this.#release();
    else reply.raw.once('close', () => this.#release());
  }

  #release(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#free += 1;
  }
}
