import type { PointBatch, StateChange } from '../../queue/point-queue.js';
import type { StateSource } from '../../queue/state-registry.js';
import type { Spool } from '../open-folder.js';
import { openSpool } from '../open-spool.js';
import { type Accepted, describeStates, foldStates, readAll, textOf } from './accepted.js';
import { ModelDisk } from './model-disk.js';
import { createChooser } from './model-nodes.js';
import { createModelProcess, type ModelProcess, settle } from './place.js';
import type { End, SpoolEvent } from './spool-event.js';

interface Source {
  /** All records that it has made, also the ones it has not appended. */
  known: number[];
  /** Whether its state was appended, and whether it has changed since. */
  isKnown: boolean;
  hasNews: boolean;
  heldText: string;
  heldPoints: number;
}

const LIMITS = { maxPoints: 4, maxBytes: 300 };
const DESTINATION = { url: 'http://127.0.0.1:8086', bucket: 'logs' };
const OPTIONS = { role: 'watch', destination: DESTINATION, maxBytes: 8192, segmentBytes: 512 } as const;

/** Runs a spool through events beside a list of what it has taken, and throws at the first difference. */
export class SpoolRun {
  readonly #disk = new ModelDisk();
  #pid = 1;
  #process: ModelProcess | undefined;
  #spool: Spool | undefined;
  #sources = new Map<string, Source>();
  /** All that was taken and not lost in a crash, oldest first. */
  #accepted: Accepted[] = [];
  #made = 0;
  /** Index of the record that is read next. */
  #readIndex = 0;
  /** Before this index all is released. */
  #released = 0;
  /** Before this index a power cut loses nothing, and before the next one a kill loses nothing. */
  #durable = 0;
  #written = 0;
  #batchEnd: number | undefined;
  #isReading = false;
  #failure: unknown;
  #isBroken = false;
  #isSlow = false;
  readonly counts = { crashes: 0, faults: 0, records: 0 };

