/**
 * Buckets or rows of a table at most, for each pixel of the graph. A level has 32 times fewer than the one before, so a
 * long table has at least one for two pixels, each drawn as four points. One of many keys has fewer: each key has but a
 * part of the panel.
 */
const [MIN_PIECES_OF_PIXEL, MAX_PIECES_OF_PIXEL] = [4, 16];
/** Numbers of all keys in these. */
const VALUES_OF_PIXEL = 160;
/** A narrow panel, also one of another kind, gets the rows themselves where they are few. */
const LEAST_WIDTH_PX = 1000;
/** The limit for all tables together. Each may have a few all the same. */
const MAX_PIECES_OF_ALL = 64_000;
const MIN_PIECES = 1000;

/** Into how many pieces at most a table with so many keys is read, one of so many tables in a panel. */
export function limitPieces(keys: number, tables: number, widthPx = LEAST_WIDTH_PX): number {
  const ofPixel = Math.max(MIN_PIECES_OF_PIXEL, Math.min(MAX_PIECES_OF_PIXEL, VALUES_OF_PIXEL / keys));
  const wanted = ofPixel * Math.max(LEAST_WIDTH_PX, widthPx);
  return Math.max(MIN_PIECES, Math.floor(Math.min(wanted, MAX_PIECES_OF_ALL / tables)));
}
