const CR = 0x0d;
const LF = 0x0a;

/**
 * Drops the frames of a progress bar that a later frame of the same line covers, before anything is decoded: text
 * between two CRs is a frame, and one with fewer columns than a later one leaves nothing to see.
 * `bytes` must be valid UTF-8 with no control characters but CR and LF. Returns `bytes` itself where nothing is dropped.
 */
export function collapseFrames(bytes: Buffer): Buffer {
  const kept: Buffer[] = [];
  let keptFrom = bytes.length;
  let end = bytes.length;
  let coveredColumns = 0;
  let lf = bytes.lastIndexOf(LF);
  let cr = bytes.lastIndexOf(CR);
  // Backwards: what a frame leaves to see is known only when those after it are.
  while (cr >= 0) {
    if (lf > cr) {
      // Another row ends here. What stands between its LF and the first CR behind it stays.
      coveredColumns = 0;
      end = lf;
      lf = lf === 0 ? -1 : bytes.lastIndexOf(LF, lf - 1);
      continue;
    }
    if (end > cr + 1 && isCovered(bytes, cr + 1, end, coveredColumns)) {
      if (keptFrom > end) kept.push(bytes.subarray(end, keptFrom));
      keptFrom = cr;
    } else coveredColumns = Math.max(coveredColumns, countSureColumns(bytes, cr + 1, end));
    end = cr;
    cr = cr === 0 ? -1 : bytes.lastIndexOf(CR, cr - 1);
  }
  if (keptFrom === bytes.length) return bytes;
  kept.push(bytes.subarray(0, keptFrom));
  return Buffer.concat(kept.reverse());
}

/** A character has at most as many columns as bytes; this stops where enough of them are known to have fewer. */
function isCovered(bytes: Buffer, start: number, end: number, columns: number): boolean {
  let excess = end - start - columns;
  if (columns === 0) return false;
  for (let i = start; i < end && excess > 0; i++) {
    const byte = bytes[i] ?? 0;
    if (byte < 0xc0) continue;
    if (byte === 0xe2 && isNarrowBlock(bytes[i + 1] ?? 0)) {
      excess -= 2;
      i += 2;
    } else excess--;
  }
  return excess <= 0;
}

/** The columns of ASCII, boxes, blocks and braille; other characters might have none. */
function countSureColumns(bytes: Buffer, start: number, end: number): number {
  let columns = 0;
  for (let i = start; i < end; i++) {
    const byte = bytes[i] ?? 0;
    if (byte < 0x80) columns++;
    else if (byte === 0xe2 && isNarrowBlock(bytes[i + 1] ?? 0)) {
      columns++;
      i += 2;
    }
  }
  return columns;
}

/** Second byte of U+2500 to U+25BF and U+2800 to U+28FF. */
function isNarrowBlock(byte: number): boolean {
  return (byte >= 0x94 && byte <= 0x96) || (byte >= 0xa0 && byte <= 0xa3);
}
