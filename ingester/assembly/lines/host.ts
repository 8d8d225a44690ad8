/**
 * What is imported: it puts what takes the rows of a table (FOLD_…) into the memory, and returns where that is; 0 if
 * there is none, or no room for it.
 */
export declare function openFold(table: usize): usize;
