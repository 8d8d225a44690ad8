import type { LogKind, MetadataLine, Stream } from '@joblens/core';
import type { RenderedRow } from '../render/rendered-row.js';
import type { LineWriter } from './line-writer.js';
import type { LogMode } from './log-modes.js';

/** The meaning of an ended line to its job. */
export interface LineMeaning {
  /** The kind under which it is stored as a line of the log, if it is. */
  readonly kind: Extract<LogKind, 'output' | 'command'>;
  readonly isLogged: boolean;
  /** The command, if it is not all of its row: nothing else is stored. */
  readonly text?: string;
  /** The row to store, when the line is metadata. */
  readonly metadata?: MetadataLine;
  /** Notices that belong after the line. */
  readonly notices: readonly string[];
}

/** A line to store in the place of a row. */
export interface StoredLine {
  readonly stream: Stream;
  readonly line: string;
  readonly ansi?: string;
  readonly kind: LogKind;
  readonly timeNs: bigint;
  /** How many points the earlier pieces of the same line take. */
  readonly firstPart: number;
}

/** The parts of its job that a stream needs. */
export interface StreamContext {
  /** The one in force when what is given to the stream was printed. */
  readonly mode: () => LogMode;
  readonly nowMs: () => number;
  readonly nextNs: () => bigint;
  /** Judges a line at its end, once, and notes it when it is a command. */
  readonly judge: (row: RenderedRow) => LineMeaning;
  readonly addMetadata: (line: MetadataLine, timeNs: bigint) => void;
  /** For lines that need no row. */
  readonly lines: LineWriter;
  /** Returns the number of points that the line takes. */
  readonly write: (line: StoredLine) => number;
}
