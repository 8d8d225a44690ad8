/** A file that is not to be followed, and why. */
export class RefusedFileError extends Error {
  override readonly name = 'RefusedFileError';
}
