/** The same object with some parts changed; `undefined` takes a part away, so that no saved query holds empty parts. */
export function changeQuery<T extends object>(query: T, changes: { readonly [K in keyof T]?: T[K] | undefined }): T {
  const entries = Object.entries({ ...query, ...changes }).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as T;
}
