import type { Stream } from '@joblens/core/schema/measurements';
import { ConsoleRenderer } from '../render/console-renderer.js';
import { contain, type FaultKeeper } from '../rules/writing/fault-keeper.js';
import type { JobLog } from '../rules/job-log.js';
import { findStrictest, LINE_RULES, type LogMode } from '../rules/options/log-modes.js';
import type { StreamLog } from '../rules/lines/stream-log.js';
import type { StreamMask } from '../secrets/stream-mask.js';
import type { JobStreamState, PageTurn } from './job-state.js';
import { endsWithLine, findLinesEnd, findPiece, findRedrawStart, type PrintedPiece } from './printed-pieces.js';

/** A stream that was there before a restart. */
export interface RestoredStream {
  readonly name: Stream;
  /** It carries both stdout and stderr. */
  readonly isMixed: boolean;
  readonly checkpoint: string;
  /** False when it had ended. */
  readonly wasOpen: boolean;
}

/**
 * Returns the source's own description of the place up to which it gave bytes to `write`, less the last `unread` bytes.
 * After a restart the source continues from there. May be called during `write`.
 */
export type Checkpoint = (unread: number) => string;

/** Takes the bytes of one stream. */
export interface StreamWriter {
  /** Resolves when the next bytes are welcome. A source that waits for it is slowed down. */
  write(bytes: Uint8Array): Promise<void>;
  /** Ends the stream, which completes its last line. The state keeps the checkpoint of that moment. */
  end(): void;
}

/** Takes the bytes of a stream that can be restored. */
export interface RestorableWriter extends StreamWriter {
  /** Ends the stream and drops its state. */
  forget(): void;
}

/** The most bytes of an unfinished line that are kept. */
const MAX_HELD_BYTES = 1024 * 1024;
/** Beyond this, everything before the last carriage return is dropped. */
const MAX_HELD_REDRAW_BYTES = 4096;
/** The first characters of a command, of metadata, and of either in colours. */
const DECISIVE_STARTS = ['/', '{', '\x1b'] as const;
const NOTHING = Buffer.alloc(0);
const NO_PIECE: PrintedPiece = { end: 0, mayBeCommand: false };
const LF = 0x0a;

interface OpenStream {
  readonly mask: StreamMask | undefined;
  readonly isMixed: boolean;
  renderer: ConsoleRenderer;
  readonly log: StreamLog;
}

interface JobStreamOptions {
  readonly id: number;
  readonly name: Stream;
  /** The stream carries both stdout and stderr. */
  readonly isMixed: boolean;
  readonly jobLog: JobLog;
  readonly faults: FaultKeeper;
  readonly mask?: StreamMask | undefined;
  /** The source's present place. */
  readonly checkpoint: Checkpoint;
  /** The stream's state before a restart. */
  readonly state?: JobStreamState | undefined;
}

/**
 * One stream of a job: bytes → bytes without secrets → rendered rows → rules. Each change of the mode begins a new
 * page, so output printed under one mode never meets output of another on the screen. While a mode forbids output, only
 * whole lines are rendered, and none of their text is kept.
 */
export class JobStream {
  readonly id: number;
  readonly name: Stream;
  readonly #isMixed: boolean;
  readonly #jobLog: JobLog;
  readonly #faults: FaultKeeper;
  readonly #checkpoint: Checkpoint;
  #open: OpenStream | undefined;
  /** The checkpoint at the end. */
  #lastCheckpoint = '';
  #isWriting = false;
  /**
   * The mode under which the text on the screen was printed. Until a due page is turned, the log's mode is stricter.
   */
  #pageMode: LogMode;
  /**
   * The mode has changed within a line that may be a command or metadata: the page is turned at the end of the line.
   */
  #isTurnDue: boolean;
  /** The beginning of a line that was printed while a mode forbids output. */
  #held: Buffer = NOTHING;

