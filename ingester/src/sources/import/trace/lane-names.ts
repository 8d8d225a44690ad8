import { JsonEnd } from './json-end.js';
import { parseObject } from './mend-json.js';

/** What the events that name processes and threads are about. */
const NAMES = [Buffer.from('"process_name"'), Buffer.from('"thread_name"')];
const OPEN_BRACE = 0x7b;
/** Such events are small; braces of arguments may come before the name. */
const MAX_EVENT_BYTES = 4096;
const MAX_BRACES = 4;
const MAX_LANES = 100_000;
/** The longest text for a tag that the store shall index. */
const MAX_NAME_UNITS = 200;

/** Finds the names of processes and threads in a trace. Profilers write them behind all that they name. */
export class LaneNames {
  readonly #processes = new Map<string, string>();
  readonly #threads = new Map<string, string>();
  readonly #workers = new Map<string, string>();
  #tail: Buffer = Buffer.alloc(0);

  /** Takes the bytes of the file, from its first to its last. */
  add(chunk: Buffer): void {
    const data = this.#tail.length === 0 ? chunk : Buffer.concat([this.#tail, chunk]);
    for (const name of NAMES) {
      for (let at = data.indexOf(name); at >= 0; at = data.indexOf(name, at + 1)) this.#note(data, at);
    }
    this.#tail = Buffer.from(data.subarray(Math.max(0, data.length - 2 * MAX_EVENT_BYTES)));
  }

  /** `python 4711 / stream 7`: what tells this thread from all others. */
  workerOf(pid: unknown, tid: unknown): string {
    const [process, thread] = [formatId(pid), formatId(tid)];
    const key = `${process}\0${thread}`;
    let worker = this.#workers.get(key);
    if (worker === undefined) {
      const ofThread = addId(this.#threads.get(key), thread);
      const ofProcess = addId(this.#processes.get(process), process);
      worker = [ofProcess, ofThread]
        .filter((part) => part !== '')
        .join(' / ')
        .slice(0, MAX_NAME_UNITS);
      if (this.#workers.size < MAX_LANES) this.#workers.set(key, worker);
    }
    return worker;
  }

  #note(data: Buffer, at: number): void {
    const event = findEvent(data, at);
    const args = event?.['args'];
    if (event?.['ph'] !== 'M' || typeof args !== 'object' || args === null) return;
    const name = (args as Record<string, unknown>)['name'];
    if (typeof name !== 'string' || name.trim() === '') return;
    const process = formatId(event['pid']);
    const names = event['name'] === 'process_name' ? this.#processes : this.#threads;
    const key = event['name'] === 'process_name' ? process : `${process}\0${formatId(event['tid'])}`;
    if (names.size < MAX_LANES || names.has(key)) names.set(key, name.trim());
  }
}

/** The object around this place: from one of the braces before it. */
function findEvent(data: Buffer, at: number): Readonly<Record<string, unknown>> | undefined {
  let brace = at;
  for (let i = 0; i < MAX_BRACES && brace > 0; i += 1) {
    brace = data.lastIndexOf(OPEN_BRACE, brace - 1);
    if (brace < 0 || at - brace > MAX_EVENT_BYTES) return undefined;
    const piece = data.subarray(brace, at + MAX_EVENT_BYTES);
    const end = new JsonEnd().find(piece, 0);
    if (end > at - brace) return parseObject(piece.toString('utf8', 0, end));
  }
  return undefined;
}

function formatId(id: unknown): string {
  return typeof id === 'string' || typeof id === 'number' ? String(id) : '';
}

/** Threads of one name are told apart by their ids, which some names have in them. */
function addId(name: string | undefined, id: string): string {
  if (name === undefined) return id;
  return id === '' || name.includes(id) ? name : `${name} ${id}`;
}
