import { textDecoder } from '@duckdb/node-api/lib/vectors/dataAccessors.js';

const wholeTexts = new TextDecoder('utf-8', { ignoreBOM: true });

/**
 * Makes DuckDB's client return texts as they are stored. Its decoder takes a leading U+FEFF for a byte order mark and
 * drops it, and has no option against that. A name or value that begins with one would come back as another.
 */
export function readWholeTexts(): void {
  const clientDecoder = textDecoder as { decode: (bytes: Uint8Array) => string };
  clientDecoder.decode = (bytes) => wholeTexts.decode(bytes);
}
