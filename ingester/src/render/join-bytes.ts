import { INDEX_BYTES } from '../kernels/control-index.js';

/** Room for a chunk of 64 KiB and the rest of the one before: a new buffer each time would cost more than the copy. */
const joined = Buffer.allocUnsafeSlow(INDEX_BYTES);

/** Both parts in one piece, valid until the next call. */
export function joinBytes(first: Buffer, second: Buffer): Buffer {
  const length = first.length + second.length;
  if (length > joined.length) return Buffer.concat([first, second]);
  joined.set(first);
  joined.set(second, first.length);
  return joined.subarray(0, length);
}
