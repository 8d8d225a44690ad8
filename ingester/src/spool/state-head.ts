import type { StateSource } from '../queue/state-registry.js';
import { formatStates } from './record.js';
import type { SegmentWriter } from './segment-writer.js';

const NO_BYTES = Buffer.alloc(0);

interface StateHeadOptions {
  readonly writer: Pick<SegmentWriter, 'add'>;
  readonly sources: Iterable<StateSource>;
  /** The head is made durable after each piece of this size, because undurable pieces are held in memory. */
  readonly pieceBytes: number;
  /** Resolves when the record is durable, or to false if it will not be for now. */
  readonly untilDurable: (sequence: number) => Promise<boolean>;
  /** Called when a head is complete and durable; `sequence` is its first record. */
  readonly onDurable: (sequence: number) => void;
}

/** Writes heads (see record.ts): the whole state of one source after the other, while points come in between. */
export class StateHead {
  readonly #options: StateHeadOptions;
  #isWriting = false;
  #isCommitting = false;
  #sizeBytes = 0;

  constructor(options: StateHeadOptions) {
    this.#options = options;
  }

  /** The size of the newest head, as far as it is written. */
  get sizeBytes(): number {
    return this.#sizeBytes;
  }

  get isWriting(): boolean {
    return this.#isWriting;
  }

  /** Whether a source's record must be taken now, because its state must not be ahead of its points. */
  get isCommitting(): boolean {
    return this.#isCommitting;
  }

  /** Writes a head with the states found at the start, which nobody changes yet. */
  writeFound(states: ReadonlyMap<string, readonly string[]>): void {
    const start = this.#addMark('headStart');
    for (const [key, values] of states) {
      const changes = values.map((value, i) => ({ key, kind: i === 0 ? 'whole' : 'change', value }) as const);
      this.#add('points', formatStates(changes));
    }
    void this.#end(start);
  }

  /**
   * Writes a head with the sources' present states. Ends early if a source cannot append its points; another head is
   * needed then.
   */
  async write(): Promise<void> {
    if (this.#isWriting) return;
    this.#isWriting = true;
    const start = this.#addMark('headStart');
    const isWhole = await this.#writeSources();
    this.#isWriting = false;
    if (isWhole) await this.#end(start);
  }

  async #writeSources(): Promise<boolean> {
    const { sources, pieceBytes, untilDurable } = this.#options;
    let aheadBytes = 0;
    for (const source of sources) {
      if (!this.#commit(source)) return false;
      const before = this.#sizeBytes;
      const sequence = this.#add(
        'points',
        formatStates([{ key: source.key, kind: 'whole', value: source.takeWholeState() }])
      );
      aheadBytes += this.#sizeBytes - before;
      if (aheadBytes < pieceBytes) continue;
      if (!(await untilDurable(sequence))) return false;
      aheadBytes = 0;
    }
    return true;
  }

  #commit(source: StateSource): boolean {
    this.#isCommitting = true;
    try {
      return source.commit();
    } finally {
      this.#isCommitting = false;
    }
  }

  async #end(start: number): Promise<void> {
    const end = this.#add('headEnd', '');
    if (await this.#options.untilDurable(end)) this.#options.onDurable(start);
  }

  #addMark(kind: 'headStart'): number {
    this.#sizeBytes = 0;
    return this.#add(kind, '');
  }

  #add(kind: 'points' | 'headStart' | 'headEnd', states: string): number {
    const { sequence, encoded } = this.#options.writer.add(kind, states, NO_BYTES, 0);
    this.#sizeBytes += encoded.length;
    return sequence;
  }
}
