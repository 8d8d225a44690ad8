/** The characters of a text, one code each: bytes where all of it is ASCII, else UTF-16 units. */
export type CharCodes = Uint8Array | Uint16Array;

/** Whole lines of output, each ended by LF. */
export interface TextLines {
  readonly text: string;
  /** The codes of the same text; others may stand after them. */
  readonly codes: CharCodes;
}
