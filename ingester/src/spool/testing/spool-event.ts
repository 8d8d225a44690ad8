/** An event in the life of a spool. */
export type SpoolEvent =
  /**
   * A source makes points, 0 to 3 of so many bytes; it appends them with those it has not appended yet, or keeps them
   * for later.
   */
  | {
      readonly kind: 'make';
      readonly source: number;
      readonly points: number;
      readonly bytes: number;
      readonly isHeld: boolean;
    }
  | { readonly kind: 'forget'; readonly source: number }
  | { readonly kind: 'turn' | 'read' | 'readAhead' | 'release' | 'slow' | 'fast' }
  | { readonly kind: 'pass'; readonly ms: number }
  | { readonly kind: 'break'; readonly writes: boolean; readonly syncs: boolean }
  | { readonly kind: 'repair' }
  | End;

/** How a process ends: by itself, killed, or with the machine. */
export type End = { readonly kind: 'restart' | 'kill' } | { readonly kind: 'cut'; readonly seed: number };
