import type { Stream } from '@joblens/core/schema/measurements';
import type { RenderedRow } from '../../render/rendered-row.js';
import { LINE_RULES } from '../options/log-modes.js';
import type { LogRow } from './log-row.js';
import type { LineMeaning, StreamContext } from './stream-context.js';

/** The meaning of ended rows to their job: judged once, and told to what reads signals, metadata and notices. */
export class RowMeanings {
  readonly #stream: Stream;
  readonly #context: StreamContext;
  /** The time of the last meaning that was told: on rows that were drawn before, they come later than their rows. */
  #toldNs = 0n;

  constructor(stream: Stream, context: StreamContext) {
    this.#stream = stream;
    this.#context = context;
  }

  /** Judges a whole line, and gives the row the text that may be stored. */
  judge(row: LogRow, rendered: RenderedRow): LineMeaning {
    return take(row, rendered, this.#context.judge(rendered));
  }

  /** A line of several rows is neither a command nor metadata, nor is one whose meaning another row has told. */
  judgePiece(row: LogRow, rendered: RenderedRow): LineMeaning {
    const isJson = row.beginsAsJson && !row.continues && rendered.text.endsWith('}');
    const notices = isJson ? this.#context.explainPieces() : [];
    const { isLogged } = LINE_RULES[this.#context.mode()].output;
    return take(row, rendered, { kind: 'output', isLogged, notices });
  }

  /** Hands on what a row means besides a line of the log, at the time of the row unless later ones have been told. */
  tell(row: LogRow, rendered: RenderedRow, meaning: LineMeaning): void {
    this.#tellAt(row, rendered, meaning, row.timeNs > this.#toldNs ? row.timeNs : this.#context.nextNs());
  }

  /** The same now, for what was printed on a row that had ended. */
  tellNow(row: LogRow, rendered: RenderedRow, meaning: LineMeaning): void {
    this.#tellAt(row, rendered, meaning, this.#context.nextNs());
  }

  #tellAt({ id, isMetadata }: LogRow, { text }: RenderedRow, meaning: LineMeaning, timeNs: bigint): void {
    const { isLogged, kind } = meaning;
    this.#toldNs = timeNs;
    if (kind === 'output') this.#context.noteRow({ id, text, timeNs, isLogged, isMetadata });
    if (meaning.metadata !== undefined) this.#context.addMetadata(meaning.metadata, timeNs);
    for (const notice of meaning.notices) {
      const timeNs = this.#context.nextNs();
      this.#context.write({ stream: this.#stream, line: notice, kind: 'notice', timeNs, firstPart: 0 });
    }
  }
}

/** Rows keep no text that a mode forbids. */
export function setText(row: LogRow, { text, ansi }: Pick<RenderedRow, 'text' | 'ansi'>): void {
  row.text = text;
  row.ansi = ansi;
}

function take(row: LogRow, rendered: RenderedRow, meaning: LineMeaning): LineMeaning {
  row.isMetadata = meaning.metadata !== undefined;
  if (meaning.isLogged) setText(row, meaning.text === undefined ? rendered : { text: meaning.text });
  return meaning;
}
