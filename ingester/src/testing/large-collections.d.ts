/** Knows each map and set that anything is put into, so that none is left out that nobody thought of. */
export interface NotedCollections {
    /** Lists those with more entries than that which are still in use, by the names of their first entries. */
    listLarge(few: number): Promise<string[]>;
    /** Notes no more. */
    end(): void;
}
export declare function noteCollections(): NotedCollections;