  async start(): Promise<void> {
    this.#pid += 1;
    const process = createModelProcess(this.#disk, this.#pid, new Set([this.#pid]));
    this.#process = process;
    const opened = await openSpool({
      ...process,
      ...OPTIONS,
      sources: { [Symbol.iterator]: () => this.#listSources() },
    });
    if (!opened.ok) throw new Error(opened.error);
    this.#spool = opened.value;
    await settle();
  }

  *#listSources(): Iterator<StateSource> {
    for (const [key, source] of this.#sources) {
      const commit = (): boolean => this.#commit(key);
      yield { key, commit, takeWholeState: () => JSON.stringify(source.known) };
    }
  }

  async apply(event: SpoolEvent): Promise<void> {
    await this.#do(event);
    if (this.#failure !== undefined) throw this.#failure as Error;
  }

  /** Ends the run: with a working disk, no record is missing, and records that were sent take no room. */
  async finish(): Promise<void> {
    await this.apply({ kind: 'repair' });
    await this.#sendAll();
    await this.apply({ kind: 'restart' });
    if (this.#accepted.length !== this.#durable) throw new Error('a record is not durable after close');
  }

  async #sendAll(): Promise<void> {
    await this.#drain();
    await this.#pass(5000);
    // A file that could not be removed is tried again when more comes.
    const count = this.#accepted.length;
    await this.apply({ kind: 'make', source: 0, points: 1, bytes: 0, isHeld: false });
    if (this.#accepted.length === count) throw new Error('the empty spool takes nothing');
    await this.#pass(60);
    await this.#drain();
    await this.#pass(5000);
    const names = (await this.#list()).filter((name) => name.endsWith('.segment'));
    if (names.length > 1) throw new Error(`segments of settled points are left: ${names.join(' ')}`);
    if (this.#spool?.fill !== 0) throw new Error(`the empty spool is filled to ${this.#spool?.fill}`);
  }

  async #drain(): Promise<void> {
    for (let rounds = 0; this.#spool?.waitingPoints !== 0; rounds += 1) {
      if (rounds > this.#accepted.length) throw new Error(`${this.#spool?.waitingPoints} points are never read`);
      await this.#pass(60);
      await this.apply({ kind: 'read' });
      await this.apply({ kind: 'release' });
    }
  }

  /** The files of the only spool. */
  async #list(): Promise<string[]> {
    const fs = this.#disk.mount();
    const [folder = ''] = (await fs.list('/spool')).filter((name) => name.startsWith('watch'));
    return fs.list(`/spool/${folder}`);
  }

  async #do(event: SpoolEvent): Promise<void> {
    switch (event.kind) {
      case 'make':
        this.#make(event);
        break;
      case 'forget':
        this.#forget(nameOf(event.source));
        break;
      case 'break':
        this.#break(event);
        break;
      case 'restart':
      case 'kill':
      case 'cut':
        await this.#restart(event);
        break;
      default:
        await this.#pause(event);
    }
  }

  async #pause(event: SpoolEvent): Promise<void> {
    switch (event.kind) {
      case 'turn':
        await settle();
        this.#noteWritten();
        break;
      case 'pass':
        await this.#pass(event.ms);
        break;
      case 'read':
        await this.#read();
        break;
      case 'readAhead':
        await this.#readAhead();
        break;
      case 'release':
        await this.#release();
        break;
      case 'repair':
        await this.#repair();
        break;
      default:
        await this.#setSlow(event.kind === 'slow');
    }
  }

  #break({ writes, syncs }: SpoolEvent & { kind: 'break' }): void {
    this.counts.faults += 1;
    this.#isBroken = writes || syncs;
    this.#disk.writeFailure = writes ? 'ENOSPC' : undefined;
    this.#disk.syncFailure = syncs ? 'EIO' : undefined;
  }

  #make({ source: number, points, bytes, isHeld }: SpoolEvent & { kind: 'make' }): void {
    const key = nameOf(number);
    const source = this.#sources.get(key) ?? { known: [], isKnown: false, hasNews: true, heldText: '', heldPoints: 0 };
    this.#sources.set(key, source);
    const id = (this.#made += 1);
    source.known = [...source.known, id];
    source.hasNews = true;
    source.heldText += Array.from({ length: points }, (_, i) => `${id}.${i}${'x'.repeat(bytes)}\n`).join('');
    source.heldPoints += points;
    if (!isHeld) this.#commit(key);
  }

  /** Whether nothing is left to be appended. */
  #commit(key: string): boolean {
    const source = this.#sources.get(key);
    if (source?.hasNews !== true) return true;
    const { known, heldText: text, heldPoints: points } = source;
    const state: StateChange = { key, kind: source.isKnown ? 'change' : 'whole', value: JSON.stringify(known) };
    const record = { bytes: Buffer.from(text), points, states: [state], isUrgent: false };
    if (this.#spool?.append(record) !== true) return false;
    // The memory of a record is the caller's again.
    record.bytes.fill(0);
    this.#accepted.push({ source: key, known, text, points });
    this.counts.records += 1;
    Object.assign(source, { heldText: '', heldPoints: 0, isKnown: true, hasNews: false });
    return true;
  }

  #forget(key: string): void {
    this.#commit(key);
    const source = this.#sources.get(key);
    if (source === undefined || source.hasNews) return;
    const states: StateChange[] = [{ key, kind: 'gone', value: '' }];
    const isTaken = this.#spool?.append({ bytes: Buffer.alloc(0), points: 0, states, isUrgent: false });
    if (isTaken !== true) return;
    this.#sources.delete(key);
    this.#accepted.push({ source: key, known: undefined, text: '', points: 0 });
  }

