/** Chunks as a pipe gives them. */
export const CHUNK_BYTES = 64 * 1024;

export function* chunksOf(bytes) {
  for (let start = 0; start < bytes.length; start += CHUNK_BYTES) yield bytes.subarray(start, start + CHUNK_BYTES);
}

/**
 * How often a renderer renders the file from the beginning. The cheapest time counts; the first ones compile its code.
 */
export const RENDERINGS = 4;