  constructor(options: JobStreamOptions) {
    const { state, jobLog, name, isMixed } = options;
    const { pageMode, lineMode }: PageTurn = state?.turn ?? { pageMode: jobLog.mode, lineMode: jobLog.mode };
    this.id = options.id;
    this.name = name;
    this.#isMixed = isMixed;
    this.#jobLog = jobLog;
    this.#faults = options.faults;
    this.#checkpoint = options.checkpoint;
    this.#pageMode = pageMode;
    this.#isTurnDue = state?.turn !== undefined;
    this.#open = {
      mask: options.mask,
      isMixed,
      renderer: new ConsoleRenderer(state?.renderer, isMixed),
      log: isMixed ? jobLog.openMixedStream(state?.log, lineMode) : jobLog.openStream(name, state?.log, lineMode),
    };
  }

  get isOpen(): boolean {
    return this.#open !== undefined;
  }

  get isChanging(): boolean {
    return this.#open?.renderer.hasChangedRows === true;
  }

  write(bytes: Uint8Array): void {
    const open = this.#open;
    if (open === undefined) return;
    let rest = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    if (this.#held.length > 0) rest = Buffer.concat([this.#held, rest]);
    this.#held = NOTHING;
    while (rest.length > 0) {
      const piece = this.#findPiece(open, rest);
      if (piece.end === 0) {
        this.#held = Buffer.from(rest);
        return;
      }
      this.#render(open, rest.subarray(0, piece.end), piece.mayBeCommand);
      rest = rest.subarray(piece.end);
    }
  }

  /** The output that can be rendered at once; its end is 0 when none can. */
  #findPiece(open: OpenStream, output: Buffer): PrintedPiece {
    try {
      return this.#findWholePiece(open, output);
    } catch (error) {
      this.#faults.note(error);
      // A line at a time, so that what is obeyed in one holds for the next.
      return { end: findLinesEnd(output, 'first') || output.length, mayBeCommand: true };
    }
  }

  #findWholePiece(open: OpenStream, output: Buffer): PrintedPiece {
    const { log } = open;
    const openTexts = readOpenTexts(open);
    const piece = findPiece(output, openTexts);
    if (LINE_RULES[log.mode].output.isLogged) return piece;
    const linesEnd = findLinesEnd(output, this.#isTurnDue ? 'first' : 'all');
    if (linesEnd > 0) return { ...piece, end: Math.min(piece.end, linesEnd) };
    if (output.length > MAX_HELD_BYTES) return { ...piece, end: output.length };
    if (this.#isTurnDue || output.length <= MAX_HELD_REDRAW_BYTES) return NO_PIECE;
    const end = findRedrawStart(output);
    return { end, mayBeCommand: findPiece(output.subarray(0, end), openTexts).mayBeCommand };
  }

  #render(open: OpenStream, piece: Buffer, mayBeCommand: boolean): void {
    this.#isWriting = true;
    contain(this.#faults, () => this.#write(open, piece, mayBeCommand));
    this.#isWriting = false;
    const isLineOver = endsWithLine(piece) || piece.length > MAX_HELD_BYTES;
    if (this.#isTurnDue && isLineOver) contain(this.#faults, () => this.#turnPage(open));
    this.#obey();
    if (!this.#isTurnDue) open.log.mode = this.#pageMode;
  }

  #obey(): void {
    contain(this.#faults, () => this.#jobLog.obey());
  }

  #write(open: OpenStream, piece: Buffer, mayBeCommand: boolean): void {
    // A word that a change of colour cuts is known only when it is on the screen.
    open.log.mayRunOn = !mayBeCommand;
    this.#draw(open, open.mask === undefined ? piece : Buffer.from(open.mask.take(piece)));
  }

  /**
   * Renders a piece. Where the renderer fails, another one continues below, line by line: only the line is lost that
   * fails again.
   */
  #draw(open: OpenStream, piece: Buffer): void {
    const firstId = open.renderer.nextId;
    try {
      open.renderer.write(piece, open.log);
      if (open.renderer.takeMovedUp()) open.log.noteMovedUp();
    } catch (error) {
      const drawn = this.#replaceRenderer(open) - firstId;
      const lines = splitLines(piece).slice(Math.max(0, drawn));
      if (lines.length <= 1) this.#faults.note(error);
      else for (const line of lines) this.#draw(open, line);
    }
  }

  /** Keeps the rows that the failed renderer still gives. Returns the id of the row at which it had stopped. */
  #replaceRenderer(open: OpenStream): number {
    const failed = open.renderer;
    const { nextId } = failed;
    contain(this.#faults, () => open.log.update(failed.takeChangedRows(), failed.firstRewritableId));
    open.renderer = ConsoleRenderer.startAt(nextId, open.isMixed);
    contain(this.#faults, () => open.log.update([], nextId));
    return nextId;
  }

  /** Everything after this call was printed under `mode`. Changed rows must have been handed on before. */
  changeMode(mode: LogMode): void {
    const open = this.#open;
    if (open === undefined) return;
    if (this.#isLineDecisive(open)) {
      this.#isTurnDue = true;
      open.log.mode = findStrictest(open.log.mode, mode);
      return;
    }
    this.#renderHeld(open);
    this.#turnPage(open);
  }

  /** Whether the line that has begun may become a command or metadata. */
  #isLineDecisive(open: OpenStream): boolean {
    const [text = ''] = readOpenTexts(open);
    const begun = text || this.#held.toString('latin1', findRedrawStart(this.#held));
    return DECISIVE_STARTS.some((start) => begun.startsWith(start));
  }

  #turnPage(open: OpenStream): void {
    const { mask, log } = open;
    if (mask !== undefined) this.#draw(open, Buffer.from(mask.endPage()));
    try {
      open.renderer.startPage(log);
    } catch (error) {
      this.#faults.note(error);
      this.#replaceRenderer(open);
    }
    this.#isTurnDue = false;
    this.#pageMode = log.mode = this.#jobLog.mode;
  }

  #renderHeld(open: OpenStream): void {
    if (this.#held.length === 0) return;
    const held = this.#held;
    this.#held = NOTHING;
    this.#write(open, held, findPiece(held, readOpenTexts(open)).mayBeCommand);
  }

  /** Hands on changed rows. During a `write` they are handed on anyway. */
  update(): void {
    if (this.#open === undefined || this.#isWriting) return;
    const { renderer, log } = this.#open;
    contain(this.#faults, () => log.update(renderer.takeChangedRows(), renderer.firstRewritableId));
  }

  end(): void {
    const open = this.#open;
    if (open === undefined) return;
    const { mask, log } = open;
    contain(this.#faults, () => this.#renderHeld(open));
    contain(this.#faults, () => mask && this.#draw(open, Buffer.from(mask.end())));
    contain(this.#faults, () => {
      const { renderer } = open;
      const rows = renderer.end();
      log.update(rows, renderer.firstRewritableId, renderer.takePrinted());
    });
    contain(this.#faults, () => this.#jobLog.closeStream(log));
    contain(this.#faults, () => (this.#lastCheckpoint = this.#checkpoint(0)));
    this.#open = undefined;
    this.#obey();
  }

  /** Only the place in the source: nothing that was read up to here matters any more. */
  takePlace(): JobStreamState {
    if (this.#open !== undefined) contain(this.#faults, () => (this.#lastCheckpoint = this.#checkpoint(0)));
    return { ...this.#identity, checkpoint: this.#lastCheckpoint };
  }

  get #identity(): Pick<JobStreamState, 'id' | 'name' | 'isMixed'> {
    return { id: this.id, name: this.name, ...(this.#isMixed && { isMixed: true }) };
  }

  /** `change`: the changes since the last call. An ended stream leaves only its checkpoint. */
  takeState(kind: 'whole' | 'change'): JobStreamState {
    if (this.#open === undefined) return { ...this.#identity, checkpoint: this.#lastCheckpoint };
    const { mask, renderer, log } = this.#open;
    return {
      ...this.#identity,
      checkpoint: this.#checkpoint(this.#held.length + (mask?.heldBytes ?? 0)),
      renderer: renderer.takeState(kind, !LINE_RULES[this.#pageMode].output.isLogged),
      log: log.takeState(kind),
      ...(this.#isTurnDue && { turn: { pageMode: this.#pageMode, lineMode: log.mode } }),
    };
  }
}

/** The lines of a piece, each with its LF. */
function splitLines(piece: Buffer): Buffer[] {
  const lines: Buffer[] = [];
  for (let start = 0; start < piece.length;) {
    const end = piece.indexOf(LF, start) + 1 || piece.length;
    lines.push(piece.subarray(start, end));
    start = end;
  }
  return lines;
}

/** The texts that the output may continue (ConsoleRenderer.openTexts), with the text that the mask holds back. */
function readOpenTexts({ mask, renderer }: OpenStream): readonly string[] {
  const { openTexts } = renderer;
  const held = mask?.heldText ?? '';
  return held === '' ? openTexts : openTexts.map((text) => text + held);
}
