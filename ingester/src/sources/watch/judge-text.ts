import type { OpenedFile } from './files/file-system.js';

/** As many bytes tell whether a file is text: git's FIRST_FEW_BYTES (xdiff-interface.c). */
export const JUDGED_BYTES = 8000;
/** Text may have so many stray bytes that are none … */
const STRAY_BYTES = 3;
/** … and more of them in so many bytes. A byte in ten is one in what is compressed or encrypted. */
const TEXT_SHARE = 32;
/** A hole, as a log has where it was emptied while its writer went on. */
const HOLE_BYTES = 512;

/** The controls of text, as file(1) knows them (src/encoding.c): BEL BS HT LF FF CR ESC. */
const CONTROLS_OF_TEXT: ReadonlySet<number> = new Set([7, 8, 9, 10, 12, 13, 27]);

/** Formats that begin with much text (magic(5)): PDF, and safetensors, whose head is a length and JSON. */
const BINARY_STARTS = [/^%PDF-/, /^[^]{1,4}\0{4,}\{"/];

/** Why the first bytes of a file are not those of text; undefined if they may be. */
export function explainNoText(bytes: Buffer): string | undefined {
  const start = bytes.subarray(0, 16).toString('latin1');
  // Unicode 16, 23.8: the byte order mark.
  if (/^(?:\xff\xfe|\xfe\xff)/.test(start)) return 'it is UTF-16; text in UTF-8 is followed';
  const isBinary = BINARY_STARTS.some((expression) => expression.test(start)) || hasManyControls(bytes);
  return isBinary ? 'it is binary, as its first bytes say; text is followed' : undefined;
}

function hasManyControls(bytes: Buffer): boolean {
  let [controls, nuls, holes] = [0, 0, 0];
  const endNuls = (): void => {
    if (nuls < HOLE_BYTES) controls += nuls;
    else holes += nuls;
    nuls = 0;
  };
  for (const byte of bytes) {
    if (byte === 0) {
      nuls++;
      continue;
    }
    if (nuls > 0) endNuls();
    if ((byte < 32 && !CONTROLS_OF_TEXT.has(byte)) || byte === 127) controls++;
  }
  endNuls();
  return controls > STRAY_BYTES && controls * TEXT_SHARE > bytes.length - holes;
}

/** The first bytes of a file, up to as many as tell whether it is text. */
export async function readStart(file: OpenedFile): Promise<Buffer> {
  const buffer = Buffer.alloc(JUDGED_BYTES);
  let length = 0;
  while (length < buffer.length) {
    const count = await file.read(buffer.subarray(length), length);
    if (count === 0) break;
    length += count;
  }
  return buffer.subarray(0, length);
}
