import { JsonEnd } from './json-end.js';
import { parseObject } from './mend-json.js';
import { parseSlab } from './slab.js';

/** A larger event, or entry beside the events, is left out: it must not take all memory. */
const MAX_VALUE_BYTES = 4 * 1024 * 1024;
/** With fewer bytes, events are cut one by one. */
const MIN_SLAB_BYTES = 4096;
const [QUOTE, COMMA, COLON] = [0x22, 0x2c, 0x3a];
const [OPEN_BRACE, CLOSE_BRACE, OPEN_BRACKET, CLOSE_BRACKET] = [0x7b, 0x7d, 0x5b, 0x5d];
const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);
const EVENTS_KEY = 'traceEvents';

export type TraceEvent = Readonly<Record<string, unknown>>;

/** Takes what is in a trace, in its order. */
export interface TraceHandler {
  onEvents(events: readonly TraceEvent[]): void;
  /** An entry beside the events, as JSON. */
  onEntry(key: string, json: string): void;
  /** `what`: of many. `at`: its first byte in the unpacked file. */
  onFault(what: string, at: number): void;
}

type State = 'start' | 'entries' | 'value' | 'events' | 'event' | 'end';

/**
 * Cuts a Chrome trace (an array of events, or an object with one under `traceEvents`) into events while it is read.
 * Most bytes are only seen by JSON.parse, which takes many events at once. Where it finds a fault, they are cut one by
 * one.
 */
export class TraceCutter {
  readonly #handler: TraceHandler;
  #state: State = 'start';
  #isArray = false;
  #rest: Buffer = Buffer.alloc(0);
  /** Where the first byte of `#rest` is in the file. */
  #offset = 0;
  #key = '';
  /** The value that is being read: where its end is looked for, and from where on. */
  #end = new JsonEnd();
  #searched = 0;
  #isTooLarge = false;
  #begun = 0;

  constructor(handler: TraceHandler) {
    this.#handler = handler;
  }

  add(chunk: Buffer): void {
    const data = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    const at = this.#read(data);
    // The chunk is valid until the next one comes.
    this.#rest = Buffer.from(data.subarray(at));
    this.#offset += at;
  }

  end(): void {
    // The bracket that ends an array of events may be left out.
    if (this.#state === 'end' || (this.#isArray && this.#state === 'events')) return;
    this.#fault(this.#state === 'start' ? 'files without a trace' : 'ends that are cut off', this.#rest.length);
  }

  /** Returns the index up to which the data is done. */
  #read(data: Buffer): number {
    let at = 0;
    // Where there is a fault, or no room for a slab, all of these bytes are cut one by one.
    let canSlab = true;
    for (;;) {
      if (this.#state === 'end') return data.length;
      if (this.#state === 'event' || this.#state === 'value') {
        const behind = this.#readValue(data, at);
        if (behind < 0) return this.#isTooLarge ? data.length : at;
        at = behind;
        continue;
      }
      at = skipSpace(data, at, this.#state !== 'start');
      if (at >= data.length) return at;
      if (this.#state === 'events' && canSlab && data.length - at >= MIN_SLAB_BYTES) {
        const slab = parseSlab(data, at);
        canSlab = slab !== undefined;
        if (slab !== undefined) {
          this.#handler.onEvents(slab.events as readonly TraceEvent[]);
          at = slab.end;
          continue;
        }
      }
      const next = this.#step(data, at);
      if (next < 0) return at;
      at = next;
    }
  }

  /** Takes the byte at which something begins or ends. -1: more bytes are needed. */
  #step(data: Buffer, at: number): number {
    const byte = data[at];
    switch (this.#state) {
      case 'start':
        return this.#readStart(data, at);
      case 'entries':
        if (byte === QUOTE) return this.#readKey(data, at);
        if (byte === CLOSE_BRACE) this.#state = 'end';
        else this.#fault('bytes that are no JSON', at);
        return at + 1;
      default:
        if (byte === CLOSE_BRACKET) {
          this.#state = this.#isArray ? 'end' : 'entries';
          return at + 1;
        }
        this.#beginValue('event', at);
        return at;
    }
  }

  #readStart(data: Buffer, at: number): number {
    if (data[at] === BYTE_ORDER_MARK[0] && data.length - at < BYTE_ORDER_MARK.length) return -1;
    if (data.subarray(at, at + BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK)) return at + BYTE_ORDER_MARK.length;
    this.#isArray = data[at] === OPEN_BRACKET;
    if (this.#isArray) this.#state = 'events';
    else if (data[at] === OPEN_BRACE) this.#state = 'entries';
    else {
      this.#state = 'end';
      this.#fault('files without a trace', at);
    }
    return at + 1;
  }

  /** Reads a key, the colon and the beginning of its value. */
  #readKey(data: Buffer, at: number): number {
    const keyEnd = new JsonEnd().find(data, at);
    const colon = keyEnd < 0 ? -1 : skipSpace(data, keyEnd, false);
    if (colon < 0 || colon >= data.length) return -1;
    const from = data[colon] === COLON ? skipSpace(data, colon + 1, false) : colon;
    if (from >= data.length) return -1;
    this.#key = String(parseObject(`{"key":${data.toString('utf8', at, keyEnd)}}`)?.['key']);
    if (this.#key === EVENTS_KEY && data[from] === OPEN_BRACKET) {
      this.#state = 'events';
      return from + 1;
    }
    this.#beginValue('value', from);
    return from;
  }

  #beginValue(state: 'event' | 'value', at: number): void {
    this.#state = state;
    this.#end = new JsonEnd();
    this.#searched = 0;
    this.#isTooLarge = false;
    this.#begun = this.#offset + at;
  }

  /** Reads on in the value that begins at `at`, or that is skipped. Returns the index behind it, -1 without its end. */
  #readValue(data: Buffer, at: number): number {
    const from = this.#isTooLarge ? at : at + this.#searched;
    const end = this.#end.find(data, from);
    if (end < 0) {
      this.#searched = data.length - at;
      if (!this.#isTooLarge && this.#searched > MAX_VALUE_BYTES) {
        this.#isTooLarge = true;
        this.#handler.onFault('parts of more than 4 MiB', this.#begun);
      }
      return -1;
    }
    if (!this.#isTooLarge) this.#give(data.subarray(at, end));
    this.#state = this.#state === 'event' ? 'events' : 'entries';
    // A value that is no value, such as a lone bracket, must not stop the reading.
    return Math.max(end, from === end ? end + 1 : end);
  }

  #give(value: Buffer): void {
    const text = value.toString('utf8');
    if (this.#state === 'value') {
      this.#handler.onEntry(this.#key, text);
      return;
    }
    const event = parseObject(text);
    if (event !== undefined) this.#handler.onEvents([event]);
    else this.#handler.onFault('events that are no JSON object', this.#begun);
  }

  #fault(what: string, at: number): void {
    this.#handler.onFault(what, this.#offset + at);
  }
}

/** The index of the next byte that is no space, and, between values, no comma. */
function skipSpace(data: Buffer, from: number, skipsCommas: boolean): number {
  let at = from;
  for (; at < data.length; at += 1) {
    const byte = data[at] ?? 0;
    if (byte > 0x20 && !(skipsCommas && byte === COMMA)) return at;
  }
  return at;
}
