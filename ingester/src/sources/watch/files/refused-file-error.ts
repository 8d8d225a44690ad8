/** A file that is not to be followed, and why. */
export class RefusedFileError extends Error {
  override readonly name = 'RefusedFileError';
}

/** Says why what has this name is no file to read. A link may lead anywhere, also where its owner may not read. */
export function refuseIrregular(status: { readonly isLink?: boolean }): RefusedFileError {
  const isLink = status.isLink === true;
  return new RefusedFileError(
    isLink ? 'it is a symbolic link; name the file that it leads to' : 'it is not a regular file'
  );
}