  async #pass(ms: number): Promise<void> {
    this.#disk.nowMs += ms;
    await this.#process?.clock.advance(ms);
    await settle();
    this.#noteWritten();
  }

  #noteWritten(): void {
    if (!this.#isBroken && !this.#isFailing()) this.#written = this.#accepted.length;
  }

  #isFailing(): boolean {
    const last = this.#process?.messages.findLast((message) => message.startsWith('writing to the spool'));
    return last?.includes('failed') === true;
  }

  async #read(): Promise<void> {
    if (!this.#isReading) void this.#check();
    await settle();
  }

  /** Starts a read. Its outcome is seen at the next read. */
  async #readAhead(): Promise<void> {
    const spool = this.#spool;
    if (spool === undefined || this.#isReading) return;
    this.#isReading = true;
    void spool.readAhead(LIMITS).then(() => {
      if (spool === this.#spool) this.#isReading = false;
    });
    await settle();
  }

  async #check(): Promise<void> {
    const spool = this.#spool;
    this.#isReading = true;
    try {
      const batch = await spool?.read(LIMITS);
      if (spool !== this.#spool) return;
      this.#isReading = false;
      if (batch === undefined) return;
      const end = this.#matchBatch(batch);
      this.#durable = Math.max(this.#durable, end);
      this.#batchEnd = end;
    } catch (error) {
      this.#failure = error;
    }
  }

  /** The batch is the next records, whole; returns the index after them. */
  #matchBatch(batch: PointBatch): number {
    let text = '';
    let points = 0;
    let end = this.#readIndex;
    while (points < batch.points && end < this.#accepted.length) {
      text += this.#accepted[end]?.text ?? '';
      points += this.#accepted[end]?.points ?? 0;
      end += 1;
    }
    if (text !== batch.bytes.toString() || points !== batch.points) {
      throw new Error(`read ${batch.points} points ${batch.bytes.toString()}; expected ${points} ${text}`);
    }
    return end;
  }

  async #release(): Promise<void> {
    if (this.#isReading) return;
    await this.#spool?.release();
    if (this.#batchEnd === undefined) return;
    this.#released = this.#readIndex = this.#batchEnd;
    this.#batchEnd = undefined;
    await settle(2);
  }

  async #setSlow(isSlow: boolean): Promise<void> {
    this.#isSlow = isSlow;
    if (isSlow) this.#disk.isSyncSlow = true;
    else this.#disk.endSlowSyncs();
    await settle();
  }

  async #repair(): Promise<void> {
    this.#isBroken = false;
    this.#disk.writeFailure = undefined;
    this.#disk.syncFailure = undefined;
    await this.#setSlow(false);
    // A failure that was under way is met at the first of these; the others are for the new tries and a last sync.
    for (const ms of [60, 3000, 3000, 60, 60]) await this.#pass(ms);
    if (this.#isFailing()) throw new Error('the spool does not write again');
    this.#durable = this.#accepted.length;
  }

  async #restart(event: End): Promise<void> {
    const disk = this.#disk;
    disk.endSlowSyncs();
    const isClean = event.kind === 'restart';
    if (isClean) {
      await settle();
      await this.#spool?.close();
      if (!this.#isBroken) this.#durable = this.#accepted.length;
    } else {
      this.counts.crashes += 1;
    }
    this.#spool = undefined;
    if (event.kind === 'cut') disk.cutPower(createChooser(event.seed));
    else disk.kill();
    disk.writeFailure = disk.syncFailure = undefined;
    this.#isBroken = false;
    this.#isReading = false;
    this.#batchEnd = undefined;
    // A failing write cuts bytes that were not durable off the files: they are only in memory.
    const isCut = event.kind === 'cut' || this.#isFailing();
    await this.#compare(isCut ? this.#durable : Math.max(this.#durable, this.#written));
    await this.start();
    disk.isSyncSlow = this.#isSlow;
  }

  /** Opens a copy of what the crash has left: it holds the accepted records up to some point, and their states. */
  async #compare(atLeast: number): Promise<void> {
    const disk = this.#disk.clone();
    const process = createModelProcess(disk, 1_000_000, new Set([1_000_000]));
    const opened = await openSpool({ ...process, ...OPTIONS, sources: [] });
    if (!opened.ok) throw new Error(opened.error);
    const spool = opened.value;
    const states = describeStates(spool.states);
    const { waitingPoints } = spool;
    const { text, points } = await readAll(spool, LIMITS, process);
    if (points !== waitingPoints) throw new Error(`${waitingPoints} points were said to wait, ${points} do`);

    const all = this.#accepted;
    for (let end = all.length; end >= atLeast; end -= 1) {
      if (describeStates(foldStates(all.slice(0, end))) !== states) continue;
      for (let first = Math.min(this.#released, end); first >= 0; first -= 1) {
        if (textOf(all.slice(first, end)) !== text) continue;
        this.#continueWith(first, end);
        return;
      }
    }
    const released = this.#released;
    throw new Error(
      `after a crash: at least ${atLeast} of ${all.length} records, ${released} released; found states ${states}, points ${text}`
    );
  }

  /** The records before `end` are left, the ones before `first` settled. */
  #continueWith(first: number, end: number): void {
    this.#accepted = this.#accepted.slice(0, end);
    this.#released = Math.min(this.#released, end);
    this.#readIndex = first;
    this.#durable = this.#written = end;
    this.#sources = new Map();
    for (const [key, [known = '[]']] of foldStates(this.#accepted)) {
      this.#sources.set(key, {
        known: JSON.parse(known) as number[],
        isKnown: true,
        hasNews: false,
        heldText: '',
        heldPoints: 0,
      });
    }
  }
}

function nameOf(source: number): string {
  return `source${source}`;
}
