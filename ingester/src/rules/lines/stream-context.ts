import type { MetadataLine } from '@joblens/core/metadata/metadata-reader';
import type { LogKind, Stream } from '@joblens/core/schema/measurements';
import type { RenderedRow } from '../../render/rendered-row.js';
import type { FaultKeeper } from '../writing/fault-keeper.js';
import type { LineWriter } from './line-writer.js';
import type { LogMode } from '../options/log-modes.js';
import type { ProgressWatch } from '../told/progress-watch.js';
import type { Rewrites } from '../writing/rewrites.js';
import type { NotedRow } from './stream-signals.js';

/** The meaning of an ended line to its job. */
export interface LineMeaning {
  /** The kind of log line as which it is stored, if it is. */
  readonly kind: Extract<LogKind, 'output' | 'command'>;
  readonly isLogged: boolean;
  /** The command, if its row has more text than that: nothing else is stored. */
  readonly text?: string;
  /** The row to store, when the line is metadata. */
  readonly metadata?: MetadataLine;
  /** Notices to write after the line. */
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
  /** The mode in force when the stream's input was printed. */
  readonly mode: () => LogMode;
  readonly monotonicMs: () => number;
  readonly nextNs: () => bigint;
  /** Judges a line once, at its end, and notes a command. */
  readonly judge: (row: RenderedRow) => LineMeaning;
  /** Why a line of several rows that looks like JSON is no metadata, unless it was said before. */
  readonly explainPieces: () => readonly string[];
  /** Takes a row at its end, to look for signals in it. */
  readonly noteRow: (row: NotedRow) => void;
  readonly addMetadata: (line: MetadataLine, timeNs: bigint) => void;
  readonly faults: FaultKeeper;
  readonly rewrites: Rewrites;
  /** Looks at output that may be logged. */
  readonly progress: ProgressWatch;
  /** Writes lines that need no row. */
  readonly lines: LineWriter;
  /** Writes a line and returns its number of points. */
  readonly write: (line: StoredLine) => number;
}
