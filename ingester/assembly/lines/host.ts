// What is imported.

/**
 * Puts what takes the rows of a table (FOLD_…) into the memory, and returns where that is; 0 if
 * there is none, or no room for it.
 */
export declare function openFold(table: usize): usize;

/** Looks at X for what has taken as many rows as FOLD_LOOK_ROWS says, and begins to count its rows anew. */
export declare function lookAtX(fold: usize): void;
