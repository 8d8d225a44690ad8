import type { Stream } from '@joblens/core';
import type { LogMode } from './log-config.js';
import type { StreamContext } from './stream-log.js';

/** Whole lines of plain text that came and left the cursor's reach at once: nothing can change them any more. */
export interface FinalLines {
  /** Each line is ended by LF; trailing spaces are as printed. */
  readonly text: string;
  /** Id of the first line; the others follow it. */
  readonly firstId: number;
}

/** A longer line may take several points. */
const MAX_CHARS = 16_384;
const SPACE = 0x20;
const SLASH = 0x2f;
const BRACE = 0x7b;

/** The last line that was added, as much as what follows needs of it. */
export interface LastLine {
  id: number;
  text: string;
  timeText: string;
  isMetadata: boolean;
  isLogged: boolean;
}

/**
 * The fast way of lines that need no row of their own: ordinary output and metadata. It gives up, without having done anything, on
 * whatever the rules must look at more closely (commands, repeats, empty and very long lines, trailing spaces).
 */
export class FinalLineLog {
  readonly #stream: Stream;
  readonly #context: StreamContext;
  readonly #last: LastLine = { id: -1, text: '', timeText: '', isMetadata: false, isLogged: false };
  #mode: LogMode = 'enabled';
  /** The text that a repeat would equal. */
  #shownText: string | undefined;
  #hasLast = false;

  constructor(stream: Stream, context: StreamContext) {
    this.#stream = stream;
    this.#context = context;
  }

  /** Before the first of some lines, and after each that went another way. `shownText`: the line before as the log shows it. */
  begin(shownText: string | undefined): void {
    this.#mode = this.#context.mode();
    this.#shownText = shownText;
  }

  /** False when the line must go the way of a row. */
  add(line: string, id: number): boolean {
    const first = line.charCodeAt(0);
    if (line === '' || line.length > MAX_CHARS || first === SLASH) return false;
    if (line.charCodeAt(line.length - 1) === SPACE) return false;
    const metadata = first === BRACE ? this.#context.readMetadata(this.#stream, line) : undefined;
    const isLogged = this.#mode === 'enabled';
    if (isLogged && metadata === undefined && line === this.#shownText) return false;
    const timeText = this.#context.followText();
    if (isLogged) this.#context.addLine(line, timeText);
    if (metadata !== undefined) this.#context.addMetadata(metadata, timeText);
    this.#shownText = isLogged ? line : undefined;
    const last = this.#last;
    last.id = id;
    last.text = line;
    last.timeText = timeText;
    last.isMetadata = metadata !== undefined;
    last.isLogged = isLogged;
    this.#hasLast = true;
    return true;
  }

  /** The last line added since the last call, if any. */
  takeLast(): Readonly<LastLine> | undefined {
    if (!this.#hasLast) return undefined;
    this.#hasLast = false;
    return this.#last;
  }
}
